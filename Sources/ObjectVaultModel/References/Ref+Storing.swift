public import ObjectVaultCondition
public import ObjectVaultDriver

// A reference is stored as its object ID, in one column if the object ID has one column.

extension Ref: StorableValue where T.ObjectIDType: StorableValue {
  /// The property type of the object ID.
  public static var propertyType: PropertyType { T.ObjectIDType.propertyType }

  /// Returns a reference with the object ID in a column.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Ref {
    Ref(id: try T.ObjectIDType.read(from: row, at: position))
  }

  /// Returns a reference with the object ID in a column, or `nil` for NULL.
  @inlinable
  public static func readIfPresent(from row: Row, at position: Int) throws -> Ref? {
    try T.ObjectIDType.readIfPresent(from: row, at: position).map { Ref(id: $0) }
  }

  /// Binds the object ID.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    try id.bind(to: binder, at: position)
  }

  /// The object ID in its stored format.
  public var storedValue: StoredValue { get throws { try id.storedValue } }
}

/// A reference can be an object ID or a part of one, as in a class that joins two others.
extension Ref: ObjectIDValue {
  /// The parts of the object ID.
  public var objectIDParts: [StoredValue] { get throws { try id.objectIDParts } }

  /// Binds the parts of the object ID.
  @inlinable
  public func bindObjectID(to binder: Binder, at position: Int) throws {
    try id.bindObjectID(to: binder, at: position)
  }

  /// The form of the object ID.
  public static var objectIDForm: [ObjectIDPart] { T.ObjectIDType.objectIDForm }

  /// The number of parts of the object ID.
  @inlinable
  public static var objectIDPartCount: Int { T.ObjectIDType.objectIDPartCount }

  /// Returns a reference with the object ID in the columns from `position`.
  @inlinable
  public static func readObjectID(from row: Row, at position: Int) throws -> Ref {
    Ref(id: try T.ObjectIDType.readObjectID(from: row, at: position))
  }
}
