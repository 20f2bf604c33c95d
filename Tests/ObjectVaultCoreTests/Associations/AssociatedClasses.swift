import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import TestSupport
import Testing

/// A class with a bound objectID that others refer to.
struct Classroom: StoredObject, Hashable, Sendable {
  var name: String
  var floor = 0

  init(_ name: String, floor: Int = 0) {
    self.name = name
    self.floor = floor
  }

  static let classDescription = ClassDescription(
    "Classroom",
    properties: [PropertyDescription("name", String.self), PropertyDescription("floor", Int.self)],
    objectID: ["name"])

  init(row: Row) throws {
    name = try row.value(at: 0)
    floor = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(floor, at: 1)
  }

  var storedObjectID: String? { name }
}

/// A conformance by hand with a reference, in under 20 lines.
struct Pupil: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var name: String
  var classroom: Ref<Classroom>?

  static let classDescription = ClassDescription(
    "Pupil", properties: [.init("name", String.self), .init("classroom", Ref<Classroom>?.self)],
    references: [
      .init("classroom", target: "Classroom", targetColumns: ["name"], onDelete: .cascade)
    ])
  static var referencedClasses: [any StoredObject.Type] { [Classroom.self] }
  init(row: Row) throws {
    (name, classroom) = (try row.value(at: 0), try row.value(at: 1))
    objectID = try row.value(at: 2)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(classroom, at: 1)
  }
}

extension Pupil {
  init(_ name: String, in classroom: String?) {
    self.init(objectID: nil, name: name, classroom: classroom.map { Ref(id: $0) })
  }

  init(objectID: Int64?, name: String, classroom: Ref<Classroom>?) {
    self.objectID = objectID
    self.name = name
    self.classroom = classroom
  }
}

/// A class that refers to its own objects.
struct Branch: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var parent: Ref<Branch>?

  init(_ objectID: Int64? = nil, parent: Int64? = nil) {
    self.objectID = objectID
    self.parent = parent.map { Ref(id: $0) }
  }

  static let classDescription = ClassDescription(
    "Branch", properties: [.init("parent", Ref<Branch>?.self)],
    references: [.init("parent", target: "Branch", onDelete: .cascade)])

  init(row: Row) throws {
    parent = try row.value(at: 0)
    objectID = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws { try binder.bind(parent, at: 0) }
}

extension TestVault {
  /// The rows that a statement gives, read on the vault's own connections.
  func rows(_ sql: String) throws -> [[StoredValue]] {
    try vault.file().read { connection in
      try connection.with(sql) { statement in
        var rows: [[StoredValue]] = []
        while try statement.step() {
          rows.append((0..<statement.columnCount).map { statement.row.storedValue(at: $0) })
        }
        return rows
      }
    }
  }

  /// Runs statements that only another program would.
  func execute(_ statements: String...) throws {
    try vault.file().transaction { connection in
      for sql in statements { try connection.execute(sql) }
    }
  }

  /// How many rows a table has.
  func count(_ table: String) throws -> Int {
    guard case .integer(let count) = try rows("SELECT count(*) FROM \(SQL.quoted(table))")[0][0]
    else { return -1 }
    return Int(count)
  }

  /// The statements that `body` has the writer run.
  ///
  /// The engine traces its own cascades too: older ones as a comment, newer ones as the statement that
  /// they belong to, once more. There, a statement that follows itself counts once.
  func statements(_ body: () throws -> Void) throws -> [String] {
    let repeats = try Engine.prove().sqliteVersionNumber >= 3_020_000
    let texts = Locked<[String]>([])
    try vault.file().withWriter {
      $0.engine.trace = { sql in
        if sql.hasPrefix("--") { return }
        texts.withLock { if !repeats || $0.last != sql { $0.append(sql) } }
      }
    }
    defer { _ = try? vault.file().withWriter { $0.engine.trace = nil } }
    try body()
    return texts.withLock { $0 }
  }
}

/// The message of the error that `body` throws.
func message(of body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return "\(error)"
  }
}

/// A class described at run time: `name` is its objectID, each reference an optional Int.
func node(
  _ table: String, _ references: (name: String, target: String, rule: DeleteRule)...,
  required: Bool = false
) -> ClassDescription {
  ClassDescription(
    table,
    properties: references.map {
      PropertyDescription($0.name, type: .int64, isOptional: !required)
    },
    references: references.map {
      ReferenceDescription($0.name, target: $0.target, onDelete: $0.rule)
    })
}
