public import ObjectVaultCondition
public import ObjectVaultDriver

/// A type of a stored property: its values are stored in one column and are equal when read again.
///
/// Conform a custom type through ``ConvertibleToStorable``. Enumerations with raw values and
/// `Codable` types need no conformance and are stored as they are.
public protocol StorableValue: SQLExpressible, NonisolatedConformance {
  /// The property type in conditions and in the class description in the file.
  static var propertyType: PropertyType { get }

  /// Whether the values include `nil`.
  static var isOptional: Bool { get }

  /// Returns the value in the column at `position`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains no value of this
  ///   type.
  static func read(from row: Row, at position: Int) throws -> Self

  /// Returns the value in the column at `position`, or `nil` for NULL.
  ///
  /// Implement this method to avoid the separate check for NULL if ``read(from:at:)`` detects it
  /// anyway.
  static func readIfPresent(from row: Row, at position: Int) throws -> Self?

  /// Binds the value to the parameter at `position`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the value can't be stored exactly.
  func bind(to binder: Binder, at position: Int) throws

  /// The value in its stored format.
  ///
  /// - Throws: The errors of ``bind(to:at:)``.
  var storedValue: StoredValue { get throws }
}

extension StorableValue {
  /// Whether the values include `nil`: `false` except for `Optional`.
  public static var isOptional: Bool { false }

  /// Returns the value in the column, or `nil` after a check for NULL.
  @inlinable
  public static func readIfPresent(from row: Row, at position: Int) throws -> Self? {
    row.isNull(at: position) ? nil : try read(from: row, at: position)
  }
}
