import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

import ObjectVaultStores

/// A class whose number is narrow, and may be left to the vault.
private struct Locker: StoredObject, Hashable {
  var number: UInt8?
  var owner: String

  init(number: UInt8? = nil, owner: String) {
    self.number = number
    self.owner = owner
  }

  static let classDescription = ClassDescription(
    "Locker",
    properties: [
      PropertyDescription("number", UInt8?.self), PropertyDescription("owner", String.self),
    ], objectID: ["number"], indexes: [IndexDescription(["owner"], unique: true)])

  init(row: Row) throws {
    number = try row.value(at: 0)
    owner = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(number, at: 0)
    try binder.bind(owner, at: 1)
  }

  var storedObjectID: UInt8? { number }

  mutating func assignObjectID(_ id: UInt8) { number = id }
}

/// A class whose objectID is kept as a whole number, of which few mean something.
private struct Floor: StoredObject {
  enum Level: Int, StorableValue, ObjectIDValue {
    case ground, first

    init?(rowID: Int64) { self.init(rawValue: Int(rowID)) }
  }

  var level: Level?

  init(_ level: Level? = nil) { self.level = level }

  static let classDescription = ClassDescription(
    "Floor", properties: [PropertyDescription("level", Level?.self)], objectID: ["level"])

  init(row: Row) throws { level = try row.value(at: 0) }

  func encode(into binder: Binder) throws { try binder.bind(level, at: 0) }

  var storedObjectID: Level? { level }

  mutating func assignObjectID(_ id: Level) { level = id }
}

@Suite("Numbers that the vault generates") struct GeneratedNumberTests {
  @Test("are of the objectID's type, or nothing is stored", .covers("S4", "S8"))
  func narrow() throws {
    let test = try TestVault()
    let lockers = try test.vault.store(of: Locker.self)
    try lockers.insert(Locker(number: 254, owner: "a"))
    #expect(try lockers.insert(Locker(owner: "b")).number == 255)
    let stored = try lockers.all()
    let new = Locker(owner: "c")
    #expect(code { try lockers.insert(new) } == .invalidValue)
    #expect(code { try lockers.save(new) } == .invalidValue)
    #expect(code { try lockers.replace(Locker(owner: "a")) } == .invalidValue)
    #expect(
      code { try lockers.insert(contentsOf: [Locker(number: 1, owner: "d"), new]) } == .invalidValue
    )
    #expect(code { try lockers.save(contentsOf: [new]) } == .invalidValue)
    #expect(try lockers.all() == stored)
  }

  @Test("are values of the application's own type, or nothing is stored")
  func ownType() throws {
    let test = try TestVault()
    let floors = try test.vault.store(of: Floor.self)
    try floors.insert(Floor(.ground))
    #expect(try floors.insert(Floor()).level == .first)
    #expect(code { try floors.insert(Floor()) } == .invalidValue)
    #expect(try floors.all().map(\.level) == [.ground, .first])
  }

  @Test("end behind the last number, which is told from a full disk", .covers("S4"))
  func last() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    // The store of Swift objects learns nothing of what the other one stores.
    var last = try DynamicObject(of: Person.classDescription)
    try last.set("name", to: .text("last"))
    try last.set("age", to: .integer(1))
    last.assignObjectID(DynamicObjectID(.integer(.max)))
    try test.vault.store(named: "Person").insert(last)
    #expect(code { try people.insert(Person(name: "a")) } == .constraint)
    #expect(code { try people.insert(contentsOf: [Person(name: "a")]) } == .constraint)
    try test.vault.transaction {
      #expect(code { try people.insert(Person(name: "b")) } == .constraint)
      var free = Person(name: "c")
      free.objectID = 5
      try people.insert(free)
    }
    #expect(try people.all().map(\.objectID) == [5, .max])
  }

  @Test("are not what is missing where there is no room", .covers("S4"))
  func noRoom() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try test.vault.file().join { connection in
      let pages = try #require(try connection.engine.pragma("page_count"))
      try connection.engine.setPragma("max_page_count", to: pages, expecting: pages)
    }
    let long = Person(name: String(repeating: "a", count: 100_000))
    #expect(code { try people.insert(long) } == .diskFull)
    #expect(code { try people.insert(contentsOf: [long]) } == .diskFull)
    #expect(try people.count() == 0)
  }
}
