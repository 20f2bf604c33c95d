import SwiftDiagnostics
import SwiftSyntax

/// What a diagnostic or a fix-it of the macros says.
struct StoredMessage: DiagnosticMessage, FixItMessage {
  var message: String
  var severity: DiagnosticSeverity = .error

  init(_ message: String, severity: DiagnosticSeverity = .error) {
    self.message = message
    self.severity = severity
  }

  var diagnosticID: MessageID { MessageID(domain: "ObjectVault", id: "Stored") }
  var fixItID: MessageID { diagnosticID }
}

extension Diagnostic {
  /// An error at `node`.
  static func stored(
    _ node: some SyntaxProtocol, _ message: String, fixIts: [FixIt] = []
  ) -> Diagnostic {
    Diagnostic(node: node, message: StoredMessage(message), fixIts: fixIts)
  }

  /// An attribute where it has no meaning, with the fix-it that takes it away.
  static func misplaced(_ attribute: AttributeSyntax, _ message: String) -> Diagnostic {
    .stored(attribute, message, fixIts: [.removing(attribute)])
  }
}
