import ObjectVaultDriver
public import ObjectVaultModel

/// A `CASE` expression.
///
/// ```swift
/// SQLCase(students.level).when(1, then: "first").when(2, then: "second").else("other")
/// SQLCase().when(students.age < 7, then: "young").else(students.name)
/// ```
public struct SQLCase: Sendable, Hashable, SQLExpressible {
  private let base: SQLStatement?
  private var branches: [SQLStatement] = []
  private var otherwise: SQLStatement?

  /// Creates an expression that selects the result of the first condition that is true.
  public init() { base = nil }

  /// Creates an expression that selects the result of the first value that equals `base`.
  public init(_ base: some SQLExpressible) {
    self.base = base.sqlExpression.nested(above: .raw)
  }

  /// Returns an expression with another branch.
  ///
  /// The branch applies if the base equals the value. Without a base, it applies if the value, a
  /// condition, is true.
  public func when(_ value: some SQLExpressible, then result: some SQLExpressible) -> SQLCase {
    var other = self
    let (value, result) = (value.sqlExpression, result.sqlExpression)
    other.branches.append(
      "WHEN \(value.nested(above: .raw)) THEN \(result.nested(above: .raw))")
    return other
  }

  /// Returns an expression with a default result, which is NULL otherwise.
  public func `else`(_ result: some SQLExpressible) -> SQLCase {
    var other = self
    other.otherwise = result.sqlExpression.nested(above: .raw)
    return other
  }

  /// The `CASE` expression.
  public var sqlExpression: SQLExpression {
    guard !branches.isEmpty else {
      return SQLExpression(
        defect: SQLDefect(
          .invalidArgument, "A CASE has no branch. Add a `when`."))
    }
    var parts: [SQLStatement] = ["CASE"]
    if let base { parts.append(base) }
    parts += branches
    if let otherwise { parts.append("ELSE \(otherwise)") }
    return SQLExpression((parts + ["END"]).joined(separator: " "), .primary)
  }

  /// Returns the expression as a result column with a name.
  public func `as`(_ name: String) -> SQLResultColumn { sqlExpression.as(name) }
}

extension SQLCase: SQLSelectable, SQLOrderable, CustomStringConvertible {
  /// The expression as a result column.
  public var sqlResultColumn: SQLResultColumn { sqlExpression.sqlResultColumn }

  /// The expression as an ascending sort key.
  public var sqlOrder: SQLOrder { sqlExpression.sqlOrder }

  /// The SQL text, without the values.
  public var description: String { sqlExpression.description }
}
