/// `CASE`: a choice between values.
///
/// ```swift
/// SQLCase(students.level).when(1, then: "first").when(2, then: "second").else("other")
/// SQLCase().when(students.age < 7, then: "young").else(students.name)
/// ```
public struct SQLCase: Sendable, Hashable, SQLExpressible {
  private let base: SQLStatement?
  private var branches: [SQLStatement] = []
  private var otherwise: SQLStatement?

  /// A choice by conditions: the first that holds.
  public init() { base = nil }

  /// A choice by what a value equals.
  public init(_ base: some SQLExpressible) {
    self.base = base.sqlExpression.nested(above: .raw)
  }

  /// The result where the base equals the value, or, without a base, where the condition holds.
  public func when(_ value: some SQLExpressible, then result: some SQLExpressible) -> SQLCase {
    var other = self
    let (value, result) = (value.sqlExpression, result.sqlExpression)
    other.branches.append(
      "WHEN \(value.nested(above: .raw)) THEN \(result.nested(above: .raw))")
    return other
  }

  /// The result where no other is; NULL without it.
  public func `else`(_ result: some SQLExpressible) -> SQLCase {
    var other = self
    other.otherwise = result.sqlExpression.nested(above: .raw)
    return other
  }

  /// The choice as an expression.
  public var sqlExpression: SQLExpression {
    guard !branches.isEmpty else {
      return SQLExpression(
        defect: SQLDefect(
          .invalidArgument, "A CASE has nothing to choose from. Give it a `when`."))
    }
    var parts: [SQLStatement] = ["CASE"]
    if let base { parts.append(base) }
    parts += branches
    if let otherwise { parts.append("ELSE \(otherwise)") }
    return SQLExpression((parts + ["END"]).joined(separator: " "), .primary)
  }

  /// The choice as a column of that name.
  public func `as`(_ name: String) -> SQLResultColumn { sqlExpression.as(name) }
}

extension SQLCase: SQLSelectable, SQLOrderable, CustomStringConvertible {
  /// The choice as a column.
  public var sqlResultColumn: SQLResultColumn { sqlExpression.sqlResultColumn }

  /// By the choice, small first.
  public var sqlOrder: SQLOrder { sqlExpression.sqlOrder }

  /// The text. Values are never shown.
  public var description: String { sqlExpression.description }
}
