public import ObjectVaultEngine

// As for storable types: which of these serves is settled when the class is compiled.

extension Row {
  /// Reads a property that is stored through a converter.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds nothing that the
  ///   converter reads.
  @inlinable
  public func value<C: PropertyConverter>(
    at position: Int, through converter: C.Type
  ) throws -> C.Value {
    try Converted<C>.read(from: self, at: position).value
  }

  /// Reads an optional property that is stored through a converter.
  ///
  /// - Throws: as for one that is not optional.
  @inlinable
  public func value<C: PropertyConverter>(
    at position: Int, through converter: C.Type
  ) throws -> C.Value? {
    try Converted<C>.readIfPresent(from: self, at: position)?.value
  }

  /// Says what is wrong with a converter of another type's values.
  @available(
    *, unavailable, message: "the 'Value' of the converter is another type than the property's"
  )
  @_disfavoredOverload
  public func value<T, C: PropertyConverter>(
    at position: Int, through converter: C.Type, as type: T.Type = T.self
  ) throws -> T {
    throw VaultError.unreadable(through: C.self, at: position)
  }
}

extension Binder {
  /// Binds a property that is stored through a converter.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the converter refuses the value, or the
  ///   file could not keep what it gives.
  @inlinable
  public func bind<C: PropertyConverter>(
    _ value: C.Value, at position: Int, through converter: C.Type
  ) throws {
    if isUnwanted(position) { return }
    try Converted<C>(value).bind(to: self, at: position)
  }

  /// Binds an optional property that is stored through a converter; no value for `nil`.
  ///
  /// - Throws: as for one that is not optional.
  @inlinable
  public func bind<C: PropertyConverter>(
    _ value: C.Value?, at position: Int, through converter: C.Type
  ) throws {
    if isUnwanted(position) { return }
    try value.map { Converted<C>($0) }.bind(to: self, at: position)
  }

  /// Says what is wrong with a converter of another type's values.
  @available(
    *, unavailable, message: "the 'Value' of the converter is another type than the property's"
  )
  @_disfavoredOverload
  public func bind<T, C: PropertyConverter>(
    _ value: T, at position: Int, through converter: C.Type
  ) throws {}
}
