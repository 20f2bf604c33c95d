// Unavailable overloads that explain why an expression is not a valid condition.

public import ObjectVaultModel

extension ObjectStore where T: StoredObject {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message:
      "a value is not a condition; compare it, as in '$0.age > 3' (a Bool needs no comparison)"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) throws -> Query<T> { query }
}

extension Query where T: StoredObject {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message:
      "a value is not a condition; compare it, as in '$0.age > 3' (a Bool needs no comparison)"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) throws -> Query { self }
}
