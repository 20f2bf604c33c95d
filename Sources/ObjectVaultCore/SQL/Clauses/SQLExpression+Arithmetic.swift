extension SQLExpression {
  /// The sum, as SQLite calculates: whole numbers beyond 64 bits become reals.
  public static func + (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "+", right.sqlExpression, .sum)
  }

  /// The difference.
  public static func - (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "-", right.sqlExpression, .sum)
  }

  /// The product.
  public static func * (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "*", right.sqlExpression, .product)
  }

  /// The quotient: without its fraction of two whole numbers, NULL for a division by zero.
  public static func / (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "/", right.sqlExpression, .product)
  }

  /// What a division leaves; NULL for a division by zero.
  public static func % (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "%", right.sqlExpression, .product)
  }

  /// The negative.
  public static prefix func - (expression: SQLExpression) -> SQLExpression {
    // Two signs in a row would begin a comment.
    let isSigned = expression.statement.sql.hasPrefix("-")
    return SQLExpression("-\(expression.nested(above: isSigned ? .sign : .collation))", .sign)
  }

  /// One text after the other: `||`.
  public func concatenated(with other: some SQLExpressible) -> SQLExpression {
    SQLExpression.binary(self, "||", other.sqlExpression, .concatenation, isAssociative: true)
  }
}
