import ObjectVaultDriver

/// A JSON text (RFC 8259) as a value that retains the digits of numbers and the order of members.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number in its original text.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and a value of an object.
  package struct Member: Sendable, Equatable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The maximum nesting depth of arrays and objects, for reading and writing.
  package static let depthLimit = 200

  /// Returns an integer in digits.
  package static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

  /// Returns a finite number in its shortest round-trip form, or `nil` for NaN and infinities.
  package static func real(_ value: Double) -> JSONValue? {
    JSONText.number(value).map(JSONValue.number)
  }

  /// The value of an object's member, or `nil` if it is missing or the value is not an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.hasSameBytes(as: key) }?.value
  }

  /// The description of the kind of value for error messages.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
