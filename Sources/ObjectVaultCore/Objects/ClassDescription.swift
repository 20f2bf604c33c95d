public import ObjectVaultCondition

/// What a vault knows of a class: its table, properties, objectID, indexes and associations.
public struct ClassDescription: Sendable, Hashable {
  /// How objects of a class get their objectID.
  public enum ObjectIDKind: Sendable, Hashable {
    /// A column `objectID`, a number the vault generates and never gives twice.
    case generated
    /// The properties at these positions; several make a composite objectID.
    case properties([Int])
  }

  /// The name of the class; for a Swift type, the last component of its name.
  public var name: String
  /// The name of the table.
  public var table: String
  /// The stored properties in declaration order.
  public var properties: [PropertyDescription]
  /// How objects get their objectID.
  public var objectID: ObjectIDKind
  /// The indexes.
  public var indexes: [IndexDescription]
  /// The references to other objects, in declaration order.
  public var references: [ReferenceDescription]
  /// The objects of other classes that belong to an object of this one.
  public var owned: [OwnedDescription]
  /// The version of the class, from 1; a file in which it is greater is not written to.
  public var version: Int
  /// The tables it was kept in before, latest first.
  public var renamedFrom: [String]
  /// Which properties are searched for words; `nil` where none is.
  public var search: SearchDescription?
  /// What it says of its table as a whole.
  public var options: TableOptions

  /// Describes a class.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - table: The name of its table; the class's name by default.
  ///   - properties: The stored properties in declaration order.
  ///   - objectID: The names of the properties that make the objectID; none by default, which
  ///     has the vault generate a number.
  ///   - indexes: The indexes. Properties that say `indexed` or `unique` need none here, nor do
  ///     references, each of which has one.
  ///   - references: The references to other objects.
  ///   - owned: The objects of other classes that belong to an object of this one.
  ///   - version: The version of the class, from 1.
  ///   - renamedFrom: The tables it was kept in before.
  ///   - search: Which properties are searched for words.
  ///   - options: What it says of its table as a whole.
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
      // A name that no property has is reported when the class is first used.
      : .properties(objectID.map { id in properties.firstIndex { $0.name == id } ?? -1 })
    self.indexes = indexes
    self.references = references
    self.owned = owned
    self.version = version
    self.renamedFrom = renamedFrom
    self.search = search
    self.options = options
  }

  /// The name of the column of a generated objectID.
  public static let generatedIDColumn = "objectID"
}

/// One stored property of a class.
public struct PropertyDescription: Sendable, Hashable {
  /// The name in Swift and in conditions.
  public var name: String
  /// The name of the column.
  public var column: String
  /// What it holds.
  public var type: PropertyType
  /// Whether it may be `nil`.
  public var isOptional: Bool
  /// The value of objects written before the property existed; `nil` for none.
  public var defaultValue: StoredValue?
  /// The columns it was kept in before, latest first.
  public var renamedFrom: [String]
  /// What it says of its column beside what its type does; see ``columnDefined(type:length:constraints:)``.
  public var definition = ColumnDefinition()
  /// Whether the vault keeps each content once, however many objects have it; see ``shared()``.
  public var isShared = false
  /// What makes its values those of ``type``; `nil` where its type in Swift does.
  package var converter: ValueConverter?
  /// What is wrong with the description itself, reported when its class is first used.
  package var defect: String?

  /// Describes a property.
  ///
  /// - Parameters:
  ///   - name: The name in Swift and in conditions.
  ///   - column: The name of the column; the property's name by default.
  ///   - type: What it holds.
  ///   - isOptional: Whether it may be `nil`.
  ///   - defaultValue: The value of objects written before the property existed.
  ///   - renamedFrom: The columns it was kept in before.
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

/// One index of a class.
public struct IndexDescription: Sendable, Hashable {
  /// The names of the properties, in order.
  public var properties: [String]
  /// Whether no two objects may agree in all of them.
  public var isUnique: Bool

  /// Describes an index over one or more properties, named as in Swift.
  public init(_ properties: [String], unique: Bool = false) {
    self.properties = properties
    self.isUnique = unique
  }
}
