/// A JSON text (RFC 8259) as a value: numbers keep their digits, objects their order.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// The number as it is written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One name and value of an object.
  package struct Member: Sendable, Equatable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// How deep arrays and objects may lie in one another, in what is read and in what is written.
  package static let depthLimit = 200

  /// A number of digits.
  package static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

  /// A finite number in the shortest form that reads back equal; `nil` for NaN and infinities.
  package static func real(_ value: Double) -> JSONValue? {
    JSONText.number(value).map(JSONValue.number)
  }

  /// The value of an object's member; `nil` where there is none, and for everything but objects.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// What kind of value it is, in the words of an error.
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
