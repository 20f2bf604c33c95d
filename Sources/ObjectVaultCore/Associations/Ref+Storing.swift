public import ObjectVaultCondition
public import ObjectVaultEngine

// A reference is stored as the objectID it holds: in one column where that has one part.

extension Ref: StorableValue where T.ObjectIDType: StorableValue {
  /// The type of the objectID.
  public static var propertyType: PropertyType { T.ObjectIDType.propertyType }

  /// Reads the objectID.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Ref {
    Ref(id: try T.ObjectIDType.read(from: row, at: position))
  }

  /// Reads the objectID, or gives `nil` where the column holds none.
  @inlinable
  public static func readIfPresent(from row: Row, at position: Int) throws -> Ref? {
    try T.ObjectIDType.readIfPresent(from: row, at: position).map { Ref(id: $0) }
  }

  /// Binds the objectID.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    try id.bind(to: binder, at: position)
  }

  /// The objectID as the file keeps it.
  public var storedValue: StoredValue { get throws { try id.storedValue } }
}

/// A reference can be the objectID, or a part of it: that of a class which joins two others.
extension Ref: ObjectIDValue {
  /// The parts of the objectID it holds.
  public var objectIDParts: [StoredValue] { get throws { try id.objectIDParts } }

  /// Binds the parts of the objectID it holds.
  @inlinable
  public func bindObjectID(to binder: Binder, at position: Int) throws {
    try id.bindObjectID(to: binder, at: position)
  }

  /// The parts of the objectID it holds.
  public static var objectIDForm: [ObjectIDPart] { T.ObjectIDType.objectIDForm }

  /// How many parts the objectID has that it holds.
  @inlinable
  public static var objectIDPartCount: Int { T.ObjectIDType.objectIDPartCount }

  /// Reads the objectID.
  @inlinable
  public static func readObjectID(from row: Row, at position: Int) throws -> Ref {
    Ref(id: try T.ObjectIDType.readObjectID(from: row, at: position))
  }
}
