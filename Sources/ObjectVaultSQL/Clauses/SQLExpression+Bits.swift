// All of these operators work on 64-bit integers, as in SQLite: a real number loses its fraction,
// text is parsed as a number, and the result for NULL is NULL.

public import ObjectVaultModel
extension SQLExpression {
  /// Returns the bitwise AND.
  public static func & (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "&", right.sqlExpression, .bits)
  }

  /// Returns the bitwise OR.
  ///
  /// Use `||` to combine conditions.
  public static func | (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "|", right.sqlExpression, .bits)
  }

  /// Returns the bits shifted to the left, or to the right by a negative number.
  ///
  /// The result is 0 for a shift by 64 or more.
  public static func << (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "<<", right.sqlExpression, .bits)
  }

  /// Returns the bits shifted to the right, or to the left by a negative number.
  ///
  /// The sign is preserved.
  public static func >> (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, ">>", right.sqlExpression, .bits)
  }

  /// Returns the bitwise complement.
  public static prefix func ~ (expression: SQLExpression) -> SQLExpression {
    SQLExpression("~\(expression.nested(above: .collation))", .sign)
  }
}
