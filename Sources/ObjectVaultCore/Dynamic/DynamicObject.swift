public import ObjectVaultCondition
public import ObjectVaultEngine

/// An object of a class that is known only at run time: its values by name.
///
/// It goes through the same stores, conditions and statements as Swift types do.
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
  /// The number the vault generated; `nil` until then, and for a class whose objectID is bound.
  public private(set) var generatedID: Int64?

  /// An object whose properties have their default values, or no value.
  ///
  /// - Throws: ``VaultError`` `.invalidClass` where the description contradicts itself.
  public init(of description: ClassDescription) throws {
    try description.validate()
    layout = DynamicLayout(description)
    values = description.properties.map { $0.defaultValue ?? .null }
  }

  /// Makes an object from a row of a store of dynamic objects.
  public init(row: Row) throws {
    guard let layout = row.layout as? DynamicLayout else {
      throw VaultError(
        .internalError, "A row without a description cannot become a dynamic object.")
    }
    self.layout = layout
    let count = layout.description.properties.count
    values = (0..<count).map(row.storedValue(at:))
    if layout.description.objectID == .generated { generatedID = row.integer(at: count) }
  }

  /// The class's description.
  public var classDescription: ClassDescription { layout.description }

  /// The value of a property.
  ///
  /// - Throws: ``VaultError`` `.noSuchProperty`.
  public func value(of property: String) throws -> StoredValue {
    values[try layout.position(of: property)]
  }

  /// Gives a property a value.
  ///
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidValue` where the property's type does
  ///   not have the value.
  public mutating func set(_ property: String, to value: StoredValue) throws {
    let position = try layout.position(of: property)
    values[position] = try layout.description.properties[position].checked(
      value, in: layout.description, at: position)
  }

  /// The values of all properties in declaration order.
  public var allValues: [StoredValue] { values }

  /// Binds every property in declaration order.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` where a property that is not optional has no value.
  public func encode(into binder: Binder) throws {
    for position in values.indices { try encode(position, into: binder) }
  }

  /// Binds the properties at some positions, and those that are the objectID.
  func encode(_ positions: [Int], into binder: Binder) throws {
    for position in positions + layout.description.objectIDPositions
    where values.indices.contains(position) { try encode(position, into: binder) }
  }

  private func encode(_ position: Int, into binder: Binder) throws {
    let value = values[position]
    if value.isNull {
      let property = layout.description.properties[position]
      if !property.isOptional, !isGenerated(position) {
        throw VaultError(
          .invalidValue,
          "Property '\(property.name)' of class '\(layout.description.name)' has no value, and is "
            + "not optional. Give it one.")
      }
    }
    value.bind(to: binder, at: position)
  }

  /// Whether the vault gives the property its value on insert: a single integer objectID.
  private func isGenerated(_ position: Int) -> Bool {
    layout.description.objectIDIsRowID
      && layout.description.objectID == .properties([position])
  }

  /// The objectID, or `nil` while a part of it has no value.
  public var storedObjectID: DynamicObjectID? {
    switch layout.description.objectID {
    case .generated:
      return generatedID.flatMap(DynamicObjectID.init(rowID:))
    case .properties(let positions):
      let parts = positions.map { values[$0] }
      return parts.contains(where: \.isNull) ? nil : DynamicObjectID(parts)
    }
  }

  /// Takes the objectID that the vault generated.
  public mutating func assignObjectID(_ id: DynamicObjectID) {
    guard case .integer(let number) = id.objectIDParts.first else { return }
    switch layout.description.objectID {
    case .generated: generatedID = number
    case .properties(let positions): values[positions[0]] = .integer(number)
    }
  }
}

extension DynamicObject: Hashable {
  /// Whether the class, the objectID and every value are the same.
  public static func == (a: DynamicObject, b: DynamicObject) -> Bool {
    a.values == b.values && a.generatedID == b.generatedID
      && a.layout.description == b.layout.description
  }

  /// Hashes the objectID and the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(generatedID)
    hasher.combine(values)
  }
}
