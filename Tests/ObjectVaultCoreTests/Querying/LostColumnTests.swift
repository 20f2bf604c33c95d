import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import Testing
import TestSupport

import ObjectVaultStores

/// Columns that somebody else took away from under a store: the engine takes a quoted name alone
/// that is no column for a text, so that every name must say its table.
@Suite("A column that another process renamed", .covers("J42")) struct LostColumnTests {
  private let test: TestVault
  private let people: ObjectStore<Person>
  private let rooms: ObjectStore<School.Room>
  private let students: ObjectStore<School.Student>

  init() throws {
    let school = try School.Filled()
    (test, rooms, students) = (school.test, school.rooms, school.students)
    people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...3).map { Person(name: "n\($0)", age: $0, note: "note") })
    // Every statement was made before.
    _ = try people.where("note == 'note'").count()
  }

  /// Renames columns as a newer program would, of which this process learns nothing.
  private func rename(_ column: String, of table: String) throws {
    let definition = try test.rows(
      "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = '\(table)'")
    guard case .text(let sql) = definition[0][0] else { return }
    let changed = sql.replacing("\"\(column)\"", with: "\"was \(column)\"")
    #expect(changed != sql)
    let output = try CipherShell.run(
      test.vault.path,
      [
        "PRAGMA key = \"x'\(VaultKey.digitsOfTests)'\";", "PRAGMA cipher_page_size = 4096;",
        "BEGIN;",
        "CREATE TEMP TABLE kept AS SELECT * FROM \"\(table)\";", "DROP TABLE \"\(table)\";",
        "\(changed);", "INSERT INTO \"\(table)\" SELECT * FROM kept;", "COMMIT;",
      ])
    #expect(!output.localizedCaseInsensitiveContains("error"))
  }

  private func isRefused(_ name: String, _ body: () throws -> Void) {
    let found = code(of: body)
    #expect(found == .schemaMismatch, "\(name): \(found.map { "\($0)" } ?? "no error")")
  }

  @Test("is never read as a text by a query, an update or a removal")
  func queries() throws {
    try rename("note", of: "Person")
    // The old name as a text would equal itself in every row.
    let chosen = people.where("note == %@", "note")
    isRefused("count") { _ = try chosen.count() }
    isRefused("exists") { _ = try chosen.exists() }
    isRefused("all") { _ = try chosen.all() }
    isRefused("cursor") { _ = try chosen.cursor().next() }
    isRefused("values") { _ = try chosen.values(of: "name", as: String.self) }
    isRefused("values of it") { _ = try people.query.values(of: "note", as: String?.self) }
    isRefused("sorted") { _ = try people.sorted(by: "note").values(of: "name", as: String.self) }
    isRefused("nil last") {
      _ = try people.sorted(by: .ascending("note", nils: .last)).values(of: "age", as: Int.self)
    }
    isRefused("distinct") { _ = try people.query.distinctValues(of: "note", as: String?.self) }
    isRefused("groups") {
      _ = try people.query.grouped(by: "note").aggregating(.count(as: "n")).rows()
    }
    isRefused("maximum") { _ = try people.query.max(of: "note", as: String.self) }
    isRefused("pattern") { _ = try people.where("note LIKE 'n%'").count() }
    isRefused("nil") { _ = try people.where("note != nil").remove() }
    isRefused("explain") { _ = try chosen.explain() }
    isRefused("update") { try chosen.update(set: ["age": 0]) }
    isRefused("update of a range") { try chosen.range(length: 2).update(set: ["age": 0]) }
    isRefused("copy") { try people.query.update { $0.set("note", toValueOf: "name") } }
    isRefused("plan") { _ = try chosen.deletionPlan() }
    isRefused("removal") { try chosen.remove() }
    isRefused("removal of a range") { try chosen.range(length: 2).remove() }
    isRefused("removal in an order") {
      try people.sorted(by: .descending("note")).range(length: 1).remove()
    }
    let rows = (1...3).map { [.text("n\($0)"), .integer($0), .text("note")] as [StoredValue] }
    #expect(try test.rows("SELECT name, age, \"was note\" FROM Person") == rows)
    // What only reads and does not need it goes on.
    #expect(try people.where("age > 1").count() == 2)
    isRefused("removal by another property") { try people.where("age > 1").remove() }
    #expect(try test.rows("SELECT count(*) FROM Person") == [[.integer(3)]])
  }

  @Test("is never read as a text where it is the objectID")
  func objectIDs() throws {
    let items = try test.vault.store(of: Item.self)
    try items.insert(contentsOf: [Item("code", price: 1), Item("b", price: 2)])
    try rename("code", of: "Item")
    isRefused("find") { _ = try items.find("code") }
    isRefused("contains") { _ = try items.contains(id: "code") }
    isRefused("update") { try items.update(Item("code", price: 9)) }
    isRefused("update of some") { try items.update(Item("code", price: 9), only: "price") }
    isRefused("differing update") {
      try items.transaction { _ = try items.updateDiffering(Item("code", price: 9), on: $0) }
    }
    isRefused("save") { try items.save(Item("code", price: 9)) }
    isRefused("replace") { try items.replace(Item("code", price: 9)) }
    isRefused("change of the objectID") { try items.changeID(of: "code", to: "c") }
    isRefused("removal") { try items.remove(id: "code") }
    isRefused("removal of several") { try items.remove(ids: ["code", "b"]) }
    isRefused("removal of a range") { try items.query.range(length: 1).remove() }
    isRefused("update of a range") { try items.query.range(length: 1).update(set: ["price": 0]) }
    isRefused("increment") {
      try items.where("code == 'code'").update { $0.increment("price") }
    }
    #expect(
      try test.rows("SELECT price FROM Item ORDER BY 1") == [[.real(1)], [.real(2)]])
  }

  @Test("is never read as a text in another class's table, and the way there is looked at again")
  func paths() throws {
    let query = students.where("room.floor == %@", 2)
    #expect(try query.count() == 3)
    try rename("floor", of: "Room")
    isRefused("count") { _ = try query.count() }
    isRefused("removal") { try query.remove() }
    isRefused("sorted") {
      _ = try students.sorted(by: "room.floor").values(of: "name", as: String.self)
    }
    #expect(try students.count() == 6)
  }

  @Test("is never read as a text where a reference is followed")
  func references() throws {
    try rename("room", of: "Student")
    // The store is that of the owners, whose own table is as it was.
    isRefused("owners with what they own") { _ = try rooms.all() }
    isRefused("one owner") { _ = try rooms.find("1a") }
    isRefused("cursor of owners") { _ = try rooms.query.cursor().next() }
    #expect(try rooms.withoutOwned().all().count == rooms.count())
    isRefused("removal with those that refer") { _ = try students.where("room == 'room'").remove() }
    #expect(try test.count("Student") == 6)
  }
}
