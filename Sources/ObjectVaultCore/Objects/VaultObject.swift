public import ObjectVaultEngine

/// Something a store can keep: it can be written into a row and read from one.
///
/// Swift types conform through ``StoredObject``; ``DynamicObject`` is described at run time.
///
/// Rows are read on any thread: the conformance belongs to no actor. See ``NonisolatedConformance``.
public protocol VaultObject: NonisolatedConformance {
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

  /// Removes the objectID that the vault generated, because the insert was undone.
  ///
  /// Called for instances of classes. Default: does nothing.
  mutating func removeObjectID()
}

extension VaultObject {
  /// Does nothing: an objectID bound to properties is the object's own.
  public mutating func assignObjectID(_ id: ObjectIDType) {}

  /// Does nothing: an objectID bound to properties is the object's own.
  public mutating func removeObjectID() {}
}

/// A Swift type whose objects are kept in a table of their own.
///
/// `@Stored` writes this conformance. By hand it is three members: the description, how to read a
/// row, how to write one; and, where it refers to other classes, which they are.
public protocol StoredObject: VaultObject {
  /// The members that typed conditions name; ``NoProperties`` for a class that gives none.
  associatedtype Properties: ObjectProperties = NoProperties

  /// The table, its properties, the objectID, the indexes and the associations.
  ///
  /// It is made without those of other classes, which may refer to this one: by hand, a reference
  /// names the table and the columns of its target.
  static var classDescription: ClassDescription { get }

  /// What references to objects of the class name: its table and the columns of its objectID.
  static var referenceTarget: ReferenceTarget { get }

  /// The classes that this one refers to or owns objects of. Their tables are made with its own.
  static var referencedClasses: [any StoredObject.Type] { get }

  /// The names in conditions of the properties that key paths lead to, which `#Predicate` is made of.
  static var propertyNames: [AnyKeyPath: String] { get }

  /// The objects that belong to objects of the class, in the order of `owned` in its description.
  static var ownedProperties: [OwnedProperty<Self>] { get }

  /// The version of the class, from 1: raise it to have ``migrate(_:from:to:)`` called.
  ///
  /// A file in which the class has a greater version is read, but not written to. Changes of
  /// properties need no other version. Default: that of the description, which is 1 unless it says
  /// otherwise.
  static var version: Int { get }

  /// How values become those of a changed type where that is not evident. Default: none.
  static var conversions: [PropertyConversion] { get }

  /// Changes what is stored for a new version of the class; does nothing by default.
  ///
  /// It is called once, in the transaction that made the class's table or brought it to the class's
  /// form. What it throws undoes that transaction, and the store is not made. Foreign keys may be off
  /// meanwhile: at the end none may lead nowhere.
  ///
  /// - Parameters:
  ///   - context: The vault, and a way to the columns that no property has any more.
  ///   - old: The version that the file was written with; 0 where the class is new in it.
  ///   - new: ``version``.
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws
}

extension StoredObject {
  /// As the description has it.
  public static var referenceTarget: ReferenceTarget { ReferenceTarget(classDescription) }

  /// None.
  public static var referencedClasses: [any StoredObject.Type] { [] }

  /// None.
  public static var propertyNames: [AnyKeyPath: String] { [:] }

  /// None.
  public static var ownedProperties: [OwnedProperty<Self>] { [] }

  /// That of the description.
  public static var version: Int { classDescription.version }

  /// None.
  public static var conversions: [PropertyConversion] { [] }

  /// Does nothing.
  public static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {}
}

/// What a reference names of the class that it refers to.
public struct ReferenceTarget: Sendable, Hashable {
  /// The table.
  public var table: String
  /// The columns of the objectID.
  public var columns: [String]

  /// Names a table and the columns of its objectID; that of generated ones by default.
  public init(
    table: String, columns: [String] = [ClassDescription.generatedIDColumn]
  ) {
    self.table = table
    self.columns = columns
  }

  /// The columns of a property of the objectID.
  ///
  /// - Parameters:
  ///   - column: The name of its column, or what their names begin with.
  ///   - type: Its type; one that takes several columns is a reference.
  public static func columns<ID: ObjectIDValue>(_ column: String, _ type: ID.Type) -> [String] {
    ObjectIDPart.parts(column, type).map(\.name)
  }

  /// As a description has it.
  init(_ description: ClassDescription) {
    let columns = description.rowColumns
    self.init(
      table: description.table,
      columns: description.objectIDPositions.compactMap {
        columns.indices.contains($0) ? columns[$0] : nil
      })
  }
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

  /// Removes the generated number.
  public mutating func removeObjectID() { objectID = nil }
}
