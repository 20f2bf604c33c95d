public import ObjectVaultCondition

/// A description of a class: its table, properties, object ID, indexes and associations.
public struct ClassDescription: Sendable, Hashable {
  /// The origin of the object IDs of a class.
  public enum ObjectIDKind: Sendable, Hashable {
    /// A column `objectID` with a generated integer; generated IDs are never reused.
    case generated
    /// The properties at these positions; several properties form a composite object ID.
    case properties([Int])
  }

  /// The name of the class; for a Swift type, the last component of its name.
  public var name: String
  /// The name of the table.
  public var table: String
  /// The stored properties in declaration order.
  public var properties: [PropertyDescription]
  /// The origin of the object IDs.
  public var objectID: ObjectIDKind
  /// The indexes.
  public var indexes: [IndexDescription]
  /// The references to other objects, in declaration order.
  public var references: [ReferenceDescription]
  /// The properties with owned objects of other classes.
  public var owned: [OwnedDescription]
  /// The version of the class, from 1; a file with a greater version is read-only for the class.
  public var version: Int
  /// The former names of the table, latest first.
  public var renamedFrom: [String]
  /// The properties with a full-text index, or `nil` if there are none.
  public var search: SearchDescription?
  /// The options of the table.
  public var options: TableOptions

  /// Creates a description of a class.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - table: The name of its table. Default: the name of the class.
  ///   - properties: The stored properties in declaration order.
  ///   - objectID: The names of the properties that form the object ID. Default: none, which makes
  ///     the vault generate integer IDs.
  ///   - indexes: The indexes. Properties declared `indexed` or `unique` and references already
  ///     have an index.
  ///   - references: The references to other objects.
  ///   - owned: The properties with owned objects of other classes.
  ///   - version: The version of the class, from 1.
  ///   - renamedFrom: The former names of the table.
  ///   - search: The properties with a full-text index.
  ///   - options: The options of the table.
  public init(
    _ name: String, table: String? = nil, properties: [PropertyDescription],
    objectID: [String] = [], indexes: [IndexDescription] = [],
    references: [ReferenceDescription] = [], owned: [OwnedDescription] = [],
    version: Int = 1, renamedFrom: [String] = [], search: SearchDescription? = nil,
    options: TableOptions = TableOptions()
  ) {
    self.name = name
    self.table = table ?? name
    self.properties = properties
    self.objectID =
      objectID.isEmpty
      ? .generated
      // The name of a missing property is reported on first use of the class.
      : .properties(objectID.map { id in properties.firstIndex { $0.name == id } ?? -1 })
    self.indexes = indexes
    self.references = references
    self.owned = owned
    self.version = version
    self.renamedFrom = renamedFrom
    self.search = search
    self.options = options
  }

  /// The name of the column for generated object IDs.
  public static let generatedIDColumn = "objectID"
}

/// A stored property of a class.
public struct PropertyDescription: Sendable, Hashable {
  /// The name in Swift and in conditions.
  public var name: String
  /// The name of the column.
  public var column: String
  /// The property type.
  public var type: PropertyType
  /// Whether the property is optional.
  public var isOptional: Bool
  /// The value for objects that were stored before the property existed, or `nil` for none.
  public var defaultValue: StoredValue?
  /// The former names of the column, latest first.
  public var renamedFrom: [String]
  /// The column definition beyond the type; see ``columnDefined(type:length:constraints:)``.
  public var definition = ColumnDefinition()
  /// Whether the vault stores identical contents once, for all objects; see ``shared()``.
  public var isShared = false
  /// The use of sealed values; `nil` if the values are not sealed. See ``sealed(_:)``.
  public var sealing: Sealing?
  /// The type of the property in Swift, if known.
  package var valueType = ValueType()
  /// The converter from the Swift type to ``type``, or `nil` if none is needed.
  package var converter: ValueConverter?
  /// An error in the description itself, which is reported on first use of the class.
  package var defect: String?

  /// Creates a description of a property.
  ///
  /// - Parameters:
  ///   - name: The name in Swift and in conditions.
  ///   - column: The name of the column. Default: the name of the property.
  ///   - type: The property type.
  ///   - isOptional: Whether the property is optional.
  ///   - defaultValue: The value for objects that were stored before the property existed.
  ///   - renamedFrom: The former names of the column.
  public init(
    _ name: String, column: String? = nil, type: PropertyType, isOptional: Bool = false,
    defaultValue: StoredValue? = nil, renamedFrom: [String] = []
  ) {
    self.name = name
    self.column = column ?? name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.renamedFrom = renamedFrom
  }
}

/// An index of a class.
public struct IndexDescription: Sendable, Hashable {
  /// The names of the properties, in order.
  public var properties: [String]
  /// Whether the combination of values must be unique.
  public var isUnique: Bool

  /// Creates an index of one or more properties, with their names in Swift.
  public init(_ properties: [String], unique: Bool = false) {
    self.properties = properties
    self.isUnique = unique
  }
}
