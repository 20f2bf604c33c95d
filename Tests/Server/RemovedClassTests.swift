import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultServer

@Suite("A class that another program removes or changes", .enabled(if: Server.address != nil))
struct RemovedClassTests {
  private let note = ClassDescription(
    "Note",
    properties: [
      PropertyDescription("id", String.self), PropertyDescription("text", String?.self),
    ],
    objectID: ["id"])

  /// Every way to read by a store.
  private func reads(
    _ store: ObjectStore<DynamicObject>, in vault: SharedVault
  ) -> [(name: String, read: () throws -> Void)] {
    let ids = ["a", "b"].map { DynamicObjectID(.text($0)) }
    return [
      ("find", { _ = try store.find(ids[0]) }),
      ("find many", { _ = try store.find(ids: ids) }),
      ("all", { _ = try store.all() }),
      ("read", { _ = try vault.read { try store.where("text == 'x'").count() } }),
      ("read many", { _ = try vault.read { try store.find(ids: ids) } }),
      ("transaction", { _ = try vault.transaction { try store.where("text == 'x'").count() } }),
      (
        "nested",
        {
          _ = try vault.transaction {
            try vault.transaction { try store.where("text == 'x'").all() }
          }
        }
      ),
      ("iteration", { try vault.read { try store.where("text == 'x'").forEach { _ in } } }),
    ]
  }

  /// Checks the error of each way to read, with a store that has not met the change.
  private func check(_ expected: VaultError.Code, _ change: (SharedVault) throws -> Void) throws {
    var number = 0
    while true {
      let (vault, other) = try Server.twoVaults()
      defer {
        vault.close()
        other.close()
      }
      let store = try vault.store(of: note)
      var object = try DynamicObject(of: note)
      try object.set("id", to: .text("a"))
      try object.set("text", to: .text("x"))
      try store.insert(object)
      let reads = reads(store, in: vault)
      guard reads.indices.contains(number) else { return }
      let (name, read) = reads[number]
      try read()
      try change(other)
      #expect(code(of: read) == expected, "\(name)")
      #expect(code(of: read) == expected, "\(name) again")
      if expected == .invalidated {
        #expect(code { _ = try store.count() } == expected, "\(name), then count")
      }
      number += 1
    }
  }

  @Test("A removed class is .invalidated in every way of reading") func removed() throws {
    try check(.invalidated) { try $0.removeStore(named: "Note") }
  }

  @Test("A class without a column is .schemaMismatch in every way of reading") func changed() throws
  {
    try check(.schemaMismatch) { vault in
      try vault.opened().withWriter {
        try $0.execute("ALTER TABLE \"Note\" DROP COLUMN \"text\"")
      }
    }
  }
}
