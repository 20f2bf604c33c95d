import SwiftDiagnostics
import SwiftSyntax

// The conformance is in an extension, where the compiler does not report members that nearly satisfy
// a requirement with a default. The default would then be used in their place without a word.

extension TypeReader {
  /// Reports `migrate`, `version` and `conversions` that the vault would not use.
  mutating func checkRequirements(_ members: MemberBlockItemListSyntax) {
    for member in members {
      if let function = member.decl.as(FunctionDeclSyntax.self) {
        checkMigration(function)
      } else if let variable = member.decl.as(VariableDeclSyntax.self),
        variable.modifiers.contains(where: \.isOfType)
      {
        for binding in variable.bindings { checkStatic(binding) }
      }
    }
  }

  private mutating func checkMigration(_ function: FunctionDeclSyntax) {
    let parameters = function.signature.parameterClause.parameters
    guard function.name.plainText == "migrate",
      parameters.contains(where: { $0.type.trimmedDescription.hasSuffix("MigrationContext") })
    else { return }
    let isUsed =
      function.modifiers.contains(where: \.isOfType)
      && parameters.map(\.firstName.text) == ["_", "from", "to"]
      && function.signature.effectSpecifiers?.asyncSpecifier == nil
    guard !isUsed else { return }
    report(
      function.name,
      "the vault does not call this function: write 'static func migrate(_ context: "
        + "MigrationContext, from old: Int, to new: Int) throws', or use another name")
  }

  private mutating func checkStatic(_ binding: PatternBindingSyntax) {
    let type = binding.typeAnnotation?.type.trimmedDescription
    let value = binding.initializer?.value
    switch binding.pattern.trimmedDescription {
    case "version":
      let isInt = type.map { ["Int", "Swift.Int"].contains($0) } ?? value?.isInt ?? false
      guard !isInt else { return }
      report(
        binding,
        "the vault uses a version only if it is an 'Int': write 'static let version: Int'")
    case "conversions":
      let called = value?.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription
      guard (type ?? called)?.hasSuffix("PropertyConversion") == true else { return }
      report(binding, "the vault does not use these conversions: put them into an array")
    default: return
    }
  }

  private mutating func report(_ node: some SyntaxProtocol, _ message: String) {
    diagnostics.append(.stored(node, message))
  }
}

extension DeclModifierSyntax {
  /// Whether the member belongs to the type and not to its instances.
  fileprivate var isOfType: Bool { ["static", "class"].contains(name.text) }
}

extension ExprSyntax {
  /// Whether the type of the expression is certainly `Int` without an annotation.
  fileprivate var isInt: Bool {
    if let call = self.as(FunctionCallExprSyntax.self) {
      return ["Int", "Swift.Int"].contains(call.calledExpression.trimmedDescription)
    }
    return self.is(IntegerLiteralExprSyntax.self)
  }
}
