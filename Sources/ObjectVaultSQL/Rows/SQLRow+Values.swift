import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultStores

// The overloads have one name, as for binding; the type selects one.
extension SQLRow {
  /// Returns the value of a named column as a storable type.
  ///
  /// - Throws: ``VaultError``: `.notLoaded` if there is no such column; `.invalidValue` if the
  ///   value is not valid for the type: text for a number, a fraction for an integer, NULL for a
  ///   type that is not optional.
  public func value<T: StorableValue>(_ column: String, as type: T.Type = T.self) throws -> T {
    try read(type, at: position(of: column))
  }

  /// Returns the value of the column at a position, counted from 0.
  ///
  /// - Throws: The errors of `value(_:as:)`; `.invalidArgument` for a position out of range.
  public func value<T: StorableValue>(at position: Int, as type: T.Type = T.self) throws -> T {
    try check(position)
    return try read(type, at: position)
  }

  /// Returns the value of a named column as a type that is stored as its raw value.
  ///
  /// - Throws: The errors of `value(_:as:)`.
  public func value<T: RawRepresentable>(_ column: String, as type: T.Type = T.self) throws -> T
  where T.RawValue: StorableValue {
    try read(raw: type, at: position(of: column))
  }

  /// Returns the value of a named column as a type that is stored as its raw value, or `nil` for
  /// NULL.
  ///
  /// - Throws: The errors of `value(_:as:)`.
  public func value<T: RawRepresentable>(_ column: String, as type: T?.Type = T?.self) throws -> T?
  where T.RawValue: StorableValue {
    let position = try position(of: column)
    return values[position].isNull ? nil : try read(raw: T.self, at: position)
  }

  /// Returns the value of a named column as a storable type that also has raw values.
  ///
  /// - Throws: The errors of `value(_:as:)`.
  public func value<T: StorableValue & RawRepresentable>(
    _ column: String, as type: T.Type = T.self
  ) throws -> T where T.RawValue: StorableValue {
    try read(type, at: position(of: column))
  }

  /// Returns the value of a named column as a type that is stored as canonical JSON.
  ///
  /// - Throws: The errors of `value(_:as:)`.
  @_disfavoredOverload
  public func value<T: Codable>(_ column: String, as type: T.Type = T.self) throws -> T {
    try read(json: type, at: position(of: column))
  }

  // MARK: Reading

  func read<T: StorableValue>(_ type: T.Type, at position: Int) throws -> T {
    try values[position].read(type, column: columns.names[position])
  }

  func read<T: RawRepresentable>(raw type: T.Type, at position: Int) throws -> T
  where T.RawValue: StorableValue {
    try value(type, read(T.RawValue.self, at: position), at: position)
  }

  func value<T: RawRepresentable>(
    _ type: T.Type, _ raw: T.RawValue, at position: Int
  ) throws -> T {
    guard let value = T(rawValue: raw) else {
      throw VaultError(
        .invalidValue,
        "Column '\(columns.names[position])' contains a value that \(type) does not have. Correct "
          + "the row, or read it as \(T.RawValue.self).")
    }
    return value
  }

  func read<T: Decodable>(json type: T.Type, at position: Int) throws -> T {
    try values[position].read(json: type, column: columns.names[position])
  }
}
