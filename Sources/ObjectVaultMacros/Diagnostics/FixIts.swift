import SwiftDiagnostics
import SwiftSyntax

extension FixIt {
  private init(_ message: String, _ change: FixIt.Change) {
    self.init(message: StoredMessage(message), changes: [change])
  }

  /// Replaces one token by other text.
  static func replacing(_ token: TokenSyntax, by text: String, _ message: String) -> FixIt {
    FixIt(message, .replace(oldNode: Syntax(token), newNode: Syntax(token.reading(text))))
  }

  /// Replaces an expression by other text.
  static func replacing(_ node: ExprSyntax, by text: String, _ message: String) -> FixIt {
    let token = TokenSyntax(.identifier(text), presence: .present)
      .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
    return FixIt(message, .replace(oldNode: Syntax(node), newNode: Syntax(token)))
  }

  /// Puts text before a node, after the comments and indentation that precede it.
  static func inserting(
    _ text: String, before node: some SyntaxProtocol, _ message: String
  ) -> [FixIt] {
    guard let token = node.firstToken(viewMode: .sourceAccurate) else { return [] }
    return [.replacing(token, by: text + token.text, message)]
  }

  /// Puts text after a node, before the white space that follows it.
  static func inserting(
    _ text: String, after node: some SyntaxProtocol, _ message: String
  ) -> [FixIt] {
    guard let token = node.lastToken(viewMode: .sourceAccurate) else { return [] }
    return [.replacing(token, by: token.text + text, message)]
  }

  /// Takes an attribute away, and its line where it has one of its own.
  static func removing(_ attribute: AttributeSyntax) -> FixIt {
    let next = attribute.nextToken(viewMode: .sourceAccurate)
    let ownsLine = next?.leadingTrivia.contains(where: \.isNewline) ?? false
    let nothing = TokenSyntax(
      .identifier(""), leadingTrivia: ownsLine ? [] : attribute.leadingTrivia, presence: .present)
    return FixIt(
      "remove '@\(attribute.attributeName.trimmedDescription)'",
      .replace(oldNode: Syntax(attribute), newNode: Syntax(nothing)))
  }

  /// Marks a property `@Ignored`.
  static func ignoring(_ declaration: VariableDeclSyntax) -> [FixIt] {
    inserting("@Ignored ", before: declaration, "mark it '@Ignored'")
  }

  /// Gives a property a column name to be filled in.
  static func namingColumn(of declaration: VariableDeclSyntax) -> [FixIt] {
    inserting("@Column(\"<#column name#>\") ", before: declaration, "name its column")
  }

  /// Makes `T?` a `T`; nothing where the optional is spelled otherwise.
  static func unwrapping(_ type: TypeSyntax?) -> [FixIt] {
    guard let type, type.isImplicitlyNil, let wrapped = type.optionalWrapped,
      let mark = type.lastToken(viewMode: .sourceAccurate)
    else { return [] }
    return [.replacing(mark, by: "", "make it '\(wrapped.trimmedDescription)'")]
  }
}

extension TokenSyntax {
  /// The token with other text and the same white space and comments around it.
  fileprivate func reading(_ text: String) -> TokenSyntax {
    TokenSyntax(
      .identifier(text), leadingTrivia: leadingTrivia, trailingTrivia: trailingTrivia,
      presence: .present)
  }
}
