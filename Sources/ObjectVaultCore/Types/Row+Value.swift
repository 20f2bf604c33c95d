public import ObjectVaultEngine

// One name reads a property of any type; which of these serves it is settled when the class is
// compiled. The last forms, for values kept as canonical JSON, are in Composites.
extension Row {
  /// Reads a property of a storable type.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds no value of the type.
  @inlinable
  public func value<T: StorableValue>(at position: Int, as type: T.Type = T.self) throws -> T {
    try T.read(from: self, at: position)
  }

  /// Reads a property that is kept as its raw value.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where no value of the type has the raw
  ///   value that the column holds.
  @inlinable
  public func value<T: RawRepresentable>(at position: Int, as type: T.Type = T.self) throws -> T
  where T.RawValue: StorableValue {
    try rawRepresentable(at: position)
  }

  /// Reads an optional property that is kept as its raw value.
  @inlinable
  public func value<T: RawRepresentable>(at position: Int, as type: T?.Type = T?.self) throws -> T?
  where T.RawValue: StorableValue {
    isNull(at: position) ? nil : try rawRepresentable(at: position)
  }

  /// Reads a property of a storable type that has raw values too.
  @inlinable
  public func value<T: StorableValue & RawRepresentable>(
    at position: Int, as type: T.Type = T.self
  ) throws -> T where T.RawValue: StorableValue {
    try T.read(from: self, at: position)
  }

  /// Reads an optional property of a storable type that has raw values too.
  @inlinable
  public func value<T: StorableValue & RawRepresentable>(
    at position: Int, as type: T?.Type = T?.self
  ) throws -> T? where T.RawValue: StorableValue {
    try T.readIfPresent(from: self, at: position)
  }
}
