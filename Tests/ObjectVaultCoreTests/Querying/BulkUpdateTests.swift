import Foundation
import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

/// A class whose Swift types have only some values of their stored types.
private struct Chore: StoredObject, GeneratesObjectID {
  enum Level: String { case low, high }
  struct Size: Codable { var width: Int8 }

  var objectID: Int64?
  var title = "a"
  var level = Level.low
  var last: Level?
  var steps = [1]
  var size = Size(width: 1)

  init() {}

  static let classDescription = ClassDescription(
    "Chore",
    properties: [
      PropertyDescription("title", String.self), PropertyDescription("level", Level.self),
      PropertyDescription("last", Level?.self), PropertyDescription("steps", [Int].self),
      PropertyDescription("size", Size.self),
    ])

  init(row: Row) throws {
    title = try row.value(at: 0)
    level = try row.value(at: 1)
    last = try row.value(at: 2)
    steps = try row.value(at: 3)
    size = try row.value(at: 4)
    objectID = try row.value(at: 5)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(title, at: 0)
    try binder.bind(level, at: 1)
    try binder.bind(last, at: 2)
    try binder.bind(steps, at: 3)
    try binder.bind(size, at: 4)
  }
}

@Suite("Updates by query", .covers("P75")) struct BulkUpdateTests {
  private let test: TestVault
  private let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...5).map { Person(name: "n\($0)", age: $0, note: "x") })
  }

  private func people(_ property: (Person) -> String) throws -> String {
    try people.all().map(property).joined(separator: " ")
  }

  @Test("all objects that are chosen get the values, no others, and they are counted")
  func setting() throws {
    #expect(try people.where("age >= %@", 4).update(set: ["note": nil, "name": "it's"]) == 2)
    #expect(try people { $0.name } == "n1 n2 n3 it's it's")
    #expect(try people { $0.note ?? "-" } == "x x x - -")
    #expect(try people.where("age > 100").update(set: ["age": 0]) == 0)
    #expect(try people.query.update(set: ["age": 9]) == 5)
    #expect(try people.where("age == 9").count() == 5)
    #expect(try people.query.update(set: [:]) == 5)
  }

  @Test("numbers are increased and values taken over from other properties")
  func expressions() throws {
    let count = try people.where("age > 2").update { person in
      person.increment("age", by: 10)
      person.set("note", toValueOf: "name")
    }
    #expect(count == 3)
    #expect(try people { "\($0.age)\($0.note!)" } == "1x 2x 13n3 14n4 15n5")
    try people.query.update { $0.increment("age", by: -1) }
    #expect(try people { "\($0.age)" } == "0 1 12 13 14")
  }

  @Test("all of them are updated, and removed, by one statement, however many there are")
  func oneStatement() throws {
    func expect(_ verb: Substring, _ body: () throws -> Void) throws {
      let statements = try test.statements { try test.vault.transaction { try body() } }
      // Beside the count of commits.
      let writes = statements.filter { !$0.contains(" objectvault_info ") }
        .compactMap { $0.split(separator: " ").first }
        .filter { ["UPDATE", "DELETE", "INSERT"].contains($0) }
      #expect(writes == [verb], "\(statements)")
    }
    let chosen = people.where("age > 1")
    try expect("UPDATE") { _ = try chosen.update(set: ["note": "y", "name": "z"]) }
    try expect("UPDATE") { _ = try chosen.update { $0.increment("age") } }
    try expect("DELETE") { _ = try chosen.remove() }
    #expect(try people { $0.name } == "n1")
  }

  @Test("a range chooses which of them, in the query's order")
  func ranges() throws {
    #expect(
      try people.sorted(by: .descending("age")).range(length: 2).update(set: ["name": "z"]) == 2)
    #expect(try people { $0.name } == "n1 n2 n3 z z")
    #expect(try people.query.range(length: 0).update(set: ["name": "y"]) == 0)
  }

  @Test(
    "what a property cannot keep is refused before anything is written",
    arguments: [
      ("age", "old"), ("age", 1.5), ("age", Date()), ("age", UUID()), ("name", 5), ("name", nil),
      ("age", nil), ("note", [1]), ("name", Data([1])),
    ] as [(String, (any Sendable)?)])
  func values(property: String, value: (any Sendable)?) throws {
    #expect(code { _ = try people.query.update(set: [property: value]) } == .invalidValue)
    #expect(try people { $0.note! } == "x x x x x")
  }

  @Test(
    "bytes are not emptied by a value of another type",
    arguments: [1, 1.5, true, "text", UUID(), Date(), ["a"], [1: 2], Decimal(1)]
      as [any Sendable])
  func bytes(value: any Sendable) throws {
    let description = ClassDescription("Photo", properties: [.init("bytes", Data.self)])
    let photos = try test.vault.store(of: description)
    var photo = try DynamicObject(of: description)
    try photo.set("bytes", to: .blob([1, 2]))
    try photos.insert(photo)
    #expect(code { _ = try photos.query.update(set: ["bytes": value]) } == .invalidValue)
    #expect(try photos.query.values(of: "bytes", as: Data.self) == [Data([1, 2])])
    #expect(try photos.query.update(set: ["bytes": Data([3])]) == 1)
    #expect(try photos.query.values(of: "bytes", as: Data.self) == [Data([3])])
  }

  @Test("a value that the Swift type of the property does not have is rejected")
  func unreadable() throws {
    let chores = try test.vault.store(of: Chore.self)
    try chores.insert(Chore())
    let values: [(String, Any?)] = [
      ("level", "weird"), ("last", "weird"), ("steps", ["a", "b"]), ("steps", "{}"),
      ("size", ["width": 1000]), ("size", #"{"width": "x"}"#),
    ]
    for (property, value) in values {
      let error = #expect(throws: VaultError.self) {
        try chores.query.update(set: [property: value])
      }
      #expect(error?.code == .invalidValue)
      #expect(error?.message.contains("weird") == false)
    }
    #expect(
      code { try chores.query.update { $0.set("level", toValueOf: "title") } } == .invalidArgument)
    let stored: [String: Any?] = [
      "level": "high", "last": Chore.Level.low, "steps": [3], "size": Chore.Size(width: 2),
    ]
    try chores.query.update(set: stored)
    let chore = try #require(try chores.query.first())
    #expect(
      chore.level == .high && chore.last == .low && chore.steps == [3] && chore.size.width == 2)
    try chores.query.update { $0.set("title", toValueOf: "level") }
    #expect(try chores.query.first()?.title == "high")
    try chores.query.update { $0.set("last", toValueOf: "level") }
    #expect(try chores.query.update(set: ["last": nil]) == 1)
    #expect(try chores.query.first()?.last == nil)
  }

  @Test("an increment never makes a raw value that the type lacks") func rawValues() throws {
    let school = try School.Filled()
    #expect(
      code { _ = try school.students.query.update { $0.increment("level") } } == .invalidArgument)
    #expect(try school.students.all().count == school.students.count())
  }

  @Test("unknown properties and the objectID are refused")
  func refusals() throws {
    #expect(code { _ = try people.query.update(set: ["aeg": 1]) } == .noSuchProperty)
    #expect(code { _ = try people.query.update { $0.increment("name") } } == .invalidArgument)
    #expect(
      code { _ = try people.query.update { $0.increment("age", by: 0.5) } } == .invalidArgument)
    #expect(
      code { _ = try people.query.update { $0.set("name", toValueOf: "note") } }
        == .invalidArgument)
    #expect(
      code { _ = try people.query.update { $0.set("name", toValueOf: "nmae") } }
        == .noSuchProperty)
    let items = try test.vault.store(of: Item.self)
    #expect(code { _ = try items.query.update(set: ["code": "x"]) } == .invalidArgument)
  }

  @Test("a number that would leave its type stops the whole update")
  func overflow() throws {
    try people.insert(Person(name: "old", age: .max - 1))
    try people.query.update { $0.increment("age") }
    #expect(code { _ = try people.query.update { $0.increment("age") } } == .overflow)
    #expect(try people { "\($0.age)" } == "2 3 4 5 6 \(Int.max)")
    try people.where("age < 10").update { $0.increment("age", by: .min) }
    #expect(
      code { _ = try people.where("age < 0").update { $0.increment("age", by: .min) } }
        == .overflow)
    let items = try test.vault.store(of: Item.self)
    try items.insert(Item("a", price: .greatestFiniteMagnitude))
    #expect(code { _ = try items.query.update { $0.increment("price", by: 1e308) } } == .overflow)
    #expect(
      code { _ = try items.query.update { $0.increment("price", by: .infinity) } }
        == .invalidArgument)
    try items.query.update { $0.increment("price", by: -1e308) }
    #expect(try items.find("a")?.price == .greatestFiniteMagnitude - 1e308)
  }

  @Test("one object that cannot be changed leaves all as they were, also inside a transaction")
  func allOrNothing() throws {
    let description = ClassDescription(
      "Place",
      properties: [
        PropertyDescription("code", Int.self), PropertyDescription("row", Int.self),
      ], indexes: [IndexDescription(["code"], unique: true)])
    let places = try test.vault.store(of: description)
    for number in [1, 2, 3] {
      var place = try DynamicObject(of: description)
      try place.set("code", to: .integer(Int64(number)))
      try place.set("row", to: .integer(0))
      try places.insert(place)
    }
    func codes() throws -> [Int] { try places.query.values(of: "code") }
    #expect(code { _ = try places.query.update(set: ["code": 2]) } == .duplicate)
    #expect(try codes() == [1, 2, 3])
    // The first object is changed while the second one has its new value.
    #expect(code { _ = try places.query.update { $0.increment("code") } } == .duplicate)
    #expect(try codes() == [1, 2, 3])
    try test.vault.transaction {
      try places.query.update(set: ["row": 7])
      #expect(code { _ = try places.query.update(set: ["code": 9]) } == .duplicate)
    }
    #expect(try codes() == [1, 2, 3])
    #expect(try places.query.values(of: "row", as: Int.self) == [7, 7, 7])
  }

  @Test("a reference that would have no object stops the whole update")
  func references() throws {
    let rooms = ClassDescription(
      "Room", properties: [PropertyDescription("name", String.self)], objectID: ["name"])
    let desks = ClassDescription(
      "Desk",
      properties: [PropertyDescription("room", String?.self)],
      references: [
        ReferenceDescription("room", target: "Room", targetColumns: ["name"], onDelete: .nullify)
      ])
    let roomStore = try test.vault.store(of: rooms)
    let deskStore = try test.vault.store(of: desks)
    var room = try DynamicObject(of: rooms)
    try room.set("name", to: .text("blue"))
    try roomStore.insert(room)
    for _ in 0..<3 { try deskStore.insert(DynamicObject(of: desks)) }
    #expect(try deskStore.query.update(set: ["room": "blue"]) == 3)
    #expect(code { _ = try deskStore.query.update(set: ["room": "red"]) } == .danglingReference)
    #expect(try deskStore.where("room == 'blue'").count() == 3)
    #expect(try deskStore.query.update(set: ["room": nil]) == 3)
  }

  @Test("conditions with lists too long to be bound choose what is updated")
  func longLists() throws {
    let ages = Array(4...2000)
    #expect(try people.where("age IN %@", ages).update(set: ["note": "in"]) == 2)
    #expect(try people { $0.note! } == "x x x in in")
  }

  @Test("objects are updated without blocking the caller")
  func asynchronous() async throws {
    #expect(try await onOwnThread { try people.where("age < 3").update(set: ["name": "a"]) } == 2)
    #expect(
      try await onOwnThread { try people.where("age < 3").update { $0.increment("age") } } == 2)
    #expect(try people { "\($0.name)\($0.age)" } == "a2 a3 n33 n44 n55")
  }
}
