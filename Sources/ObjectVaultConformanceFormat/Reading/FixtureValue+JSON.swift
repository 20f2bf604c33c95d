import Foundation
package import ObjectVaultModel

extension FixtureValue {
  /// Converts the value to its shortest protocol form.
  ///
  /// - Parameter form: The form expected at this position. It decides whether a list needs a tag.
  /// - Returns: The JSON value.
  package func jsonValue(as form: FixtureForm = .value) -> JSONValue {
    switch self {
    case .null: Self.tagged("nil", .bool(true))
    case .bool(let value): .bool(value)
    case .integer(let value):
      PlainScalar.exactIntegers.contains(value)
        ? .integer(value) : Self.tagged("int", .string(String(value)))
    case .double(let value): Self.tagged("double", .string(DoubleText.shortest(value)))
    case .text(let text): .string(text)
    case .data(let bytes): Self.tagged("data", .string(Data(bytes).base64EncodedString()))
    case .date(let value): Self.tagged("date", .string(DoubleText.shortest(value)))
    case .decimal(let text): Self.tagged("decimal", .string(text))
    case .uuid(let text): Self.tagged("uuid", .string(text))
    case .url(let text): Self.tagged("url", .string(text))
    case .json(let text): Self.tagged("json", .string(text))
    case .list(let elements): Self.list(elements, as: form)
    case .object(let members):
      .object(members.map { .init($0.name, $0.value.jsonValue(as: form.form(of: $0.name))) })
    }
  }

  private static func list(_ elements: [FixtureValue], as form: FixtureForm) -> JSONValue {
    switch form {
    case .list(let element): .array(elements.map { $0.jsonValue(as: element) })
    case .objectID: .array(elements.map { $0.jsonValue() })
    default: tagged("list", .array(elements.map { $0.jsonValue() }))
    }
  }

  private static func tagged(_ tag: String, _ value: JSONValue) -> JSONValue {
    .object([.init(tag, value)])
  }

  /// The name of the value's kind in error messages.
  package var kind: String {
    switch self {
    case .null: "{nil: true}"
    case .bool: "true or false"
    case .integer: "a whole number"
    case .double: "a double"
    case .text: "text"
    case .data: "bytes"
    case .date: "a date"
    case .decimal: "a decimal"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .json: "JSON"
    case .list: "a list"
    case .object: "a mapping"
    }
  }
}

extension FixtureForm {
  /// Returns the form of a mapping's member.
  fileprivate func form(of name: String) -> FixtureForm {
    switch self {
    case .named(let form): form
    case .record(let fields): fields.first { $0.name == name }?.form ?? .value
    case .key: name == "keyring" ? .slotKey : .bytes
    case .slotKey: .bytes
    default: .value
    }
  }
}

extension FixtureOperation {
  /// Returns the arguments of a step in protocol form, without its nested steps.
  package func json(of arguments: FixtureValue) -> JSONValue {
    arguments.jsonValue(as: .record(self.arguments))
  }
}
