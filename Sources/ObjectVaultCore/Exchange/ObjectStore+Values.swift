public import Foundation
public import ObjectVaultCondition
import ObjectVaultEngine

// Objects made of names and values, or of JSON, and given back as such. None of it touches the file.

extension ObjectStore {
  /// Makes an object of names and values, without storing it.
  ///
  /// ```swift
  /// let ann = try students.object(from: ["name": "Ann", "age": 7])
  /// try students.insert(ann)
  /// ```
  ///
  /// A property that is not named has its default value, or `nil`; one that is not optional and has no
  /// default must be named. An initial value is a default where it is a literal. Owned objects are not
  /// loaded.
  ///
  /// - Parameters:
  ///   - values: The values by the names of the properties, as in an update by query: what a property
  ///     holds, or what it keeps of that, such as ``StoredValue``; `objectID` for a generated one.
  ///   - ignoringUnknown: Whether names that the class does not have are passed over. By default they
  ///     are errors.
  /// - Throws: ``VaultError``: `.noSuchProperty` for a name that the class does not have,
  ///   `.invalidValue` where a property does not have the value or needs one, `.invalidArgument` for a
  ///   value that no property could have and for the name of owned objects.
  public func object(from values: [String: Any?], ignoringUnknown: Bool = false) throws -> T {
    try object(
      row: classDescription.row(
        of: values.lazy.map { (name: $0.key, value: $0.value) }, ignoringUnknown: ignoringUnknown
      ) { value, property, position in
        try property.checked(argument: value, in: classDescription, at: position)
      })
  }

  /// Makes an object of a JSON object, as ``json(of:)`` and `objectvault export` write it, without
  /// storing it.
  ///
  /// Its members are named as the properties: integers and other numbers as digits, Bool as `true` and
  /// `false`, dates as ISO 8601 text with a zone or as seconds since 1970, bytes as base64, decimals as
  /// text or digits, composites as the JSON that they are, `nil` as `null`. What has no member is as in
  /// ``object(from:ignoringUnknown:)``.
  ///
  /// - Parameters:
  ///   - json: The text of one JSON object, in UTF-8.
  ///   - ignoringUnknown: Whether members that the class does not have are passed over. By default they
  ///     are errors.
  /// - Throws: ``VaultError``: `.invalidArgument` where the text is no JSON object; otherwise as
  ///   ``object(from:ignoringUnknown:)``.
  public func object(fromJSON json: Data, ignoringUnknown: Bool = false) throws -> T {
    let value: JSONValue
    do {
      value = try JSONParser.parse([UInt8](json))
    } catch {
      throw VaultError(
        .invalidArgument,
        "An object of class '\(classDescription.name)' cannot be made of a text that is no JSON. "
          + "\(error).")
    }
    guard case .object(let members) = value else {
      throw VaultError(
        .invalidArgument,
        "An object of class '\(classDescription.name)' is made of a JSON object, and not of "
          + "\(value.kind).")
    }
    return try object(
      row: classDescription.row(
        of: members.lazy.map { (name: $0.key, value: $0.value) }, ignoringUnknown: ignoringUnknown
      ) { value, property, position in
        try property.checked(json: value, in: classDescription, at: position)
      })
  }

  /// What would be stored of an object, by the names of the properties, with the objectID where it has
  /// a generated one. ``object(from:ignoringUnknown:)`` makes an equal object of it.
  ///
  /// Owned objects are not among the values.
  ///
  /// - Throws: ``VaultError``: `.invalidValue` where the file could not keep a value, `.notLoaded` where
  ///   the object was fetched with some properties only.
  public func values(of object: T) throws -> [String: StoredValue] {
    Dictionary(
      try members(of: object).map { ($0.property.name, $0.value) },
      uniquingKeysWith: { first, _ in first })
  }

  /// An object as a JSON object in one line, as `objectvault export` writes it: a generated objectID
  /// first, then the properties in declaration order. ``object(fromJSON:ignoringUnknown:)`` makes an
  /// equal object of it.
  ///
  /// Owned objects are not in it. What it gives is no longer encrypted.
  ///
  /// - Returns: The text in UTF-8.
  /// - Throws: as ``values(of:)``.
  public func json(of object: T) throws -> Data {
    let members = try members(of: object).map { property, value in
      JSONValue.Member(property.name, ExchangedValue.json(value, property.type))
    }
    var text: [UInt8] = []
    JSONValue.object(members).write(to: &text)
    return Data(text)
  }

  // MARK: Rows

  private func object(row values: [StoredValue]) throws -> T {
    let description = classDescription
    do {
      return try StoredRowReader.withRow(values, layout: state.layout) { try T(row: $0) }
    } catch let error as VaultError {
      // The readers count columns.
      throw error.naming(values.count) {
        "What is given for property '\(description.exchanged[$0].name)' of class "
          + "'\(description.name)'"
      }
    }
  }

  /// A generated objectID where the object has one, then the properties in declaration order.
  private func members(
    of object: T
  ) throws -> [(property: PropertyDescription, value: StoredValue)] {
    let description = classDescription
    let form = try StoredForm(object, description, [])
    let id = description.objectID == .generated ? form.id : []
    return zip(description.exchanged.suffix(id.count), id).map { (property: $0, value: $1) }
      + zip(description.properties, form.values).map { (property: $0, value: StoredValue($1)) }
  }
}

extension StoredValue {
  fileprivate init(_ bound: BoundValue) {
    switch bound {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let utf8): self = .text(String(decoding: utf8, as: UTF8.self))
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}
