import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

/// The changes that an update by query makes to each object.
///
/// The last change of a property replaces its earlier changes.
///
/// ```swift
/// try students.where("age >= 18").update { student in
///   student.increment("age")
///   student.set("note", to: nil)
/// }
/// ```
public struct PropertyChanges {
  enum Change {
    case value(Any?)
    case increment(StoredValue)
    case copy(String)
  }

  private(set) var changes: [(property: String, change: Change)] = []

  /// Creates an empty set of changes.
  public init() {}

  /// Sets a property to a value, which is validated as if it were set in an object.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift.
  ///   - value: The value; `nil` removes the value of the property.
  public mutating func set(_ property: String, to value: Any?) {
    add(property, .value(value))
  }

  /// Adds an integer to an integer or double property; `nil` stays `nil`.
  ///
  /// The type of the property must have no raw values, such as those of an enumeration.
  ///
  /// - Parameters:
  ///   - property: The name of the property.
  ///   - amount: The number to add; a negative number subtracts.
  public mutating func increment(_ property: String, by amount: Int = 1) {
    add(property, .increment(.integer(Int64(amount))))
  }

  /// Adds a number to a double property; `nil` stays `nil`.
  ///
  /// - Parameters:
  ///   - property: The name of the property.
  ///   - amount: The finite number to add; a negative number subtracts.
  public mutating func increment(_ property: String, by amount: Double) {
    add(property, .increment(.real(amount)))
  }

  /// Sets a property to the value of another property of the same type before the update.
  public mutating func set(_ property: String, toValueOf other: String) {
    add(property, .copy(other))
  }

  private mutating func add(_ property: String, _ change: Change) {
    changes.removeAll { $0.property == property }
    changes.append((property, change))
  }
}

/// A change that was validated against the class.
struct CheckedChange: Sendable {
  enum Kind: Sendable {
    case value(StoredValue)
    case increment(StoredValue)
    /// The position of the source property.
    case copy(Int)
  }

  /// The position of the changed property.
  let position: Int
  let kind: Kind
}

extension ClassDescription {
  /// Returns the validated changes in the order of the properties, so that equal sets make equal
  /// SQL.
  ///
  /// - Throws: `.noSuchProperty`; `.invalidArgument` for a part of the objectID, for owned objects
  ///   and for a change that the type does not support; `.invalidValue` for a value of another
  ///   type.
  func checked(_ changes: PropertyChanges) throws -> [CheckedChange] {
    try changes.changes.map { name, change in
      if owned.contains(where: { $0.name == name }) {
        throw VaultError(
          .invalidArgument,
          "'\(name)' of class '\(self.name)' contains objects of another class. Update or remove "
            + "those, or save their owners.")
      }
      let position = try changeablePositions(of: [name])[0]
      return CheckedChange(position: position, kind: try checked(change, at: position))
    }.sorted { $0.position < $1.position }
  }

  /// Throws for a sealed property: each object needs its own sealed value.
  private func checkIsNotSealed(_ property: PropertyDescription) throws(VaultError) {
    if property.sealing == nil { return }
    throw VaultError(
      .invalidArgument,
      "Property '\(property.name)' of class '\(name)' is sealed for each object, so one statement "
        + "cannot change it in several objects. Fetch the objects, change them and update them.")
  }

  private func checked(
    _ change: PropertyChanges.Change, at position: Int
  ) throws -> CheckedChange.Kind {
    let property = properties[position]
    try checkIsNotSealed(property)
    if let sealed = propertiesSealed(by: property.name).first {
      throw VaultError(
        .invalidArgument,
        "Property '\(property.name)' of class '\(name)' names the key of '\(sealed)', so one "
          + "statement cannot change it in several objects. Fetch the objects, change them and update "
          + "them.")
    }
    if let converter = property.converter, case .increment = change {
      throw VaultError(
        .invalidArgument,
        "Property '\(property.name)' of class '\(name)' has converter '\(converter.name)', so its "
          + "stored value cannot be used in a calculation. Set a value, or read and update the "
          + "objects.")
    }
    if property.valueType.hasRawValue, case .increment = change {
      throw VaultError(
        .invalidArgument,
        "Property '\(property.name)' of class '\(name)' has a type with raw values, and the sum might "
          + "be none of them. Set a value, or read and update the objects.")
    }
    switch change {
    case .value(let value):
      let stored = try property.checked(argument: value, in: self, at: position)
      try property.checkIsReadable(stored, in: self)
      return .value(stored)
    case .increment(let amount):
      switch (property.type, property.type.family, amount) {
      case (_, .integer, .integer), (.double, _, .integer): return .increment(amount)
      case (.double, _, .real(let number)) where number.isFinite: return .increment(amount)
      default:
        throw VaultError(
          .invalidArgument,
          "Property '\(property.name)' of class '\(name)' has type \(property.type.rawValue), "
            + "which does not accept this increment. Use an integer for integers and a finite "
            + "number for Double, or read and update the objects.")
      }
    case .copy(let other):
      guard let source = properties.firstIndex(where: { $0.name == other }) else {
        throw noSuchProperty(other)
      }
      try checkIsNotSealed(properties[source])
      guard properties[source].type == property.type,
        property.canRead(valuesOf: properties[source]),
        property.isOptional || !properties[source].isOptional
      else {
        throw VaultError(
          .invalidArgument,
          "Property '\(property.name)' of class '\(name)' cannot be set to '\(other)', which has "
            + "another type, has another converter or may be nil. Use a property of the same form.")
      }
      return .copy(source)
    }
  }
}

extension PropertyDescription {
  /// Returns the stored form of a Swift value for the property.
  ///
  /// - Throws: `.invalidValue` if the value is not of the property's type; `.invalidArgument` for a
  ///   value that cannot be stored in any property.
  func checked(
    argument: Any?, in description: ClassDescription, at position: Int
  ) throws -> StoredValue {
    let given: ConditionArgument
    do {
      given = try ConditionArgument(argument, through: converter)
    } catch let error as VaultError where error.code == .invalidValue {
      throw error.naming(ofGiven: self, in: description)
    }
    // The JSON of a Swift value is canonical, and it has the digits of a Float, which JSON read again
    // does not have.
    if type == .json, case .composite(_, let json) = given {
      do {
        return .text(try json())
      } catch let error as VaultError where error.code == .invalidValue {
        throw error.naming(ofGiven: self, in: description)
      }
    }
    let stored: StoredValue? =
      switch given {
      case .null: .null
      case .composite, .given: nil
      case .value(let value, let given):
        // Plain numbers and texts can become dates, UUIDs and so on. Values of other types only
        // match their own type.
        [.integer, .real, .text, type.family].contains(given.family) ? value : nil
      }
    guard let stored else {
      throw VaultError(
        .invalidValue,
        "Property '\(name)' of class '\(description.name)' has type \(type.rawValue), but the "
          + "value has another type. Pass a value of that type.")
    }
    return try checked(stored, in: description, at: position)
  }
}
