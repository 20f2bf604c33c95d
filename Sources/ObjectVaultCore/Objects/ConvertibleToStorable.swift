public import ObjectVaultCondition
public import ObjectVaultEngine

/// A type of your own that is stored as another, storable one.
///
/// ```swift
/// struct Celsius: ConvertibleToStorable {
///   var degrees: Double
///   init(stored degrees: Double) { self.degrees = degrees }
///   var stored: Double { degrees }
/// }
/// ```
public protocol ConvertibleToStorable: StorableValue {
  /// The type that is stored in its stead.
  associatedtype Stored: StorableValue

  /// Makes the value from what was stored.
  init(stored: Stored) throws

  /// What is stored in the value's stead. Equal values give equal results.
  var stored: Stored { get throws }
}

extension ConvertibleToStorable {
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
