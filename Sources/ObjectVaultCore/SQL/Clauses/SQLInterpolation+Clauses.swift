extension SQLInterpolation {
  /// An expression of clauses, in parentheses unless nothing around it could take it apart.
  public mutating func appendInterpolation(_ expression: SQLExpression) {
    append(expression.nested(above: .sign))
  }

  /// A query of clauses, in parentheses.
  public mutating func appendInterpolation<Source>(_ query: Select<Source>) {
    append(query.sqlExpression.statement)
  }
}
