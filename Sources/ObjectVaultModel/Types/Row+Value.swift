public import ObjectVaultDriver

// Properties of all types are read by one name, and the overloads are selected at compile time. The
// overloads for canonical JSON are in Composites.
extension Row {
  /// Returns a property of a storable type.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains no value of the
  ///   type.
  @inlinable
  public func value<T: StorableValue>(at position: Int, as type: T.Type = T.self) throws -> T {
    try T.read(from: self, at: position)
  }

  /// Returns a property that is stored as its raw value.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the type has no value with the stored
  ///   raw value.
  @inlinable
  public func value<T: RawRepresentable>(at position: Int, as type: T.Type = T.self) throws -> T
  where T.RawValue: StorableValue {
    try rawRepresentable(at: position)
  }

  /// Returns an optional property that is stored as its raw value.
  @inlinable
  public func value<T: RawRepresentable>(at position: Int, as type: T?.Type = T?.self) throws -> T?
  where T.RawValue: StorableValue {
    isNull(at: position) ? nil : try rawRepresentable(at: position)
  }

  /// Returns a property of a storable type that also has raw values.
  @inlinable
  public func value<T: StorableValue & RawRepresentable>(
    at position: Int, as type: T.Type = T.self
  ) throws -> T where T.RawValue: StorableValue {
    try T.read(from: self, at: position)
  }

  /// Returns an optional property of a storable type that also has raw values.
  @inlinable
  public func value<T: StorableValue & RawRepresentable>(
    at position: Int, as type: T?.Type = T?.self
  ) throws -> T? where T.RawValue: StorableValue {
    try T.readIfPresent(from: self, at: position)
  }
}
