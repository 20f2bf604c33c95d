import Foundation
import ObjectVaultCore

/// The README's `Student`, conforming by hand as its macro does.
struct Student: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var name: String
  var age: Int
  var tags: [String]

  init(name: String, age: Int, tags: [String] = []) {
    (self.name, self.age, self.tags) = (name, age, tags)
  }

  static let classDescription = ClassDescription(
    "Student",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
      PropertyDescription("tags", [String].self, defaultValue: []),
    ], indexes: [IndexDescription(["age"])])

  init(row: Row) throws {
    name = try row.value(at: 0)
    age = try row.value(at: 1)
    tags = try row.value(at: 2)
    objectID = try row.value(at: 3)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(age, at: 1)
    try binder.bind(tags, at: 2)
  }
}

/// A class with a declared object ID.
struct Course: StoredObject {
  var code: String
  var title: String
  var begins: Date?

  init(code: String, title: String, begins: Date? = nil) {
    (self.code, self.title, self.begins) = (code, title, begins)
  }

  static let classDescription = ClassDescription(
    "Course",
    properties: [
      PropertyDescription("code", String.self), PropertyDescription("title", String.self),
      PropertyDescription("begins", Date?.self),
    ], objectID: ["code"])

  var storedObjectID: String? { code }

  init(row: Row) throws {
    code = try row.value(at: 0)
    title = try row.value(at: 1)
    begins = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(code, at: 0)
    try binder.bind(title, at: 1)
    try binder.bind(begins, at: 2)
  }
}

/// A property of each kind that the storage contract names.
struct Everything: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var flag: Bool
  var small: Int8
  var large: UInt64
  var single: Float
  var double: Double
  var text: String
  var data: Data
  var date: Date
  var uuid: UUID
  var url: URL
  var decimal: Decimal
  var list: [String]
  var missing: String?

  static var sample: Everything {
    get throws {
      guard let uuid = UUID(uuidString: "00112233-4455-6677-8899-aabbccddeeff"),
        let url = URL(string: "https://example.org/a?b=c%20d"),
        let decimal = Decimal(string: "-12345678901234567890.0123456789")
      else { throw CocoaError(.formatting) }
      return Everything(
        flag: true, small: -128, large: UInt64(Int64.max), single: 0.5, double: -1.5e300,
        text: "it's\0nul é\u{301}🍎", data: Data([0, 255, 39]),
        date: Date(timeIntervalSince1970: 1_700_000_000.123_456_7), uuid: uuid, url: url,
        decimal: decimal, list: ["b", "a\"\u{1}"], missing: nil)
    }
  }

  static let classDescription = ClassDescription(
    "Everything",
    properties: [
      PropertyDescription("flag", Bool.self), PropertyDescription("small", Int8.self),
      PropertyDescription("large", UInt64.self), PropertyDescription("single", Float.self),
      PropertyDescription("double", Double.self), PropertyDescription("text", String.self),
      PropertyDescription("data", Data.self), PropertyDescription("date", Date.self),
      PropertyDescription("uuid", UUID.self), PropertyDescription("url", URL.self),
      PropertyDescription("decimal", Decimal.self), PropertyDescription("list", [String].self),
      PropertyDescription("missing", String?.self),
    ],
    indexes: [
      IndexDescription(["text"], unique: true), IndexDescription(["small", "large"]),
    ])

  func encode(into binder: Binder) throws {
    try binder.bind(flag, at: 0)
    try binder.bind(small, at: 1)
    try binder.bind(large, at: 2)
    try binder.bind(single, at: 3)
    try binder.bind(double, at: 4)
    try binder.bind(text, at: 5)
    try binder.bind(data, at: 6)
    try binder.bind(date, at: 7)
    try binder.bind(uuid, at: 8)
    try binder.bind(url, at: 9)
    try binder.bind(decimal, at: 10)
    try binder.bind(list, at: 11)
    try binder.bind(missing, at: 12)
  }
}

extension Everything {
  init(row: Row) throws {
    self.init(
      objectID: try row.value(at: 13), flag: try row.value(at: 0), small: try row.value(at: 1),
      large: try row.value(at: 2), single: try row.value(at: 3), double: try row.value(at: 4),
      text: try row.value(at: 5), data: try row.value(at: 6), date: try row.value(at: 7),
      uuid: try row.value(at: 8), url: try row.value(at: 9), decimal: try row.value(at: 10),
      list: try row.value(at: 11), missing: try row.value(at: 12))
  }
}
