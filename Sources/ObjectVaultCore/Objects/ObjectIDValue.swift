public import ObjectVaultCondition
public import ObjectVaultEngine

/// A type that can be an objectID: one storable value, or several for a composite objectID.
public protocol ObjectIDValue: Hashable, Sendable {
  /// The parts as the file keeps them, in the order the class names them.
  var objectIDParts: [StoredValue] { get throws }

  /// Binds the parts at consecutive positions from `position`.
  func bindObjectID(to binder: Binder, at position: Int) throws

  /// Makes the objectID of the row number that the vault generated, or `nil` where the type is not
  /// a number.
  init?(rowID: Int64)

  /// The parts: what references to objects with such an objectID are kept as.
  static var objectIDForm: [ObjectIDPart] { get }

  /// How many parts there are.
  static var objectIDPartCount: Int { get }

  /// Reads the parts from the columns from `position` on.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where they hold no objectID.
  static func readObjectID(from row: Row, at position: Int) throws -> Self
}

/// One part of an objectID.
public struct ObjectIDPart: Sendable, Hashable {
  /// The name of the property; empty where the objectID is one value.
  public var name: String
  /// What it holds.
  public var type: PropertyType

  /// Describes a part.
  public init(_ name: String, _ type: PropertyType) {
    self.name = name
    self.type = type
  }

  /// The parts of a property that is part of a composite objectID.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - type: Its type; one that has several parts itself is a reference.
  public static func parts<ID: ObjectIDValue>(_ name: String, _ type: ID.Type) -> [ObjectIDPart] {
    ID.objectIDForm.map { part in
      ObjectIDPart(part.name.isEmpty ? name : "\(name)_\(part.name)", part.type)
    }
  }
}

extension ObjectIDValue {
  /// `nil`: only numbers are generated.
  public init?(rowID: Int64) { nil }

  /// None: a type with several parts of your own says which, so that others can refer to it.
  public static var objectIDForm: [ObjectIDPart] { [] }

  /// As many as there are in ``objectIDForm``.
  public static var objectIDPartCount: Int { objectIDForm.count }

  /// Fails: a type with several parts of your own says how it is read, so that others can refer to
  /// it.
  public static func readObjectID(from row: Row, at position: Int) throws -> Self {
    throw VaultError(
      .invalidClass,
      "The objectID '\(Self.self)' cannot be read from a row. Give it 'objectIDForm' and "
        + "'readObjectID(from:at:)'.")
  }
}

extension ObjectIDValue where Self: FixedWidthInteger {
  /// The number, or `nil` where the type is too narrow for it.
  public init?(rowID: Int64) { self.init(exactly: rowID) }
}

extension ObjectIDValue where Self: StorableValue {
  /// The one part.
  public static var objectIDForm: [ObjectIDPart] { [ObjectIDPart("", propertyType)] }

  /// 1.
  @inlinable
  public static var objectIDPartCount: Int { 1 }

  /// Reads the one part.
  @inlinable
  public static func readObjectID(from row: Row, at position: Int) throws -> Self {
    try read(from: row, at: position)
  }

  /// The one part.
  public var objectIDParts: [StoredValue] { get throws { [try storedValue] } }

  /// Binds the one part.
  @inlinable
  public func bindObjectID(to binder: Binder, at position: Int) throws {
    try bind(to: binder, at: position)
  }
}
