import Foundation
import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

@Suite("A class that keeps when its objects were inserted")
struct InsertionTimeTests {
  private static let note = ClassDescription(
    "Note", properties: [.init("name", String.self), .init("text", String.self)],
    objectID: ["name"], options: TableOptions(insertionTime: true))

  private func object(_ name: String, _ text: String = "") throws -> DynamicObject {
    var object = try DynamicObject(of: Self.note)
    try object.set("name", to: .text(name))
    try object.set("text", to: .text(text))
    return object
  }

  private func id(_ name: String) -> DynamicObjectID { DynamicObjectID(.text(name)) }

  private func names(_ store: ObjectStore<DynamicObject>) throws -> [StoredValue] {
    try store.all().map { try $0.value(of: "name") }
  }

  /// Has objects been inserted so many seconds ago.
  private func age(_ vault: ChangingVault, _ seconds: Int) throws {
    try vault.run("UPDATE \"Note\" SET \"ov_inserted\" = \"ov_inserted\" - \(seconds)")
  }

  @Test("removes those that were inserted before a date, and no others", .covers("J43"))
  func removed() throws {
    let vault = try ChangingVault()
    let store = try vault.vault.store(of: Self.note)
    try store.insert(object("old"))
    try store.insert(contentsOf: [object("saved"), object("replaced"), object("updated")])
    try age(vault, 1000)
    let start = Date()
    try store.insert(object("new"))
    try store.save(object("also new"))
    try store.save(object("saved", "again"))
    try store.update(object("updated", "again"))
    try store.replace(object("replaced", "again"))
    #expect(try store.removeAll(insertedBefore: start - 2000) == 0)
    #expect(try store.removeAll(insertedBefore: start) == 3)
    #expect(try names(store) == [.text("new"), .text("also new"), .text("replaced")])
    #expect(try store.removeAll(insertedBefore: .distantFuture) == 3)
    #expect(try store.removeAll(insertedBefore: .distantFuture) == 0)
  }

  @Test("says when, to the millisecond and by the clock", .covers("J43"))
  func date() async throws {
    let vault = try ChangingVault()
    let store = try await vault.vault.store(of: Self.note)
    @Sendable func time(_ name: String) throws -> Date? { try store.insertionDate(of: id(name)) }
    let before = Date()
    try await store.insert(object("a"))
    let after = Date()
    let first = try await onOwnThread { try time("a") }
    let found = try #require(first)
    #expect(found > before - 0.002 && found <= after)
    #expect(try await onOwnThread { try time("b") } == nil)
    try vault.run("INSERT INTO \"Note\" (\"name\", \"text\") VALUES ('theirs', '')")
    #expect(try await onOwnThread { try time("theirs") } == nil)
    #expect(try await onOwnThread { try store.removeAll(insertedBefore: .distantFuture) } == 1)
    #expect(try names(store) == [.text("theirs")])
    let plan = try vault.rows(
      "EXPLAIN QUERY PLAN DELETE FROM \"Note\" WHERE \"Note\".\"ov_inserted\" < 1")
    #expect("\(plan)".contains("ov_Note__ov_inserted"), "\(plan)")
  }

  @Test("takes along what belongs to them", .covers("J43"))
  func cascades() throws {
    let vault = try ChangingVault()
    let store = try vault.vault.store(of: Self.note)
    // A chain needs a plan; its objects are of one table.
    let line = ClassDescription(
      "Line", properties: [.init("note", String.self), .init("before", Int?.self)],
      references: [
        ReferenceDescription("note", target: "Note", targetColumns: ["name"], onDelete: .cascade),
        ReferenceDescription("before", target: "Line", onDelete: .cascade),
      ])
    let lines = try vault.vault.store(of: line)
    try store.insert(contentsOf: [object("old"), object("other")])
    try vault.insert(
      line, [.text("old"), .null], [.text("other"), .integer(1)], [.text("other"), .null])
    try vault.run("UPDATE \"Note\" SET \"ov_inserted\" = 1 WHERE \"name\" = 'old'")
    #expect(try store.removeAll(insertedBefore: Date(timeIntervalSince1970: 1)) == 0)
    #expect(try store.removeAll(insertedBefore: Date(timeIntervalSince1970: 1.5)) == 1)
    #expect(try lines.count() == 1)
    // Referred to, so that a replacement is an update of the row.
    try vault.run("UPDATE \"Note\" SET \"ov_inserted\" = 1")
    try store.replace(object("other", "again"))
    #expect(try store.removeAll(insertedBefore: Date(timeIntervalSince1970: 2)) == 0)
    #expect(try lines.count() == 1)
  }

  @Test("begins to when the class does, and what was there counts as inserted then", .covers("J43"))
  func upgraded() throws {
    let vault = try ChangingVault()
    var plain = Self.note
    plain.options = TableOptions()
    try vault.insert(plain, [.text("a"), .text("")])
    let error = #expect(throws: VaultError.self) {
      try vault.vault.store(of: plain).removeAll(insertedBefore: Date())
    }
    #expect(error?.code == .invalidArgument)
    let start = Date()
    let store = try vault.vault.store(of: Self.note)
    #expect(try store.removeAll(insertedBefore: start) == 0)
    #expect(try store.insertionDate(of: id("a")) != nil)
    #expect(try store.dropRemovedProperties() == [])
    try vault.run("UPDATE \"Note\" SET \"ov_inserted\" = 7")
    // A table made anew keeps the time.
    var changed = Self.note
    changed.properties[1] = PropertyDescription("text", String?.self)
    let next = try vault.reopened()
    let kept = try next.vault.store(of: changed)
    #expect(try kept.insertionDate(of: id("a")) == Date(timeIntervalSince1970: 7))
    // One made anew as it begins to gives it too.
    var other = changed
    other.properties[1] = PropertyDescription("text", String.self, defaultValue: "")
    other.options = TableOptions()
    let without = try next.vault.store(of: other)
    #expect(try without.dropRemovedProperties() == ["ov_inserted"])
    let again = try next.vault.store(of: changed)
    #expect(try again.removeAll(insertedBefore: start) == 0)
    #expect(try again.removeAll(insertedBefore: .distantFuture) == 1)
  }
}
