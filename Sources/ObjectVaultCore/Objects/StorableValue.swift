public import ObjectVaultCondition
public import ObjectVaultEngine

/// A type that a property can have: it is kept in one column and comes back equal.
///
/// Conform a type of your own through ``ConvertibleToStorable``, or, for an enumeration with raw
/// values and for `Codable` types, not at all: those are stored as they are.
public protocol StorableValue: SQLExpressible, NonisolatedConformance {
  /// What conditions and the file's description of the class call the type.
  static var propertyType: PropertyType { get }

  /// Whether `nil` is among the values.
  static var isOptional: Bool { get }

  /// Reads the column at `position`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds something that is
  ///   not a value of this type.
  static func read(from row: Row, at position: Int) throws -> Self

  /// Reads the column at `position`, or gives `nil` where it holds no value.
  ///
  /// A type whose ``read(from:at:)`` notices that anyway can save the question by its own form.
  static func readIfPresent(from row: Row, at position: Int) throws -> Self?

  /// Binds the value to the parameter at `position`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the file could not keep the value
  ///   exactly.
  func bind(to binder: Binder, at position: Int) throws

  /// The value as the file keeps it.
  ///
  /// - Throws: as ``bind(to:at:)``.
  var storedValue: StoredValue { get throws }
}

extension StorableValue {
  /// `false`: only `Optional` has `nil`.
  public static var isOptional: Bool { false }

  /// Asks whether the column holds a value, then reads it.
  @inlinable
  public static func readIfPresent(from row: Row, at position: Int) throws -> Self? {
    row.isNull(at: position) ? nil : try read(from: row, at: position)
  }
}
