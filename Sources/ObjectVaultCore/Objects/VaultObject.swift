public import ObjectVaultEngine

/// Something a store can keep: it can be written into a row and read from one.
///
/// Swift types conform through ``StoredObject``; ``DynamicObject`` is described at run time.
public protocol VaultObject {
  /// The type of the objectID: that of the bound property, `Int64` where the vault generates it.
  associatedtype ObjectIDType: ObjectIDValue

  /// Makes an object from a row whose columns are the class's properties in declaration order,
  /// followed by the generated objectID where the class has one.
  init(row: Row) throws

  /// Binds every property, in declaration order from position 0.
  func encode(into binder: Binder) throws

  /// The objectID, or `nil` while the object has none.
  var storedObjectID: ObjectIDType? { get }

  /// Takes the objectID that the vault generated on insert.
  mutating func assignObjectID(_ id: ObjectIDType)
}

extension VaultObject {
  /// Does nothing: an objectID bound to properties is the object's own.
  public mutating func assignObjectID(_ id: ObjectIDType) {}
}

/// A Swift type whose objects are kept in a table of their own.
///
/// `@Stored` writes this conformance. By hand it is three members: the description, how to read a
/// row, how to write one.
public protocol StoredObject: VaultObject {
  /// The table, its properties, the objectID and the indexes.
  static var classDescription: ClassDescription { get }
}

/// A class without an objectID of its own: the vault generates a number on insert.
public protocol GeneratesObjectID: VaultObject where ObjectIDType == Int64 {
  /// The number the vault generated; `nil` until the object is stored.
  var objectID: Int64? { get set }
}

extension GeneratesObjectID {
  /// The generated number.
  public var storedObjectID: Int64? { objectID }

  /// Takes the generated number.
  public mutating func assignObjectID(_ id: Int64) { objectID = id }
}
