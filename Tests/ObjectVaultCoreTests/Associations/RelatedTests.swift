import ObjectVaultEngine
import TestSupport
import Testing

import ObjectVaultCore

/// Joins people with classrooms, and people with one another.
private struct Visit: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var guest: Ref<Person>?
  var host: Ref<Person>?
  var room: Ref<Classroom>?

  init(_ guest: Int64?, to host: Int64? = nil, room: String? = nil) {
    self.guest = guest.map { Ref(id: $0) }
    self.host = host.map { Ref(id: $0) }
    self.room = room.map { Ref(id: $0) }
  }

  static let classDescription = ClassDescription(
    "Visit",
    members: [
      .reference("guest", Ref<Person>?.self, onDelete: .cascade),
      .reference("host", Ref<Person>?.self, onDelete: .cascade),
      .reference("room", Ref<Classroom>?.self, onDelete: .cascade),
    ])
  static var referencedClasses: [any StoredObject.Type] { [Person.self, Classroom.self] }
  init(row: Row) throws {
    guest = try row.value(at: 0)
    host = try row.value(at: 1)
    room = try row.value(at: 2)
    objectID = try row.value(at: 3)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(guest, at: 0)
    try binder.bind(host, at: 1)
    try binder.bind(room, at: 2)
  }
}

@Suite("Objects joined by another class") struct RelatedTests {
  @Test("are found in both directions, each once, and go with neither side", .covers("S65", "A49"))
  func both() throws {
    let test = try TestVault()
    let visits = try test.vault.store(of: Visit.self)
    let people = try test.vault.store(of: Person.self)
    let rooms = try test.vault.store(of: Classroom.self)
    try people.insert(contentsOf: ["a", "b", "c"].map { Person(name: $0) })
    try rooms.insert(contentsOf: ["x", "y"].map { Classroom($0) })
    try visits.insert(contentsOf: [
      Visit(2, room: "x"), Visit(1, room: "x"), Visit(1, room: "y"), Visit(1, room: "x"),
      Visit(nil, room: "y"), Visit(3, to: 1),
    ])
    let first = try #require(try people.find(1))
    let room = Classroom("x")
    #expect(
      try rooms.related(to: first, through: Visit.self, from: "guest").map(\.name) == ["x", "y"])
    #expect(
      try people.related(to: room, through: Visit.self, by: "guest").map(\.name) == ["a", "b"])
    #expect(
      try people.related(to: first, through: Visit.self, by: "guest", from: "host").map(\.name) == [
        "c"
      ])
    #expect(try people.related(to: first, through: Visit.self, by: "host").isEmpty)
    #expect(code { _ = try rooms.related(to: first, through: Visit.self) } == .invalidArgument)
    #expect(
      code { _ = try people.related(to: room, through: Visit.self, by: "room") } == .invalidArgument
    )
    #expect(
      code { _ = try rooms.related(to: Person(name: "new"), through: Visit.self) } == .noObjectID)
    try people.remove(first)
    #expect(try visits.count() == 2 && rooms.count() == 2 && people.count() == 2)
  }

  @Test("can be asked for without blocking a thread")
  func awaited() async throws {
    let test = try TestVault()
    let people = try await test.vault.store(of: Person.self)
    try await people.insert(contentsOf: ["a", "b"].map { Person(name: $0) })
    try await test.vault.store(of: Visit.self).insert(Visit(1, to: 2))
    let host = try #require(try await people.find(2))
    let guests = try await onOwnThread {
      try people.related(
        to: host, through: Visit.self, by: "guest", from: "host")
    }
    #expect(guests.map(\.name) == ["a"])
  }
}
