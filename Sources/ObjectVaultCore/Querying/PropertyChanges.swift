import ObjectVaultCondition

/// What an update by query does to every object that it chooses: the properties that it changes, and
/// how.
///
/// A property that is changed twice is changed as was said last.
public struct PropertyChanges {
  enum Change {
    case value(Any?)
    case increment(StoredValue)
    case copy(String)
  }

  private(set) var changes: [(property: String, change: Change)] = []

  /// Changes nothing yet.
  public init() {}

  /// Gives a property a value, which is checked as if it were set in an object.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift.
  ///   - value: The value; `nil` takes the property's value away.
  public mutating func set(_ property: String, to value: Any?) {
    add(property, .value(value))
  }

  /// Adds a number to a property that is an integer or a double; `nil` stays `nil`.
  ///
  /// - Parameters:
  ///   - property: The name of the property.
  ///   - amount: How much to add; a negative number takes away.
  public mutating func increment(_ property: String, by amount: Int = 1) {
    add(property, .increment(.integer(Int64(amount))))
  }

  /// Adds a number to a property that is a double; `nil` stays `nil`.
  ///
  /// - Parameters:
  ///   - property: The name of the property.
  ///   - amount: How much to add, a finite number; a negative one takes away.
  public mutating func increment(_ property: String, by amount: Double) {
    add(property, .increment(.real(amount)))
  }

  /// Gives a property the value that another one of the same type has before the update.
  public mutating func set(_ property: String, toValueOf other: String) {
    add(property, .copy(other))
  }

  private mutating func add(_ property: String, _ change: Change) {
    changes.removeAll { $0.property == property }
    changes.append((property, change))
  }
}

/// A change as it was checked against the class.
struct CheckedChange: Sendable {
  enum Kind: Sendable {
    case value(StoredValue)
    case increment(StoredValue)
    /// The position of the other property.
    case copy(Int)
  }

  /// The position of the property.
  let position: Int
  let kind: Kind
}

extension ClassDescription {
  /// The changes in the order of the properties, so that equal sets of them make equal SQL.
  ///
  /// - Throws: `.noSuchProperty`; `.invalidArgument` for a part of the objectID, for owned objects and
  ///   for a change that the type does not have; `.invalidValue` for a value it does not have.
  func checked(_ changes: PropertyChanges) throws -> [CheckedChange] {
    try changes.changes.map { name, change in
      if owned.contains(where: { $0.name == name }) {
        throw VaultError(
          .invalidArgument,
          "'\(name)' of class '\(self.name)' are objects of another class. Update or remove those, "
            + "or save their owners.")
      }
      let position = try changeablePositions(of: [name])[0]
      return CheckedChange(position: position, kind: try checked(change, at: position))
    }.sorted { $0.position < $1.position }
  }

  private func checked(
    _ change: PropertyChanges.Change, at position: Int
  ) throws -> CheckedChange.Kind {
    let property = properties[position]
    if let converter = property.converter, case .increment = change {
      throw VaultError(
        .invalidArgument,
        "Property '\(property.name)' of class '\(name)' is stored through converter "
          + "'\(converter.name)', and what is stored is not calculated with. Give it a value, or read "
          + "and update the objects.")
    }
    switch change {
    case .value(let value):
      return .value(try property.checked(argument: value, in: self, at: position))
    case .increment(let amount):
      switch (property.type, property.type.family, amount) {
      case (_, .integer, .integer), (.double, _, .integer): return .increment(amount)
      case (.double, _, .real(let number)) where number.isFinite: return .increment(amount)
      default:
        throw VaultError(
          .invalidArgument,
          "Property '\(property.name)' of class '\(name)' is \(property.type.rawValue), to which this "
            + "cannot be added. Integers take integers, Double takes finite numbers; read and update "
            + "objects with others.")
      }
    case .copy(let other):
      guard let source = properties.firstIndex(where: { $0.name == other }) else {
        throw noSuchProperty(other)
      }
      guard properties[source].type == property.type,
        properties[source].converter == property.converter,
        property.isOptional || !properties[source].isOptional
      else {
        throw VaultError(
          .invalidArgument,
          "Property '\(property.name)' of class '\(name)' cannot take the values of '\(other)', which "
            + "is of another type, has another converter or may be nil.")
      }
      return .copy(source)
    }
  }
}

extension PropertyDescription {
  /// What the property keeps of a Swift value.
  ///
  /// - Throws: `.invalidValue` where the type does not have the value; `.invalidArgument` for one that
  ///   no property could have.
  func checked(
    argument: Any?, in description: ClassDescription, at position: Int
  ) throws -> StoredValue {
    let given: ConditionArgument
    do {
      given = try ConditionArgument(argument, through: converter)
    } catch let error as VaultError where error.code == .invalidValue && converter != nil {
      throw error.naming(ofGiven: self, in: description)
    }
    let stored: StoredValue? =
      switch given {
      case .null: .null
      case .composite(_, let json): type == .json ? .text(try json()) : nil
      case .given: nil
      case .value(let value, let given):
        // Plain numbers and texts can become dates, UUIDs and so on; those are nothing but themselves.
        [.integer, .real, .text, type.family].contains(given.family) ? value : nil
      }
    guard let stored else {
      throw VaultError(
        .invalidValue,
        "Property '\(name)' of class '\(description.name)' is \(type.rawValue), and the value given "
          + "is not of that type.")
    }
    return try checked(stored, in: description, at: position)
  }
}
