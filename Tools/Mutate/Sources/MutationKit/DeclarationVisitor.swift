import SwiftSyntax

/// A visitor that knows the declarations around the node it is at.
class DeclarationVisitor: SyntaxAnyVisitor {
  private let file: String
  private let lines: SourceLocationConverter
  private var names: [String] = []

  init(file: String, tree: SourceFileSyntax) {
    self.file = file
    lines = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  /// The declarations around the current node, joined by dots, such as `FileRewriting.run`.
  var declaration: String { names.joined(separator: ".") }

  /// Returns a mutant of a node in the current declaration.
  func mutant(
    _ kind: Mutant.Kind, _ node: Syntax, _ replacement: String, isStatement: Bool
  ) -> Mutant {
    let start = node.positionAfterSkippingLeadingTrivia
    return Mutant(
      kind: kind, file: file, line: lines.location(for: start).line, declaration: declaration,
      range: start.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset,
      original: node.trimmedDescription, replacement: replacement, isStatement: isStatement)
  }

  private func enter(_ name: String) -> SyntaxVisitorContinueKind {
    names.append(name)
    return .visitChildren
  }

  private func leave() { names.removeLast() }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription)
  }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { enter("init") }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    enter("deinit")
  }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    enter("subscript")
  }
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.bindings.first?.pattern.trimmedDescription ?? "var")
  }

  override func visitPost(_ node: StructDeclSyntax) { leave() }
  override func visitPost(_ node: ClassDeclSyntax) { leave() }
  override func visitPost(_ node: EnumDeclSyntax) { leave() }
  override func visitPost(_ node: ActorDeclSyntax) { leave() }
  override func visitPost(_ node: ProtocolDeclSyntax) { leave() }
  override func visitPost(_ node: ExtensionDeclSyntax) { leave() }
  override func visitPost(_ node: FunctionDeclSyntax) { leave() }
  override func visitPost(_ node: InitializerDeclSyntax) { leave() }
  override func visitPost(_ node: DeinitializerDeclSyntax) { leave() }
  override func visitPost(_ node: SubscriptDeclSyntax) { leave() }
  override func visitPost(_ node: VariableDeclSyntax) { leave() }
}
