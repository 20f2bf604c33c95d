import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import TestSupport
import Testing

@testable import ObjectVaultServer

/// Commits notify the observers of other processes.
@Suite("Notifications of a PostgreSQL server", .enabled(if: Server.address != nil))
struct NotificationTests {
  private static let notes = ClassDescription(
    "Note", properties: [PropertyDescription("number", Int.self)])

  private func note(_ number: Int) throws -> DynamicObject {
    var note = try DynamicObject(of: Self.notes)
    try note.set("number", to: .integer(Int64(number)))
    return note
  }

  @Test("an observer learns of commits though it polls once in an hour", .timeLimit(.minutes(10)))
  func commit() async throws {
    let schema = Server.newSchema()
    let observer = try Server.vault(schema, observationInterval: .seconds(3600))
    let writer = try Server.vault(schema, connection: "other")
    defer {
      observer.close()
      writer.close()
    }
    let others = try await writer.store(of: Self.notes)
    for try await count in try await observer.store(of: Self.notes).observeCount() {
      if count == 3 { break }
      // One by an object alone, one by many, and one by an application's transaction.
      switch count {
      case 0: try await others.insert(note(1))
      case 1: try await others.insert(contentsOf: [note(2)])
      default: try await writer.transaction { try others.insert(self.note(3)) }
      }
    }
    #expect(try await others.count() == 3)
  }

  @Test("an observer learns of the objects that the removal or a new ID of another one changes")
  func cascade() async throws {
    let keeper = ClassDescription(
      "Keeper", properties: [PropertyDescription("name", String.self)], objectID: ["name"])
    let pet = ClassDescription(
      "Pet",
      properties: [
        PropertyDescription("number", Int.self), PropertyDescription("keeper", String?.self),
        PropertyDescription("sitter", String?.self),
      ],
      references: [
        ReferenceDescription(
          "keeper", target: "Keeper", targetColumns: ["name"], onDelete: .cascade),
        ReferenceDescription(
          "sitter", target: "Keeper", targetColumns: ["name"], onDelete: .nullify),
      ])
    let vault = try Server.vault(observationInterval: .seconds(3600))
    defer { vault.close() }
    let keepers = try await vault.store(of: keeper)
    let pets = try await vault.store(of: pet)
    for name in ["a", "b", "c"] {
      try await keepers.insert(DynamicObject(of: keeper, ["name": .text(name)]))
    }
    for (number, names) in [("a", "b"), ("a", "c"), ("c", "a")].enumerated() {
      try await pets.insert(
        DynamicObject(
          of: pet,
          [
            "number": .integer(Int64(number)), "keeper": .text(names.0),
            "sitter": .text(names.1),
          ]))
    }
    var steps = 0
    for try await found in pets.observe() {
      let names = try found.map { pet in
        try ["keeper", "sitter"].map { name -> String? in
          guard case .text(let text) = try pet.value(of: name) else { return nil }
          return text
        }
      }
      switch steps {
      case 0:
        #expect(names == [["a", "b"], ["a", "c"], ["c", "a"]])
        try await onOwnThread {
          try keepers.changeID(
            of: DynamicObjectID(.text("c")), to: DynamicObjectID(.text("d")))
        }
      case 1:
        #expect(names == [["a", "b"], ["a", "d"], ["d", "a"]])
        try await onOwnThread { try keepers.remove(id: DynamicObjectID(.text("b"))) }
      case 2:
        #expect(names == [["a", nil], ["a", "d"], ["d", "a"]])
        try await onOwnThread { try keepers.where("name == 'a'").remove() }
      default:
        #expect(names == [["d", nil]])
      }
      steps += 1
      if steps == 4 { break }
    }
    #expect(steps == 4)
  }

  @Test("an observer whose connection is lost polls and listens again")
  func loss() async throws {
    let schema = Server.newSchema()
    let observer = try Server.vault(schema, observationInterval: .milliseconds(500))
    let writer = try Server.vault(schema, connection: "other")
    defer {
      observer.close()
      writer.close()
    }
    let others = try await writer.store(of: Self.notes)
    func listeners() throws -> Int {
      try others.database.opened().read { session in
        try session.with(
          "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle' "
            + "AND query LIKE 'SELECT pg_advisory_lock_shared%objectvault.\(schema)''%'"
        ) { try $0.count() }
      }
    }
    for try await count in try await observer.store(of: Self.notes).observeCount() {
      if count == 2 { break }
      while try listeners() == 0 { try await Task.sleep(for: .milliseconds(10)) }
      try await Task.detached {
        _ = try writer.opened().read { session in
          try session.with(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
              + "query LIKE 'SELECT pg_advisory_lock_shared%objectvault.\(schema)''%'"
          ) { try $0.step() }
        }
      }.value
      try await others.insert(note(count))
    }
  }

  @Test("Closing a shared vault ends its observations and events", .timeLimit(.minutes(1)))
  func closing() async throws {
    let vault = try Server.vault(observationInterval: .seconds(3600))
    let events = vault.eventStream()
    for try await count in try await vault.store(of: Self.notes).observeCount() {
      #expect(count == 0)
      vault.close()
    }
    vault.close()
    var seen: [VaultEvent] = []
    for await event in events { seen.append(event) }
    #expect(seen == [.closed])
  }

  @Test("The last reference to a shared vault closes it", .timeLimit(.minutes(1)))
  func releasing() async throws {
    for isUsed in [false, true] {
      var vault: SharedVault? = try Server.vault()
      let events = try #require(vault).eventStream()
      if isUsed { try await vault?.open() }
      vault = nil
      var seen: [VaultEvent] = []
      for await event in events { seen.append(event) }
      #expect(seen == [.closed])
    }
  }

  @Test("a process without observers does not listen") func nobody() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let notes = try vault.store(of: Self.notes)
    try notes.insert(note(1))
    let database = try ServerDatabase.of(vault)
    #expect(try !database.route.mustNotify { true })
  }
}
