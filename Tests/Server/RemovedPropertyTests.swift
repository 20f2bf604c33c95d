import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

import ObjectVaultServer

@Suite("Removed properties on a PostgreSQL server", .enabled(if: Server.address != nil))
struct RemovedPropertyTests: ServerUpgrading {
  let schema = Server.newSchema()
  private let age = PropertyDescription("age", Int.self)
  private let rate = PropertyDescription("rate", Double?.self)

  private func person(_ properties: [PropertyDescription]) -> ClassDescription {
    ClassDescription(
      "Person", properties: [PropertyDescription("id", String.self)] + properties,
      objectID: ["id"])
  }

  /// Stores two persons, and removes the properties `age` and `rate`.
  private func removeProperties() throws {
    try withVault("full") { vault in
      try insert(
        [
          ["id": .text("a"), "age": .integer(1), "rate": .real(2)],
          ["id": .text("b"), "age": .integer(2)],
        ], vault.store(of: person([age, rate])))
    }
    try withVault("less") { _ = try $0.store(of: person([])) }
  }

  private func columns(_ vault: some Database, of table: String = "Person") throws -> [String] {
    try vault.opened().read { try Schema(on: $0).columns(of: table).map(\.name) }
  }

  private func execute(_ sql: String, _ vault: SharedVault) throws {
    try vault.opened().withWriter { try $0.execute(sql) }
  }

  @Test("are rehearsed with their values, and are gone when they were dropped") func rehearsed()
    throws
  {
    try removeProperties()
    try withVault("b") { vault in
      let store = try vault.store(of: person([]))
      let accepted = try vault.rehearseMigration(of: [person([age, rate])])
      #expect(accepted.refusal == nil)
      #expect(accepted.before.map(\.rows) == [2])
      // A number does not become a UUID.
      let converted = person([PropertyDescription("age", UUID.self)])
      #expect(try vault.rehearseMigration(of: [converted]).refusal?.code == .upgradeRefused)
      #expect(try columns(vault) == ["id", "age", "rate"])
      #expect(try store.dropRemovedProperties() == ["age", "rate"])
      #expect(try columns(vault) == ["id"])
      #expect(try store.dropRemovedProperties() == [])
      try insert([["id": .text("c")]], store)
      let again = try vault.rehearseMigration(of: [person([age])])
      #expect(again.refusal?.code == .upgradeRefused)
      #expect(try vault.rehearseMigration(of: [person([rate])]).refusal == nil)
    }
    try withVault("c") { vault in
      let store = try vault.store(of: person([rate]))
      #expect(try values("rate", store) == [.null, .null, .null])
    }
  }

  @Test("have their values in a vault that is received") func received() throws {
    try removeProperties()
    let folder = try TemporaryFolder()
    let file = try Vault(at: folder.file("a.vault"), key: .ofTests)
    try withVault("b") { vault in
      for _ in 0..<2 { try ObjectTransfer(from: vault, to: file).run() }
      #expect(try columns(file) == ["id", "age", "rate"])
      #expect(try file.classes() == [person([])])
    }
    let store = try file.store(of: person([age, rate]))
    #expect(try values("age", store) == [.integer(1), .integer(2)])
    #expect(try values("rate", store) == [.real(2), .null])
  }

  @Test("remain while something of another program needs them") func needed() throws {
    try removeProperties()
    try withVault("b") { vault in
      let store = try vault.store(of: person([]))
      #expect(
        code { try vault.transaction { _ = try store.dropRemovedProperties() } }
          == .upgradeInTransaction)
      let cases = [
        (["CREATE VIEW theirs AS SELECT age FROM \"Person\""], "'age'", ["DROP VIEW theirs"]),
        (
          ["CREATE INDEX theirs ON \"Person\" ((age + 1))"], "index 'theirs'", ["DROP INDEX theirs"]
        ),
        (
          ["ALTER TABLE \"Person\" ADD CONSTRAINT theirs UNIQUE (id, age)"], "constraint 'theirs'",
          ["ALTER TABLE \"Person\" DROP CONSTRAINT theirs"]
        ),
        (
          [
            "ALTER TABLE \"Person\" ADD UNIQUE (age)",
            "CREATE TABLE theirs (age bigint PRIMARY KEY REFERENCES \"Person\" (age))",
          ], "'age'", ["DROP TABLE theirs"]
        ),
      ]
      for (created, part, dropped) in cases {
        for sql in created { try execute(sql, vault) }
        let error = try #require(throws: VaultError.self) { try store.dropRemovedProperties() }
        #expect(error.code == .upgradeRefused, "\(error)")
        #expect(error.message.contains(part), "\(error)")
        #expect(try columns(vault) == ["id", "age", "rate"])
        for sql in dropped { try execute(sql, vault) }
      }
      // A constraint that has only this column is dropped with it.
      #expect(try store.dropRemovedProperties() == ["age", "rate"])
    }
  }

  @Test("are dropped under a vault that is open") func droppedElsewhere() throws {
    try removeProperties()
    try withVault("a") { first in
      let store = try first.store(of: person([]))
      #expect(try store.count() == 2)
      try withVault("b") { _ = try $0.store(of: person([])).dropRemovedProperties() }
      try insert([["id": .text("c")]], store)
      #expect(try values("id", store) == ["a", "b", "c"].map { .text($0) })
      #expect(try store.dropRemovedProperties() == [])
    }
  }

  @Test("a former object ID and a former order are left and dropped, too") func others() throws {
    let name = PropertyDescription("name", String.self)
    func team(isOrdered: Bool, objectID: [String]) -> ClassDescription {
      ClassDescription(
        "Team", properties: [name], objectID: objectID,
        owned: [
          OwnedDescription("members", target: "Member", reference: "team", ordered: isOrdered)
        ])
    }
    func member(_ type: PropertyType, _ column: String) -> ClassDescription {
      ClassDescription(
        "Member", properties: [PropertyDescription("team", type: type, isOptional: true)],
        references: [
          ReferenceDescription("team", target: "Team", targetColumns: [column], onDelete: .cascade)
        ])
    }
    try withVault("a") { vault in
      let former = team(isOrdered: true, objectID: [])
      let members = try vault.store(of: member(.int64, "objectID"), with: [former])
      try insert([["name": .text("x")], ["name": .text("y")]], vault.store(of: former))
      try insert([["team": .integer(2)]], members)
    }
    try withVault("b") { vault in
      let (present, members) = (team(isOrdered: false, objectID: ["name"]), member(.string, "name"))
      let store = try vault.store(of: members, with: [present])
      #expect(try values("team", store) == [.text("y")])
      #expect(try columns(vault, of: "Team").contains("objectID"))
      #expect(try columns(vault, of: "Member").contains("ov_order_team"))
      let file = try Vault.inMemory()
      try ObjectTransfer(from: vault, to: file).run()
      #expect(try vault.rehearseMigration(of: [members, present]).refusal == nil)
      #expect(
        try vault.store(of: present).dropRemovedProperties() == ["objectID"])
      #expect(try store.dropRemovedProperties() == ["ov_order_team"])
      #expect(try values("team", store) == [.text("y")])
    }
  }
}
