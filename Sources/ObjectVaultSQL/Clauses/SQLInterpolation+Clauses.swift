public import ObjectVaultModel

extension SQLInterpolation {
  /// Appends an expression, in parentheses unless it can't be split by adjacent operators.
  public mutating func appendInterpolation(_ expression: SQLExpression) {
    append(expression.nested(above: .sign))
  }

  /// Appends a query in parentheses.
  public mutating func appendInterpolation<Source>(_ query: Select<Source>) {
    append(query.sqlExpression.statement)
  }
}
