import SwiftDiagnostics
import SwiftSyntax

extension FixIt {
  private init(_ message: String, _ change: FixIt.Change) {
    self.init(message: StoredMessage(message), changes: [change])
  }

  /// Returns a fix-it that replaces one token by other text.
  static func replacing(_ token: TokenSyntax, by text: String, _ message: String) -> FixIt {
    FixIt(message, .replace(oldNode: Syntax(token), newNode: Syntax(token.reading(text))))
  }

  /// Returns a fix-it that replaces an expression by other text.
  static func replacing(_ node: ExprSyntax, by text: String, _ message: String) -> FixIt {
    let token = TokenSyntax(.identifier(text), presence: .present)
      .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
    return FixIt(message, .replace(oldNode: Syntax(node), newNode: Syntax(token)))
  }

  /// Returns a fix-it that inserts text before a node, after the comments and indentation before
  /// it.
  static func inserting(
    _ text: String, before node: some SyntaxProtocol, _ message: String
  ) -> [FixIt] {
    guard let token = node.firstToken(viewMode: .sourceAccurate) else { return [] }
    return [.replacing(token, by: text + token.text, message)]
  }

  /// Returns a fix-it that inserts text after a node, before the white space that follows it.
  static func inserting(
    _ text: String, after node: some SyntaxProtocol, _ message: String
  ) -> [FixIt] {
    guard let token = node.lastToken(viewMode: .sourceAccurate) else { return [] }
    return [.replacing(token, by: token.text + text, message)]
  }

  /// Returns a fix-it that removes an attribute, and its line if the attribute is alone on it.
  static func removing(_ attribute: AttributeSyntax) -> FixIt {
    let next = attribute.nextToken(viewMode: .sourceAccurate)
    let ownsLine = next?.leadingTrivia.contains(where: \.isNewline) ?? false
    let nothing = TokenSyntax(
      .identifier(""), leadingTrivia: ownsLine ? [] : attribute.leadingTrivia, presence: .present)
    return FixIt(
      "remove '@\(attribute.attributeName.trimmedDescription)'",
      .replace(oldNode: Syntax(attribute), newNode: Syntax(nothing)))
  }

  /// Returns a fix-it that marks a property `@Ignored`.
  static func ignoring(_ declaration: VariableDeclSyntax) -> [FixIt] {
    inserting("@Ignored ", before: declaration, "mark it '@Ignored'")
  }

  /// Returns a fix-it that adds `@Column` with a placeholder for the column name.
  static func namingColumn(of declaration: VariableDeclSyntax) -> [FixIt] {
    inserting("@Column(\"<#column name#>\") ", before: declaration, "name its column")
  }

  /// Returns a fix-it that changes `T?` to `T`, or nothing if the optional is spelled otherwise.
  static func unwrapping(_ type: TypeSyntax?) -> [FixIt] {
    guard let type, type.isImplicitlyNil, let wrapped = type.optionalWrapped,
      let mark = type.lastToken(viewMode: .sourceAccurate)
    else { return [] }
    return [.replacing(mark, by: "", "make it '\(wrapped.trimmedDescription)'")]
  }
}

extension TokenSyntax {
  /// Returns the token with other text and the same white space and comments around it.
  fileprivate func reading(_ text: String) -> TokenSyntax {
    TokenSyntax(
      .identifier(text), leadingTrivia: leadingTrivia, trailingTrivia: trailingTrivia,
      presence: .present)
  }
}
