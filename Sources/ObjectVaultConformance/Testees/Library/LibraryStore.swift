import ObjectVaultCondition
import ObjectVaultConformanceFormat
import ObjectVaultCore

/// A store with conversions between fixture values and its objects and objectIDs.
struct LibraryStore {
  let objects: ObjectStore<DynamicObject>
  /// An object without any values set.
  private let blank: DynamicObject

  init(_ objects: ObjectStore<DynamicObject>) throws {
    self.objects = objects
    blank = try DynamicObject(of: objects.classDescription)
  }

  private var description: ClassDescription { objects.classDescription }

  /// Returns the partition in which a property, or a reference of several parts, has a value.
  func partition(_ name: String, is value: FixtureValue) throws -> LibraryStore {
    if case .list(let parts) = value {
      let id = DynamicObjectID(try parts.map { try $0.stored })
      return try LibraryStore(objects.partition(name, is: id))
    }
    return try LibraryStore(objects.partition(name, is: try value.stored))
  }

  // MARK: Conversion to library values

  /// Returns an object with the properties that the fixture names.
  func object(_ value: FixtureValue) throws -> DynamicObject {
    guard case .object(let members) = value else {
      throw RequestProblem("An object must be a mapping of properties to values.")
    }
    var object = blank
    for member in members {
      if member.name == ClassDescription.generatedIDColumn, description.objectID == .generated {
        if member.value != .null { object.assignObjectID(try generatedID(member.value)) }
      } else {
        try set(member.name, to: member.value, in: &object)
      }
    }
    return object
  }

  /// Sets a property to a value.
  ///
  /// Stored values do not distinguish a Bool from a number, so the library cannot reject one for
  /// the other. This method does.
  private func set(
    _ name: String, to value: FixtureValue, in object: inout DynamicObject
  ) throws {
    let property = description.properties.first { $0.name == name }
    switch (property?.type.family, value) {
    case (.boolean, .integer), (.integer, .bool), (.real, .bool), (.date, .bool), (.decimal, .bool):
      throw VaultError(
        .invalidValue,
        "Property '\(name)' of class '\(description.name)' cannot have \(value.kind) as its value.")
    default: try object.set(name, to: try value.stored)
    }
  }

  /// Returns the values to set in an update.
  ///
  /// They are first set on an object, which distinguishes a Bool from a number.
  func values(_ arguments: RequestArguments) throws -> [String: Any?] {
    guard case .object(let members) = try arguments.required("set") else {
      throw RequestProblem("'set' must be a mapping of properties to values.")
    }
    var object = blank
    var values: [String: Any?] = [:]
    for member in members {
      let isProperty = description.properties.contains { $0.name == member.name }
      if isProperty { try set(member.name, to: member.value, in: &object) }
      values.updateValue(
        isProperty ? try object.value(of: member.name) : try member.value.stored,
        forKey: member.name)
    }
    return values
  }

  func objects(_ values: [FixtureValue]) throws -> [DynamicObject] {
    try values.map(object)
  }

  /// Returns the objectID that a fixture names: a value, or a list of its parts.
  func id(_ value: FixtureValue) throws -> DynamicObjectID {
    guard case .properties(let positions) = description.objectID else {
      return try generatedID(value)
    }
    var parts = [value]
    if case .list(let elements) = value { parts = elements }
    guard parts.count == positions.count else {
      return DynamicObjectID(try parts.map { try $0.stored })
    }
    // An object converts each part to its stored form, for example a UUID to upper case.
    var object = blank
    for (position, part) in zip(positions, parts) {
      try set(description.properties[position].name, to: part, in: &object)
    }
    guard let id = object.storedObjectID else {
      throw VaultError(
        .noObjectID, "A part of the objectID of class '\(description.name)' has no value.")
    }
    return id
  }

  func ids(_ values: [FixtureValue]) throws -> [DynamicObjectID] {
    try values.map(id)
  }

  private func generatedID(_ value: FixtureValue) throws -> DynamicObjectID {
    if case .list(let parts) = value { return DynamicObjectID(try parts.map { try $0.stored }) }
    guard case .integer(let number) = value else {
      throw VaultError(
        .invalidValue,
        "The objectID of class '\(description.name)' is generated and must be a whole number, not "
          + "\(value.kind)."
      )
    }
    return DynamicObjectID(.integer(number))
  }

  // MARK: Conversion to fixture values

  /// Returns an object's properties in declaration order, after a generated objectID.
  func value(of object: DynamicObject) -> FixtureValue {
    var members: [FixtureValue.Member] = []
    if description.objectID == .generated {
      members.append(
        .init(
          ClassDescription.generatedIDColumn, object.generatedID.map(FixtureValue.integer) ?? .null)
      )
    }
    for (property, value) in zip(description.properties, object.allValues) {
      members.append(.init(property.name, FixtureValue(value, as: property.type)))
    }
    return .object(members)
  }

  func value(of objects: [DynamicObject]) -> FixtureValue { .list(objects.map(value)) }

  /// Returns one value, or a list of the parts.
  func value(of id: DynamicObjectID) -> FixtureValue { value(ofIDParts: id.objectIDParts) }

  func value(ofIDParts parts: [StoredValue]) -> FixtureValue {
    guard case .properties(let positions) = description.objectID else {
      return parts.first.map { FixtureValue($0, as: .int64) } ?? .null
    }
    let values = zip(positions, parts).map { position, part in
      FixtureValue(part, as: description.properties[position].type)
    }
    return values.count == 1 ? values[0] : .list(values)
  }

  /// The names of the properties that form the objectID.
  var idProperties: [String] {
    switch description.objectID {
    case .generated: [ClassDescription.generatedIDColumn]
    case .properties(let positions): positions.map { description.properties[$0].name }
    }
  }

  /// Returns the values of named properties.
  func value(of row: [StoredValue], properties: [String]) -> FixtureValue {
    .list(
      zip(properties, row).map { name, value in
        let property = description.properties.first { $0.name == name }
        return FixtureValue(value, as: property?.type ?? .int64)
      })
  }
}

extension FixtureValue {
  /// The value as a property stores it.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for a list or an object.
  fileprivate var stored: StoredValue {
    get throws {
      guard let value = storedValue() else {
        throw VaultError(.invalidValue, "No property can have \(kind) as its value.")
      }
      return value
    }
  }
}
