import Foundation
import TestSupport
import Testing

import ObjectVaultCore

/// What the engine's hook of changed rows does not tell: each must reach who observes all the same.
@Suite struct UnreportedChangeTests {
  let test: TestVault

  init() throws {
    test = try TestVault()
  }

  /// A school of two rooms with two pupils each.
  private func school() throws -> (ObjectStore<Classroom>, ObjectStore<Pupil>) {
    let rooms = try test.vault.store(of: Classroom.self)
    let pupils = try test.vault.store(of: Pupil.self)
    try rooms.insert(contentsOf: [Classroom("a"), Classroom("b")])
    try pupils.insert(contentsOf: ["a", "a", "b", "b"].map { Pupil("in " + $0, in: $0) })
    return (rooms, pupils)
  }

  @Test("the victim of a REPLACE, in its own table and by its cascades in another")
  func replaced() async throws {
    let (rooms, pupils) = try school()
    let seen = Deliveries(pupils.observeCount())
    let seenRooms = Deliveries(rooms.observe())
    _ = try await (seen.first(1), seenRooms.first(1))
    // One statement, as other programs write it: the library's own `replace` removes first.
    try test.execute("INSERT OR REPLACE INTO Classroom VALUES('a', 7)")
    #expect(try await seen.first(2) == [4, 2])
    #expect(try await seenRooms.first(2)[1].map(\.floor) == [0, 7])
    try await onOwnThread { try rooms.replace(Classroom("b", floor: 8)) }
    #expect(try await seenRooms.first(3)[2].map(\.floor).sorted() == [7, 8])
  }

  @Test("a table without rowids")
  func withoutRowIDs() async throws {
    try await test.vault.open() as Void
    try test.execute(
      "CREATE TABLE sign(code TEXT NOT NULL PRIMARY KEY, height REAL NOT NULL) WITHOUT ROWID")
    let vault = test.vault
    let signs = try await vault.read { try vault.store(named: "sign") }
    let seen = Deliveries(signs.observeChanges())
    _ = try await seen.first(1)
    var sign = try DynamicObject(of: signs.classDescription)
    try sign.set("code", to: .text("302"))
    try sign.set("height", to: .real(1))
    try await signs.insert(sign)
    #expect(try await seen.first(2)[1].inserted.map(\.id) == [DynamicObjectID(.text("302"))])
    try sign.set("height", to: .real(2))
    try await signs.update(sign)
    #expect(try await seen.first(3)[2].changed.map(\.position) == [0])
    try await signs.remove(sign)
    #expect(try await seen.first(4)[3].removed.map(\.position) == [0])
  }

  @Test("the deletion of a whole table, by the library and in SQL")
  func wholeTable() async throws {
    let people = try await test.vault.store(of: Person.self)
    let seen = Deliveries(people.observeCount())
    _ = try await seen.first(1)
    try await people.insert(contentsOf: (1...3).map { Person(name: "\($0)") })
    #expect(try await seen.first(2) == [0, 3])
    try await onOwnThread { try people.removeAll() }
    #expect(try await seen.first(3) == [0, 3, 0])
    try await people.insert(Person(name: "again"))
    _ = try await seen.first(4)
    try test.execute("DELETE FROM Person")
    #expect(try await seen.first(5) == [0, 3, 0, 1, 0])
  }

  @Test("what cascades, one level down and by a removal of many levels")
  func cascades() async throws {
    let (rooms, pupils) = try school()
    let seen = Deliveries(pupils.observeCount())
    _ = try await seen.first(1)
    try await onOwnThread { try rooms.remove(id: "a") }
    #expect(try await seen.first(2) == [4, 2])
    let branches = try await test.vault.store(of: Branch.self)
    try await branches.insert(contentsOf: [Branch(1)] + (2...50).map { Branch($0, parent: $0 - 1) })
    let seenBranches = Deliveries(branches.observeCount())
    _ = try await seenBranches.first(1)
    try await onOwnThread { try branches.remove(id: 2) }
    #expect(try await seenBranches.first(2) == [50, 1])
  }

  @Test("what a trigger writes")
  func triggers() async throws {
    let people = try await test.vault.store(of: Person.self)
    let items = try await test.vault.store(of: Item.self)
    let seen = Deliveries(items.observe())
    _ = try await seen.first(1)
    try test.execute(
      "CREATE TRIGGER t AFTER INSERT ON Person BEGIN INSERT INTO Item VALUES(new.name, 0, NULL); END"
    )
    try await people.insert(Person(name: "Li"))
    #expect(try await seen.first(2)[1].map(\.code) == ["Li"])
  }

  @Test("a table that was made anew for a changed class")
  func rebuilt() async throws {
    let old = ClassDescription("Thing", properties: [.init("size", type: .int64)])
    let things = try await test.vault.store(of: old)
    var thing = try DynamicObject(of: old)
    try thing.set("size", to: .integer(3))
    try await things.insert(thing)
    let seen = Deliveries(things.observe())
    _ = try await seen.first(1)
    let new = ClassDescription("Thing", properties: [.init("size", type: .double)])
    let renewed = try await test.vault.store(of: new)
    let values = try await seen.first(2).map { try $0.map { try $0.value(of: "size") } }
    #expect(values == [[.integer(3)], [.real(3)]])
    withExtendedLifetime(renewed) {}
  }
}
