extension SQLExpression {
  /// Both hold. Where one is NULL the result is as in SQL: neither true nor false, unless the other
  /// decides.
  public static func && (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    binary(left, "AND", right, .and, isAssociative: true)
  }

  /// Both hold, of which the second is a text: `adults && "seat % 2 = \(0)"`.
  public static func && (left: SQLExpression, right: SQLStatement) -> SQLExpression {
    left && SQLExpression(right)
  }

  /// One of them holds, or both.
  public static func || (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    binary(left, "OR", right, .or, isAssociative: true)
  }

  /// One of them holds, or both, of which the second is a text.
  public static func || (left: SQLExpression, right: SQLStatement) -> SQLExpression {
    left || SQLExpression(right)
  }

  /// It does not hold. What is neither true nor false stays so.
  public static prefix func ! (expression: SQLExpression) -> SQLExpression {
    SQLExpression("NOT \(expression.nested(above: .and))", .not)
  }

  /// All of them hold; of none, `1`.
  public static func all(of conditions: some Sequence<SQLExpression>) -> SQLExpression {
    conditions.reduce(nil) { all, next in all.map { $0 && next } ?? next } ?? .inline(1)
  }

  /// One of them holds; of none, `0`.
  public static func any(of conditions: some Sequence<SQLExpression>) -> SQLExpression {
    conditions.reduce(nil) { all, next in all.map { $0 || next } ?? next } ?? .inline(0)
  }

  /// - Parameter isAssociative: Whether the right side may begin with the same operator.
  static func binary(
    _ left: SQLExpression, _ op: String, _ right: SQLExpression, _ precedence: SQLPrecedence,
    isAssociative: Bool = false
  ) -> SQLExpression {
    // Operators of one precedence are read from the left.
    let below = SQLPrecedence(rawValue: precedence.rawValue - 1) ?? .raw
    let isSame = isAssociative && right.precedence == precedence
    let first = left.nested(above: below)
    let second = right.nested(above: isSame ? below : precedence)
    return SQLExpression("\(first) \(unchecked: op) \(second)", precedence)
  }
}
