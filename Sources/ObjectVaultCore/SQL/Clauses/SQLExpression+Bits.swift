// All of these work on whole numbers of 64 bits, as SQLite does: a real loses its fraction, a text is read
// as a number, and NULL gives NULL.
extension SQLExpression {
  /// The bits that both have.
  public static func & (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "&", right.sqlExpression, .bits)
  }

  /// The bits that one of them has, or both. For conditions, which hold or not, use `||`.
  public static func | (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "|", right.sqlExpression, .bits)
  }

  /// The bits moved to the left, by 64 and more places to 0; to the right by a negative number.
  public static func << (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "<<", right.sqlExpression, .bits)
  }

  /// The bits moved to the right; the sign stays. To the left by a negative number.
  public static func >> (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, ">>", right.sqlExpression, .bits)
  }

  /// The bits that it does not have.
  public static prefix func ~ (expression: SQLExpression) -> SQLExpression {
    SQLExpression("~\(expression.nested(above: .collation))", .sign)
  }
}
