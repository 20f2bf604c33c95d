import ObjectVaultCore

/// A class with a generated objectID, conforming by hand.
struct Person: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var name: String
  var age: Int
  var note: String?

  init(name: String, age: Int = 0, note: String? = nil) {
    self.name = name
    self.age = age
    self.note = note
  }

  static let classDescription = ClassDescription(
    "Person",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
      PropertyDescription("note", String?.self),
    ])

  init(row: Row) throws {
    name = try row.value(at: 0)
    age = try row.value(at: 1)
    note = try row.value(at: 2)
    objectID = try row.value(at: 3)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(age, at: 1)
    try binder.bind(note, at: 2)
  }
}
