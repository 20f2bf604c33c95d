import Foundation
import ObjectVaultRecords
import TestSupport
import Testing

/// A struct whose objects the vault numbers.
struct Student: Record, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var name: String
  var age: Int
  var note: String?

  init(name: String, age: Int = 0, note: String? = nil) {
    (self.name, self.age, self.note) = (name, age, note)
  }

  struct Properties: ObjectProperties {
    let origin: PropertyOrigin
    var name: Property<String> { origin.property("name") }
    var age: Property<Int> { origin.property("age") }
  }

  static let classDescription = ClassDescription(
    "Student",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
      PropertyDescription("note", String?.self),
    ])
  static var propertyNames: [AnyKeyPath: String] { [\Student.name: "name", \Student.age: "age"] }

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

/// A final class whose objectID is bound, and which says which vault it belongs to.
final class Course: Record, @unchecked Sendable {
  static var vaultName: String? { "main" }

  var code: String
  var title: String

  init(_ code: String, title: String = "") { (self.code, self.title) = (code, title) }

  static let classDescription = ClassDescription(
    "Course",
    properties: [
      PropertyDescription("code", String.self), PropertyDescription("title", String.self),
    ], objectID: ["code"])

  init(row: Row) throws {
    code = try row.value(at: 0)
    title = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(code, at: 0)
    try binder.bind(title, at: 1)
  }

  var storedObjectID: String? { code }
}

/// A final class whose objects the vault numbers.
final class Note: Record, GeneratesObjectID, @unchecked Sendable {
  var objectID: Int64?
  var text: String

  init(_ text: String) { self.text = text }

  static let classDescription = ClassDescription(
    "Note", properties: [PropertyDescription("text", String.self)])

  init(row: Row) throws {
    text = try row.value(at: 0)
    objectID = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws { try binder.bind(text, at: 0) }
}

/// What says which vault its subclasses belong to.
class Household {
  class var vaultName: String? { "main" }
}

final class Pet: Household, Record, GeneratesObjectID {
  var objectID: Int64?

  static let classDescription = ClassDescription("Pet", properties: [])

  init(row: Row) throws { objectID = try row.value(at: 0) }

  func encode(into binder: Binder) throws {}
}

/// Vaults of one test, in a folder that goes with them.
struct School {
  let folder: TemporaryFolder
  let vaults = Vaults()
  static let key = VaultKey.raw([UInt8](1...32))

  /// A main vault of students and courses, another one of notes, and a third for copies of students
  /// and courses; all are started.
  init() throws {
    self.init(in: try TemporaryFolder())
    try vaults.register(at: path("school"), key: Self.key, classes: [Course.self])
    try vaults.register("students", at: path("students"), key: Self.key, classes: [Student.self])
    try vaults.register("private", at: path("li"), key: Self.key, classes: [Note.self])
    try vaults.register("backup", at: path("copies"), key: Self.key, classes: [Course.self])
    try vaults.start()
  }

  /// No vaults yet.
  init(in folder: TemporaryFolder) { self.folder = folder }

  /// The path of a vault in a folder that is made with it.
  func path(_ name: String) -> String { folder.file("vaults/\(name).vault") }

  func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Calls `body` where these are the current vaults.
  func use<R>(_ body: () throws -> R) rethrows -> R {
    try Vaults.$current.withValue(vaults, operation: body)
  }
}

/// The error that `body` throws, or `nil` where it throws none.
func failure<R>(of body: () throws -> R) -> VaultError? {
  do {
    _ = try body()
    return nil
  } catch {
    if let error = error as? VaultError { return error }
    Issue.record("not a VaultError: \(error)")
    return nil
  }
}

/// The code of the error that `body` throws, or `nil` where it throws none.
func code<R>(of body: () throws -> R) -> VaultError.Code? { failure(of: body)?.code }
