public import ObjectVaultDriver

/// A type that a store can write to a row and read from a row.
///
/// Swift types conform through ``StoredObject``; ``DynamicObject`` is described at run time.
///
/// Rows are read on any thread, so the conformance must not be isolated to an actor. See
/// ``NonisolatedConformance``.
public protocol VaultObject: NonisolatedConformance {
  /// The type of the object ID: the type of the ID property, or `Int64` for generated IDs.
  associatedtype ObjectIDType: ObjectIDValue

  /// Creates an object from a row.
  ///
  /// The columns are the class's properties in declaration order, followed by the generated object
  /// ID if the class has one.
  init(row: Row) throws

  /// Binds all properties, in declaration order from position 0.
  func encode(into binder: Binder) throws

  /// The object ID, or `nil` if the object has none yet.
  var storedObjectID: ObjectIDType? { get }

  /// Assigns the object ID that the vault generated on insert.
  mutating func assignObjectID(_ id: ObjectIDType)

  /// Removes the generated object ID after the insert was rolled back.
  ///
  /// The vault calls this method for instances of classes. Default: does nothing.
  mutating func removeObjectID()
}

extension VaultObject {
  /// Does nothing, because an object ID in properties belongs to the object.
  public mutating func assignObjectID(_ id: ObjectIDType) {}

  /// Does nothing, because an object ID in properties belongs to the object.
  public mutating func removeObjectID() {}
}

/// A Swift type with objects in their own table.
///
/// `@Stored` generates this conformance. Without the macro, implement the description, reading a
/// row and writing a row, and list the classes that the class refers to.
public protocol StoredObject: VaultObject {
  /// The type-checked members for conditions; ``NoProperties`` for a class that provides none.
  associatedtype Properties: ObjectProperties = NoProperties

  /// The description of the table, properties, object ID, indexes and associations.
  ///
  /// It must not require the descriptions of other classes, which may refer to this one. In a
  /// handwritten description, a reference names the table and the columns of its target.
  static var classDescription: ClassDescription { get }

  /// The table and the object ID columns, for references to objects of the class.
  static var referenceTarget: ReferenceTarget { get }

  /// The classes that this one refers to or owns objects of; their tables are created with its own.
  static var referencedClasses: [any StoredObject.Type] { get }

  /// The names of properties in conditions by key path, required for `#Predicate`.
  static var propertyNames: [AnyKeyPath: String] { get }

  /// The properties with owned objects, in the order of `owned` in the description.
  static var ownedProperties: [OwnedProperty<Self>] { get }

  /// The version of the class, from 1; increase it to run ``migrate(_:from:to:)``.
  ///
  /// A file with a greater version of the class is read-only for it. Changes of properties do not
  /// require a new version. Default: the version in the description, which is 1 unless specified.
  static var version: Int { get }

  /// The conversions for changed property types that have no default conversion. Default: none.
  static var conversions: [PropertyConversion] { get }

  /// Migrates stored objects to a new version of the class.
  ///
  /// The default implementation does nothing. The vault calls this method once, in the transaction
  /// that creates or upgrades the class's table. If it throws, the transaction is rolled back and
  /// the store is not created. Foreign keys may be disabled during the migration; at its end, no
  /// reference may be dangling.
  ///
  /// - Parameters:
  ///   - context: The vault, and access to columns that no longer belong to a property.
  ///   - old: The version that the file was written with, or 0 if the class is new in it.
  ///   - new: The new version, ``version``.
  /// - Throws: Any error, which rolls back the migration.
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws
}

extension StoredObject {
  /// The target according to the class description.
  public static var referenceTarget: ReferenceTarget { ReferenceTarget(classDescription) }

  /// An empty list.
  public static var referencedClasses: [any StoredObject.Type] { [] }

  /// An empty dictionary.
  public static var propertyNames: [AnyKeyPath: String] { [:] }

  /// An empty list.
  public static var ownedProperties: [OwnedProperty<Self>] { [] }

  /// The version in the class description.
  public static var version: Int { classDescription.version }

  /// An empty list.
  public static var conversions: [PropertyConversion] { [] }

  /// Does nothing.
  public static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {}
}

/// The table and the columns that a reference to a class uses.
public struct ReferenceTarget: Sendable, Hashable {
  /// The name of the table.
  public var table: String
  /// The columns of the object ID.
  public var columns: [String]

  /// Creates a target with a table and its object ID columns; the column of generated IDs by
  /// default.
  public init(
    table: String, columns: [String] = [ClassDescription.generatedIDColumn]
  ) {
    self.table = table
    self.columns = columns
  }

  /// Returns the columns of a property in the object ID.
  ///
  /// - Parameters:
  ///   - column: The name of the column, or the prefix of the columns' names.
  ///   - type: The type of the property. A type with several columns is a reference.
  /// - Returns: The names of the columns.
  public static func columns<ID: ObjectIDValue>(_ column: String, _ type: ID.Type) -> [String] {
    ObjectIDPart.parts(column, type).map(\.name)
  }

  /// Creates the target of a described class.
  init(_ description: ClassDescription) {
    let columns = description.rowColumns
    self.init(
      table: description.table,
      columns: description.objectIDPositions.compactMap {
        columns.indices.contains($0) ? columns[$0] : nil
      })
  }
}

/// A class without its own object ID: the vault generates an integer ID on insert.
public protocol GeneratesObjectID: VaultObject where ObjectIDType == Int64 {
  /// The generated ID, or `nil` until the object is stored.
  var objectID: Int64? { get set }
}

extension GeneratesObjectID {
  /// The generated ID.
  public var storedObjectID: Int64? { objectID }

  /// Assigns the generated ID.
  public mutating func assignObjectID(_ id: Int64) { objectID = id }

  /// Removes the generated ID.
  public mutating func removeObjectID() { objectID = nil }
}
