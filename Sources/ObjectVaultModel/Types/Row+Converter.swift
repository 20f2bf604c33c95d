public import ObjectVaultDriver

// As for storable types, the overloads are selected at compile time.

extension Row {
  /// Returns a property with a converter.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the converter can't read the column's
  ///   value.
  @inlinable
  public func value<C: PropertyConverter>(
    at position: Int, through converter: C.Type
  ) throws -> C.Value {
    try Converted<C>.read(from: self, at: position).value
  }

  /// Returns an optional property with a converter.
  ///
  /// - Throws: The errors of the overload for other properties.
  @inlinable
  public func value<C: PropertyConverter>(
    at position: Int, through converter: C.Type
  ) throws -> C.Value? {
    try Converted<C>.readIfPresent(from: self, at: position)?.value
  }

  /// Unavailable, because the converter has another value type than the property.
  @available(
    *, unavailable,
    message:
      "the converter's 'Value' is not the type of the property; use a converter for that type"
  )
  @_disfavoredOverload
  public func value<T, C: PropertyConverter>(
    at position: Int, through converter: C.Type, as type: T.Type = T.self
  ) throws -> T {
    throw VaultError.unreadable(through: C.self, at: position)
  }
}

extension Binder {
  /// Binds a property with a converter.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the converter rejects the value, or if
  ///   its result can't be stored.
  @inlinable
  public func bind<C: PropertyConverter>(
    _ value: C.Value, at position: Int, through converter: C.Type
  ) throws {
    if isUnwanted(position) { return }
    try Converted<C>(value).bind(to: self, at: position)
  }

  /// Binds an optional property with a converter, or NULL for `nil`.
  ///
  /// - Throws: The errors of the overload for other properties.
  @inlinable
  public func bind<C: PropertyConverter>(
    _ value: C.Value?, at position: Int, through converter: C.Type
  ) throws {
    if isUnwanted(position) { return }
    try value.map { Converted<C>($0) }.bind(to: self, at: position)
  }

  /// Unavailable, because the converter has another value type than the property.
  @available(
    *, unavailable,
    message:
      "the converter's 'Value' is not the type of the property; use a converter for that type"
  )
  @_disfavoredOverload
  public func bind<T, C: PropertyConverter>(
    _ value: T, at position: Int, through converter: C.Type
  ) throws {}
}
