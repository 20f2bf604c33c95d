public import ObjectVaultCondition
public import ObjectVaultEngine

// A property of an enumeration or option set needs none of this: it is stored by its raw value as
// it is. Saying `StorableValue` as well lets the type stand where one is asked for, as an objectID
// or inside `ConvertibleToStorable`.
extension StorableValue where Self: RawRepresentable, RawValue: StorableValue {
  /// The type of the raw value.
  public static var propertyType: PropertyType { RawValue.propertyType }

  /// Whether the raw value may be `nil`.
  public static var isOptional: Bool { RawValue.isOptional }

  /// Reads the raw value.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where no value of the type has it.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Self {
    try row.rawRepresentable(at: position)
  }

  /// Binds the raw value.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    try rawValue.bind(to: binder, at: position)
  }

  /// The raw value as the file keeps it.
  public var storedValue: StoredValue { get throws { try rawValue.storedValue } }
}

// A type of one's own conversion that happens to have raw values: the conversion counts.
extension ConvertibleToStorable where Self: RawRepresentable, RawValue: StorableValue {
  /// The type of what is stored.
  public static var propertyType: PropertyType { Stored.propertyType }

  /// Whether what is stored may be `nil`.
  public static var isOptional: Bool { Stored.isOptional }

  /// Reads what was stored and converts it.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Self {
    try Self(stored: Stored.read(from: row, at: position))
  }

  /// Converts and binds.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    try stored.bind(to: binder, at: position)
  }

  /// The converted value as the file keeps it.
  public var storedValue: StoredValue { get throws { try stored.storedValue } }
}

extension Row {
  @inlinable
  func rawRepresentable<T: RawRepresentable>(
    at position: Int, as type: T.Type = T.self
  ) throws -> T where T.RawValue: StorableValue {
    guard let value = T(rawValue: try T.RawValue.read(from: self, at: position)) else {
      throw VaultError.unreadable("an unknown raw value", at: position, reading: T.self)
    }
    return value
  }
}
