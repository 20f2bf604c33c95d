import SwiftDiagnostics
import SwiftSyntax

/// The message of a diagnostic or a fix-it of the macros.
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
  /// Returns an error at `node`.
  static func stored(
    _ node: some SyntaxProtocol, _ message: String, fixIts: [FixIt] = []
  ) -> Diagnostic {
    Diagnostic(node: node, message: StoredMessage(message), fixIts: fixIts)
  }

  /// Returns an error for an attribute that has no effect, with a fix-it that removes it.
  static func misplaced(_ attribute: AttributeSyntax, _ message: String) -> Diagnostic {
    .stored(attribute, message, fixIts: [.removing(attribute)])
  }
}

extension [Diagnostic] {
  /// Adds an error at `node`.
  mutating func report(_ node: some SyntaxProtocol, _ message: String, fixIts: [FixIt] = []) {
    append(.stored(node, message, fixIts: fixIts))
  }

  /// Adds an error for an attribute that has no effect, with a fix-it that removes it.
  mutating func misplaced(_ attribute: AttributeSyntax, _ message: String) {
    append(.misplaced(attribute, message))
  }
}
