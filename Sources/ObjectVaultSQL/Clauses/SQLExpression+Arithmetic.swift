public import ObjectVaultModel

extension SQLExpression {
  /// Returns the sum, which SQLite converts to a real number if an integer sum exceeds 64 bits.
  public static func + (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "+", right.sqlExpression, .sum)
  }

  /// Returns the difference.
  public static func - (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "-", right.sqlExpression, .sum)
  }

  /// Returns the product.
  public static func * (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "*", right.sqlExpression, .product)
  }

  /// Returns the quotient: truncated for two integers, NULL for a division by zero.
  public static func / (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "/", right.sqlExpression, .product)
  }

  /// Returns the remainder of a division, or NULL for a division by zero.
  public static func % (left: SQLExpression, right: some SQLExpressible) -> SQLExpression {
    binary(left, "%", right.sqlExpression, .product)
  }

  /// Returns the negated number.
  public static prefix func - (expression: SQLExpression) -> SQLExpression {
    // Two consecutive minus signs would begin a comment.
    let isSigned = expression.statement.sql.hasPrefix("-")
    return SQLExpression("-\(expression.nested(above: isSigned ? .sign : .collation))", .sign)
  }

  /// Returns the concatenation of two strings: `||`.
  public func concatenated(with other: some SQLExpressible) -> SQLExpression {
    SQLExpression.binary(self, "||", other.sqlExpression, .concatenation, isAssociative: true)
  }
}
