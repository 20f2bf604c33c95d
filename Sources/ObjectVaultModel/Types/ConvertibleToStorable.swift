public import ObjectVaultCondition
public import ObjectVaultDriver

/// A custom type that is stored as another, storable type.
///
/// ```swift
/// struct Celsius: ConvertibleToStorable {
///   var degrees: Double
///   init(stored degrees: Double) { self.degrees = degrees }
///   var stored: Double { degrees }
/// }
/// ```
public protocol ConvertibleToStorable: StorableValue {
  /// The stored type.
  associatedtype Stored: StorableValue

  /// Creates a value from its stored form.
  init(stored: Stored) throws

  /// The stored form of the value, which must be equal for equal values.
  var stored: Stored { get throws }
}

extension ConvertibleToStorable {
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
