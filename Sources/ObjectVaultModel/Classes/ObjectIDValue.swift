public import ObjectVaultCondition
public import ObjectVaultDriver

/// A type that can be an object ID: one storable value, or several for a composite object ID.
public protocol ObjectIDValue: Hashable, Sendable {
  /// The parts in their stored format, in the order of the class.
  var objectIDParts: [StoredValue] { get throws }

  /// Binds the parts at consecutive positions from `position`.
  func bindObjectID(to binder: Binder, at position: Int) throws

  /// Creates an object ID from a generated integer, or returns `nil` if the type is not an integer.
  init?(rowID: Int64)

  /// The names and types of the parts, for the columns of references to such objects.
  static var objectIDForm: [ObjectIDPart] { get }

  /// The number of parts.
  static var objectIDPartCount: Int { get }

  /// Returns the object ID in the columns from `position`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the columns contain no object ID.
  static func readObjectID(from row: Row, at position: Int) throws -> Self
}

/// A part of an object ID.
public struct ObjectIDPart: Sendable, Hashable {
  /// The name of the property, or an empty string if the object ID is a single value.
  public var name: String
  /// The property type.
  public var type: PropertyType

  /// Creates a part.
  public init(_ name: String, _ type: PropertyType) {
    self.name = name
    self.type = type
  }

  /// Returns the parts of a property in a composite object ID.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - type: The type of the property. A type with several parts is a reference.
  /// - Returns: One part, or all parts of the referenced object ID.
  public static func parts<ID: ObjectIDValue>(_ name: String, _ type: ID.Type) -> [ObjectIDPart] {
    ID.objectIDForm.map { part in
      ObjectIDPart(part.name.isEmpty ? name : "\(name)_\(part.name)", part.type)
    }
  }
}

extension ObjectIDValue {
  /// Returns `nil`, because only integers are generated.
  public init?(rowID: Int64) { nil }

  /// An empty form; define it for custom types with several parts, so that references can use them.
  public static var objectIDForm: [ObjectIDPart] { [] }

  /// The number of parts in ``objectIDForm``.
  public static var objectIDPartCount: Int { objectIDForm.count }

  /// Throws an error; define it for custom types with several parts, so that references can use
  /// them.
  public static func readObjectID(from row: Row, at position: Int) throws -> Self {
    throw VaultError(
      .invalidClass,
      "The object ID '\(Self.self)' cannot be read from a row. Implement 'objectIDForm' and "
        + "'readObjectID(from:at:)'.")
  }
}

extension ObjectIDValue where Self: FixedWidthInteger {
  /// Creates an object ID from the integer, or returns `nil` if it exceeds the type's range.
  public init?(rowID: Int64) { self.init(exactly: rowID) }
}

extension ObjectIDValue where Self: StorableValue {
  /// The single part.
  public static var objectIDForm: [ObjectIDPart] { [ObjectIDPart("", propertyType)] }

  /// The number of parts, 1.
  @inlinable
  public static var objectIDPartCount: Int { 1 }

  /// Returns the object ID in a column.
  @inlinable
  public static func readObjectID(from row: Row, at position: Int) throws -> Self {
    try read(from: row, at: position)
  }

  /// The single part in its stored format.
  public var objectIDParts: [StoredValue] { get throws { [try storedValue] } }

  /// Binds the single part.
  @inlinable
  public func bindObjectID(to binder: Binder, at position: Int) throws {
    try bind(to: binder, at: position)
  }
}
