import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds every place of a source file where one small fault can be made.
public enum MutantFinder {
  /// Returns the mutants of a file, in the order of its text.
  ///
  /// - Parameters:
  ///   - source: The text of the file.
  ///   - file: The path that the mutants report.
  /// - Returns: The mutants; their ranges may overlap.
  public static func mutants(in source: String, file: String) -> [Mutant] {
    let tree = folded(source)
    let finder = FindingVisitor(file: file, tree: tree)
    finder.walk(tree)
    return finder.found
  }

  /// Parses a source file and groups its operators by precedence.
  ///
  /// An operator that the standard library does not declare leaves its sequence flat, and nothing
  /// in that sequence is mutated. The text, and with it every offset, stays the same.
  static func folded(_ source: String) -> SourceFileSyntax {
    let parsed = Parser.parse(source: source)
    let tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    return tree.as(SourceFileSyntax.self) ?? parsed
  }
}

private final class FindingVisitor: DeclarationVisitor {
  private(set) var found: [Mutant] = []

  // MARK: Places that are left alone

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AvailabilityConditionSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  // MARK: Expressions

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return .visitChildren
    }
    func swapped(_ other: String, _ kind: Mutant.Kind) {
      add(
        kind, Syntax(node),
        "\(node.leftOperand.trimmedDescription) \(other) \(node.rightOperand.trimmedDescription)")
    }
    switch symbol {
    case "<": swapped("<=", .comparison)
    case "<=": swapped("<", .comparison)
    case ">": swapped(">=", .comparison)
    case ">=": swapped(">", .comparison)
    case "==": swapped("!=", .comparison)
    case "!=": swapped("==", .comparison)
    case "===": swapped("!==", .comparison)
    case "!==": swapped("===", .comparison)
    case "&&": swapped("||", .junction)
    case "||": swapped("&&", .junction)
    case "+": if !isText(ExprSyntax(node)) { swapped("-", .arithmetic) }
    case "-": swapped("+", .arithmetic)
    case "*": swapped("+", .arithmetic)
    case "&+": swapped("&-", .arithmetic)
    case "&-": swapped("&+", .arithmetic)
    case "??": add(.fallback, Syntax(node), node.rightOperand.trimmedDescription)
    default: break
    }
    return .visitChildren
  }

  /// Whether a sum has a string or array literal as a term, so that it cannot be a difference.
  private func isText(_ expression: ExprSyntax) -> Bool {
    if let sum = expression.as(InfixOperatorExprSyntax.self) {
      return isText(sum.leftOperand) || isText(sum.rightOperand)
    }
    return expression.is(StringLiteralExprSyntax.self) || expression.is(ArrayExprSyntax.self)
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" {
      add(.negation, Syntax(node), node.expression.trimmedDescription)
    }
    return .visitChildren
  }

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    guard case .expression(let condition) = node.condition else { return .visitChildren }
    // Comparisons, junctions and `!` have mutants of their own that say the same or more.
    if !condition.is(InfixOperatorExprSyntax.self), !condition.is(PrefixOperatorExprSyntax.self) {
      add(.negation, Syntax(condition), "!(\(condition.trimmedDescription))")
    }
    return .visitChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let digits = node.literal.text
    if let value = Int(digits), value < Int(Int32.max) {
      add(.literal, Syntax(node), String(value + 1))
    }
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add(.boolean, Syntax(node), node.literal.text == "true" ? "false" : "true")
    return .visitChildren
  }

  // MARK: Statements

  override func visit(_ node: DeferStmtSyntax) -> SyntaxVisitorContinueKind {
    let body = node.body.statements.trimmedDescription
    guard !body.isEmpty else { return .visitChildren }
    add(.cleanup, Syntax(node.body.statements), "", isStatement: true)
    return .visitChildren
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard case .expr(let expression) = node.item, isCall(expression), !isImplicitResult(node)
    else { return .visitChildren }
    add(.call, Syntax(expression), "", isStatement: true)
    return .visitChildren
  }

  /// Whether a statement calls something, perhaps under `try`, `await` or `_ =`.
  private func isCall(_ expression: ExprSyntax) -> Bool {
    if let tried = expression.as(TryExprSyntax.self) { return isCall(tried.expression) }
    if let awaited = expression.as(AwaitExprSyntax.self) { return isCall(awaited.expression) }
    if let assignment = expression.as(InfixOperatorExprSyntax.self) {
      return assignment.operator.is(AssignmentExprSyntax.self)
        && assignment.leftOperand.is(DiscardAssignmentExprSyntax.self)
        && isCall(assignment.rightOperand)
    }
    guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
    // An initializer's own call must stay, and one that never returns ends its branch.
    let name = call.calledExpression.trimmedDescription
    return !name.hasSuffix(".init")
      && !["preconditionFailure", "fatalError", "exit", "_exit", "abort"].contains(name)
  }

  /// Whether the only statement of a body may be the body's value.
  private func isImplicitResult(_ node: CodeBlockItemSyntax) -> Bool {
    guard let list = node.parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else {
      return false
    }
    guard let owner = list.parent else { return true }
    if let block = owner.as(CodeBlockSyntax.self), let declaration = block.parent {
      if let function = declaration.as(FunctionDeclSyntax.self) {
        return function.signature.returnClause != nil
      }
      if let accessor = declaration.as(AccessorDeclSyntax.self) {
        return accessor.accessorSpecifier.tokenKind == .keyword(.get)
      }
      return declaration.is(IfExprSyntax.self)
    }
    return true
  }

  private func add(
    _ kind: Mutant.Kind, _ node: Syntax, _ replacement: String, isStatement: Bool = false
  ) {
    found.append(mutant(kind, node, replacement, isStatement: isStatement))
  }
}
