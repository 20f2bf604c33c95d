public import ObjectVaultCondition
public import ObjectVaultDriver

/// An object of a class that is known only at run time, with access to values by property name.
///
/// It works with the same stores, conditions and statements as Swift types.
///
/// ```swift
/// let countries = try vault.store(named: "Country")
/// var country = try DynamicObject(of: countries.classDescription)
/// try country.set("name", to: .text("Iceland"))
/// try countries.insert(country)
/// ```
public struct DynamicObject: VaultObject, Sendable {
  private let layout: DynamicLayout
  private var values: [StoredValue]
  /// The positions of the properties that were not fetched.
  private var missing: Set<Int> = []
  /// The generated ID, or `nil` before the insert and for a class with its own object ID.
  public private(set) var generatedID: Int64?

  /// Creates an object with the default values of its properties, or without values.
  ///
  /// - Throws: ``VaultError`` `.invalidClass` if the description is invalid.
  public init(of description: ClassDescription) throws {
    layout = try DynamicLayout.checked(description)
    values = layout.defaultValues
  }

  /// Creates an object from a row of a store of dynamic objects.
  public init(row: Row) throws {
    guard let layout = row.layout as? DynamicLayout else {
      throw VaultError(
        .internalError,
        "A row without a class description cannot be read as a dynamic object. Read it through a "
          + "store.")
    }
    self.layout = layout
    let count = layout.description.properties.count
    values = (0..<count).map(row.storedValue(at:))
    restoreReals()
    if layout.description.objectID == .generated, !row.isNull(at: count) {
      generatedID = row.integer(at: count)
    }
  }

  /// Creates an object from a row with the columns at some positions, including the object ID.
  package init(row: Row, having positions: [Int], of layout: DynamicLayout) {
    self.layout = layout
    let count = layout.description.properties.count
    values = Array(repeating: .null, count: count)
    missing = Set(0..<count).subtracting(positions)
    for (column, position) in positions.enumerated() {
      if position == count {
        generatedID = row.integer(at: column)
      } else {
        values[position] = row.storedValue(at: column)
      }
    }
    restoreReals()
  }

  /// Converts integers back to doubles in columns that store integral doubles as integers.
  private mutating func restoreReals() {
    for position in layout.wholeReals {
      if case .integer(let number) = values[position], let real = Double(exactly: number) {
        values[position] = .real(real)
      }
    }
  }

  /// The description of the class.
  public var classDescription: ClassDescription { layout.description }

  /// Returns the value of a property.
  ///
  /// - Throws: ``VaultError``: `.noSuchProperty` if there is no such property; `.notLoaded` if the
  ///   object was fetched without it.
  public func value(of property: String) throws -> StoredValue {
    let position = try layout.position(of: property)
    try checkLoaded(position)
    return values[position]
  }

  /// Returns whether the object has the property's value.
  ///
  /// An object that was fetched with some properties only may not have it.
  ///
  /// - Throws: ``VaultError`` `.noSuchProperty` if there is no such property.
  public func isLoaded(_ property: String) throws -> Bool {
    !missing.contains(try layout.position(of: property))
  }

  private func checkLoaded(_ position: Int) throws(VaultError) {
    guard missing.contains(position) else { return }
    throw VaultError(
      .notLoaded,
      "Property '\(layout.description.properties[position].name)' of class "
        + "'\(layout.description.name)' was not fetched with this object. Fetch it, or set it; "
        + "`update(_:only:)` writes the properties that the object has.")
  }

  /// Sets the value of a property.
  ///
  /// - Throws: ``VaultError``: `.noSuchProperty` if there is no such property; `.invalidValue` if
  ///   the value is not valid for the property's type.
  public mutating func set(_ property: String, to value: StoredValue) throws {
    try set(at: layout.position(of: property), to: value)
  }

  /// Sets the value of the property at a position.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` if the value is not valid for the property's type.
  package mutating func set(at position: Int, to value: StoredValue) throws {
    values[position] =
      layout.types[position].storesUnchanged(value)
      ? value
      : try layout.description.properties[position].checked(
        value, in: layout.description, at: position)
    if !missing.isEmpty { missing.remove(position) }
  }

  /// The values of all properties in declaration order, with `.null` for values that were not
  /// fetched.
  public var allValues: [StoredValue] { values }

  /// Binds all properties in declaration order.
  ///
  /// - Throws: ``VaultError``: `.invalidValue` if a property that is not optional has no value,
  ///   `.notLoaded` if the object was fetched with some properties only.
  public func encode(into binder: Binder) throws {
    for position in values.indices { try encode(position, into: binder) }
  }

  /// Binds the properties at some positions and the properties of the object ID.
  @usableFromInline
  package func encode(_ positions: [Int], into binder: Binder) throws {
    for position in positions + layout.description.objectIDPositions
    where values.indices.contains(position) { try encode(position, into: binder) }
  }

  private func encode(_ position: Int, into binder: Binder) throws {
    let value = values[position]
    if value.isNull {
      try checkLoaded(position)
      let property = layout.description.properties[position]
      if !property.isOptional, !isGenerated(position) {
        throw VaultError(
          .invalidValue,
          "Property '\(property.name)' of class '\(layout.description.name)' has no value and is "
            + "not optional. Set a value.")
      }
    }
    value.bind(to: binder, at: position)
  }

  /// Returns whether the vault generates the property's value on insert: a single integer object
  /// ID.
  private func isGenerated(_ position: Int) -> Bool {
    layout.description.objectIDIsRowID
      && layout.description.objectID == .properties([position])
  }

  /// The object ID, or `nil` if any of its parts has no value.
  public var storedObjectID: DynamicObjectID? {
    switch layout.description.objectID {
    case .generated:
      return generatedID.flatMap(DynamicObjectID.init(rowID:))
    case .properties(let positions):
      let parts = positions.map { values[$0] }
      return parts.contains(where: \.isNull) ? nil : DynamicObjectID(parts)
    }
  }

  /// Assigns the generated object ID.
  public mutating func assignObjectID(_ id: DynamicObjectID) {
    guard case .integer(let number) = id.objectIDParts.first else { return }
    switch layout.description.objectID {
    case .generated: generatedID = number
    case .properties(let positions): values[positions[0]] = .integer(number)
    }
  }
}

extension DynamicObject: Hashable {
  /// Returns whether the class, the object ID and all values are equal.
  public static func == (a: DynamicObject, b: DynamicObject) -> Bool {
    a.values == b.values && a.generatedID == b.generatedID && a.missing == b.missing
      && a.layout.description == b.layout.description
  }

  /// Hashes the generated ID and the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(generatedID)
    hasher.combine(values)
  }
}
