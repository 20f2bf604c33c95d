public import Foundation
public import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

// Conversions between objects and named values or JSON. None of them accesses the file.

extension ObjectStore {
  /// Creates an object from named values without storing it.
  ///
  /// ```swift
  /// let ann = try students.object(from: ["name": "Ann", "age": 7])
  /// try students.insert(ann)
  /// ```
  ///
  /// A property without a value has its default value or `nil`. A non-optional property without a
  /// default requires a value. An initial value is a default if it is a literal. Owned objects are
  /// not loaded.
  ///
  /// - Parameters:
  ///   - values: The values by the names of the properties, as in an update by query: a Swift value
  ///     of the property, or its stored form, such as ``StoredValue``. The name of a generated
  ///     objectID is `objectID`.
  ///   - ignoringUnknown: Whether to ignore names that the class does not have. By default, they
  ///     are errors.
  /// - Returns: The object.
  /// - Throws: ``VaultError``: `.noSuchProperty` for a name that the class does not have;
  ///   `.invalidValue` if a value is not of the property's type or a required value is missing;
  ///   `.invalidArgument` for a value that cannot be stored in any property and for the name of an
  ///   owned association.
  public func object(from values: [String: Any?], ignoringUnknown: Bool = false) throws -> T {
    try object(
      row: classDescription.row(
        of: values.lazy.map { (name: $0.key, value: $0.value) }, ignoringUnknown: ignoringUnknown
      ) { value, property, position in
        try property.checked(argument: value, in: classDescription, at: position)
      })
  }

  /// Creates an object from JSON without storing it.
  ///
  /// The method accepts the JSON objects that ``json(of:)`` and `objectvault export` write. The
  /// members have the names of the properties. Missing members are handled as in
  /// ``object(from:ignoringUnknown:)``. The values have these forms:
  ///
  /// - Integers and other numbers are digits; Bool is `true` or `false`; `nil` is `null`.
  /// - Dates are ISO 8601 text with a time zone, or seconds since 1970.
  /// - Bytes are base64 text.
  /// - Decimals are text or digits.
  /// - Composites are JSON. Their value `null` is `nil` for an optional property.
  ///
  /// - Parameters:
  ///   - json: The text of one JSON object, in UTF-8.
  ///   - ignoringUnknown: Whether to ignore members that the class does not have. By default, they
  ///     are errors.
  /// - Returns: The object.
  /// - Throws: ``VaultError``: `.invalidArgument` if the text is not a JSON object; the errors of
  ///   ``object(from:ignoringUnknown:)``.
  public func object(fromJSON json: Data, ignoringUnknown: Bool = false) throws -> T {
    let value: JSONValue
    do {
      value = try JSONParser.parse([UInt8](json))
    } catch {
      throw VaultError(
        .invalidArgument,
        "An object of class '\(classDescription.name)' cannot be created, because the text is not "
          + "JSON. \(error).")
    }
    guard case .object(let members) = value else {
      throw VaultError(
        .invalidArgument,
        "An object of class '\(classDescription.name)' is created from a JSON object, not from "
          + "\(value.kind). Pass a JSON object.")
    }
    return try object(
      row: classDescription.row(
        of: members.lazy.map { (name: $0.key, value: $0.value) }, ignoringUnknown: ignoringUnknown
      ) { value, property, position in
        try property.checked(json: value, in: classDescription, at: position)
      })
  }

  /// Returns the stored values of an object by property name, including a generated objectID.
  ///
  /// ``object(from:ignoringUnknown:)`` creates an equal object from them. Owned objects are not
  /// included.
  ///
  /// - Throws: ``VaultError``: `.invalidValue` for a value that cannot be stored, `.notLoaded` for
  ///   an object that was fetched with some of its properties only.
  public func values(of object: T) throws -> [String: StoredValue] {
    Dictionary(
      try members(of: object).map { ($0.property.name, $0.value) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns an object as a single-line JSON object in UTF-8, as `objectvault export` writes it.
  ///
  /// A generated objectID comes first, then the properties in declaration order.
  /// ``object(fromJSON:ignoringUnknown:)`` creates an equal object from it. Owned objects are not
  /// included.
  ///
  /// - Warning: The result is not encrypted.
  /// - Throws: The errors of ``values(of:)``.
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
      return try Row.withValues(values, layout: table.layout) { row throws in try T(row: row) }
    } catch let error as VaultError {
      // Errors of the row reader identify properties by column position.
      throw error.naming(values.count) {
        "The value for property '\(description.exchanged[$0].name)' of class '\(description.name)'"
      }
    }
  }

  /// Returns a generated object ID, if the object has one, then the properties in declaration
  /// order.
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
