public import ObjectVaultCondition
public import ObjectVaultDriver

// A property of an enumeration or option set is stored as its raw value without any conformance.
// The conformance to `StorableValue` is required only for a generic use of the type, such as an
// object ID or the stored type of a `ConvertibleToStorable`.
extension StorableValue where Self: RawRepresentable, RawValue: StorableValue {
  /// The property type of the raw value.
  public static var propertyType: PropertyType { RawValue.propertyType }

  /// Whether the raw value is optional.
  public static var isOptional: Bool { RawValue.isOptional }

  /// Returns the value with the raw value in a column.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the type has no value with this raw
  ///   value.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Self {
    try row.rawRepresentable(at: position)
  }

  /// Binds the raw value.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    try rawValue.bind(to: binder, at: position)
  }

  /// The raw value in its stored format.
  public var storedValue: StoredValue { get throws { try rawValue.storedValue } }
}

// For a type with a custom conversion that also has raw values, the conversion has precedence.
extension ConvertibleToStorable where Self: RawRepresentable, RawValue: StorableValue {
  /// The property type of the stored type.
  public static var propertyType: PropertyType { Stored.propertyType }

  /// Whether the stored type is optional.
  public static var isOptional: Bool { Stored.isOptional }

  /// Returns the converted value of a column.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Self {
    try Self(stored: Stored.read(from: row, at: position))
  }

  /// Converts the value and binds the result.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    try stored.bind(to: binder, at: position)
  }

  /// The converted value in its stored format.
  public var storedValue: StoredValue { get throws { try stored.storedValue } }
}

extension Row {
  @inlinable
  func rawRepresentable<T: RawRepresentable>(at position: Int) throws -> T
  where T.RawValue: StorableValue {
    guard let value = T(rawValue: try T.RawValue.read(from: self, at: position)) else {
      throw VaultError.unreadable("an unknown raw value", at: position, reading: T.self)
    }
    return value
  }
}
