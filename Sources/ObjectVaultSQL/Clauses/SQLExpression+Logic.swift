public import ObjectVaultModel

extension SQLExpression {
  /// Returns an expression that is true if both conditions are true.
  ///
  /// If one is NULL, the result follows SQL: it is NULL unless the other condition decides.
  public static func && (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    binary(left, "AND", right, .and, isAssociative: true)
  }

  /// Returns an expression that is true if a condition and raw SQL are true.
  ///
  /// For example, `adults && "seat % 2 = \(0)"`.
  public static func && (left: SQLExpression, right: SQLStatement) -> SQLExpression {
    left && SQLExpression(right)
  }

  /// Returns an expression that is true if at least one of the conditions is true.
  public static func || (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    binary(left, "OR", right, .or, isAssociative: true)
  }

  /// Returns an expression that is true if a condition or raw SQL is true.
  public static func || (left: SQLExpression, right: SQLStatement) -> SQLExpression {
    left || SQLExpression(right)
  }

  /// Returns the negated condition, where NULL remains NULL.
  public static prefix func ! (expression: SQLExpression) -> SQLExpression {
    SQLExpression("NOT \(expression.nested(above: .and))", .not)
  }

  /// Returns an expression that is true if all conditions are true; `1` for no conditions.
  public static func all(of conditions: some Sequence<SQLExpression>) -> SQLExpression {
    conditions.reduce(nil) { all, next in all.map { $0 && next } ?? next } ?? .inline(1)
  }

  /// Returns an expression that is true if any condition is true; `0` for no conditions.
  public static func any(of conditions: some Sequence<SQLExpression>) -> SQLExpression {
    conditions.reduce(nil) { all, next in all.map { $0 || next } ?? next } ?? .inline(0)
  }

  /// Returns a binary operation.
  ///
  /// `isAssociative` means that the right operand may use the same operator without parentheses.
  static func binary(
    _ left: SQLExpression, _ op: String, _ right: SQLExpression, _ precedence: SQLPrecedence,
    isAssociative: Bool = false
  ) -> SQLExpression {
    // Operators of equal precedence associate to the left.
    let below = SQLPrecedence(rawValue: precedence.rawValue - 1) ?? .raw
    let isSame = isAssociative && right.precedence == precedence
    let first = left.nested(above: below)
    let second = right.nested(above: isSame ? below : precedence)
    return SQLExpression("\(first) \(unchecked: op) \(second)", precedence)
  }
}
