import ObjectVaultCondition
public import ObjectVaultDriver

// Selected only if no other overload matches, so that the compiler reports a solution for the
// property or class instead of a list of candidates.

extension PropertyDescription {
  /// Unavailable, because the type of the property can't be stored.
  @available(
    *, unavailable,
    message:
      "a property of this type cannot be stored; conform the type to 'Codable' or 'ConvertibleToStorable', or mark the property '@Ignored'"
  )
  @_disfavoredOverload
  public init<T>(
    _ name: String, _ type: T.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) { self.init(name, type: .json) }
}

extension Row {
  /// Unavailable, because the type of the property can't be stored.
  @available(
    *, unavailable,
    message:
      "a property of this type cannot be stored; conform the type to 'Codable' or 'ConvertibleToStorable', or mark the property '@Ignored'"
  )
  @_disfavoredOverload
  public func value<T>(at position: Int, as type: T.Type = T.self) throws -> T {
    throw VaultError(.invalidValue, "A value of type \(T.self) cannot be stored.")
  }
}

extension Binder {
  /// Unavailable, because the type of the property can't be stored.
  @available(
    *, unavailable,
    message:
      "a property of this type cannot be stored; conform the type to 'Codable' or 'ConvertibleToStorable', or mark the property '@Ignored'"
  )
  @_disfavoredOverload
  public func bind<T>(_ value: T, at position: Int) throws {
    throw VaultError(.invalidValue, "A value of type \(T.self) cannot be stored.")
  }
}
