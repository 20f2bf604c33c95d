public import ObjectVaultCondition

/// A type that can be used as an expression in a clause.
///
/// The conforming types are ``SQLExpression``, ``SQLStatement``, ``Select``, ``SQLCase`` and all
/// storable values. Values are always bound and never become SQL text.
public protocol SQLExpressible {
  /// The SQL expression.
  var sqlExpression: SQLExpression { get }
}

extension StorableValue {
  /// The value, bound in the stored format of its type.
  public var sqlExpression: SQLExpression { .value(self) }
}

extension Optional: SQLExpressible where Wrapped: StorableValue {}
extension Array: SQLExpressible where Element == UInt8 {}
extension Ref: SQLExpressible where T.ObjectIDType: StorableValue {}

extension StoredValue: SQLExpressible {
  /// The value, bound unchanged.
  public var sqlExpression: SQLExpression {
    SQLExpression(bound: "\(self)", isNullable: isNull)
  }
}

extension SQLStatement: SQLExpressible {
  /// The raw SQL as an expression, in parentheses next to any operator.
  public var sqlExpression: SQLExpression { SQLExpression(self) }
}
