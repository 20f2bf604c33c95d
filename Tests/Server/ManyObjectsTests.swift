import ObjectVaultCore
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultServer

/// Changes of many objects, which are sent together, fail as changes of one object do.
@Suite("Many objects on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ManyObjectsTests {
  private static let items = ClassDescription(
    "Item",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("rank", Int?.self),
      PropertyDescription("bytes", [UInt8].self),
    ],
    indexes: [IndexDescription(["rank"], unique: true)])

  private func item(_ rank: Int, name: String = "item") throws -> DynamicObject {
    var item = try DynamicObject(of: Self.items)
    try item.set("name", to: .text(name))
    try item.set("rank", to: rank % 3 == 0 ? .null : .integer(Int64(rank)))
    try item.set("bytes", to: .blob([0, UInt8(truncatingIfNeeded: rank)]))
    return item
  }

  private func store() throws -> ObjectStore<DynamicObject> {
    try Server.vault().store(of: Self.items)
  }

  private func failure(_ body: () throws -> Void) -> VaultError? {
    do {
      try body()
      return nil
    } catch {
      return error as? VaultError
    }
  }

  @Test("more objects than fit into one message are stored with their object IDs")
  func insertion() throws {
    let items = try store()
    let ids = try items.insert(contentsOf: (1...20_000).map { try item($0) })
    #expect(ids.count == 20_000)
    for number in [0, 1, 2, 16_383, 16_384, 19_999] {
      let found = try #require(try items.find(ids[number]))
      #expect(try found.value(of: "bytes") == item(number + 1).value(of: "bytes"))
      #expect(try found.value(of: "rank") == item(number + 1).value(of: "rank"))
    }
    // A sequence that is not an array.
    let more = try items.insert(contentsOf: [30_001, 30_003].lazy.map { try! self.item($0) })
    #expect(try items.find(more[1])?.value(of: "bytes") == item(30_003).value(of: "bytes"))
    #expect(try items.count() == 20_002)
  }

  @Test("object IDs belong to their objects while two vaults insert many")
  func twoVaults() async throws {
    let (first, second) = try Server.twoVaults()
    let stores = [
      try await first.store(of: Self.items), try await second.store(of: Self.items),
    ]
    @Sendable func run(_ side: Int, _ vault: SharedVault) throws {
      for round in 0..<10 {
        let ranks = (0..<200).map { 3 * (1 + $0 + 200 * (round + 10 * side)) }
        let ids = try vault.transaction(retryingFor: .seconds(20)) {
          try stores[side].insert(contentsOf: ranks.map { try item($0) })
        }
        for (rank, id) in zip(ranks, ids) {
          let found = try stores[side].find(id)
          #expect(try found?.value(of: "bytes") == item(rank).value(of: "bytes"))
        }
      }
    }
    async let one: Void = onOwnThread { try run(0, first) }
    async let other: Void = onOwnThread { try run(1, second) }
    _ = try await (one, other)
    #expect(try await stores[0].count() == 4000)
  }

  private func item(_ rank: Int, number: Int64) throws -> DynamicObject {
    var item = try item(rank)
    item.assignObjectID(DynamicObjectID(.integer(number)))
    return item
  }

  @Test("objects with given object IDs far apart are stored by one statement") func given() throws {
    let items = try store()
    try items.database.opened().withWriter { session in
      for sql in [
        "CREATE TABLE \"insertions\" (place bigint GENERATED ALWAYS AS IDENTITY)",
        "CREATE FUNCTION \"counts\"() RETURNS trigger LANGUAGE plpgsql AS "
          + "'BEGIN INSERT INTO \"insertions\" DEFAULT VALUES; RETURN NULL; END'",
        "CREATE TRIGGER \"count\" AFTER INSERT ON \"Item\" EXECUTE FUNCTION \"counts\"()",
      ] { try session.execute(sql) }
    }
    func insertions() throws -> Int {
      try items.database.opened().withWriter { session in
        try session.with("SELECT count(*) FROM \"insertions\"") { try $0.count() }
      }
    }
    let numbers = (1...1_000).map { Int64(60_000 * $0) }
    let ids = try items.insert(contentsOf: numbers.map { try item(Int($0), number: $0) })
    #expect(ids == numbers.map { DynamicObjectID(.integer($0)) })
    #expect(try insertions() == 1)
    for number in [numbers[0], numbers[499], numbers[999]] {
      let found = try #require(try items.find(DynamicObjectID(.integer(number))))
      #expect(try found.value(of: "bytes") == item(Int(number)).value(of: "bytes"))
    }
    let next = try items.insert(item(1)).storedObjectID
    #expect(next == DynamicObjectID(.integer(60_000_001)))
    // Lower and negative numbers, which leave the series as it is.
    try items.insert(contentsOf: [item(2, number: -5), item(4, number: 0), item(5, number: 7)])
    #expect(try insertions() == 3)
    #expect(try items.insert(item(7)).storedObjectID == DynamicObjectID(.integer(60_000_002)))
  }

  @Test("a given object ID that is taken is rejected as if it were inserted alone")
  func takenID() throws {
    let items = try store()
    try items.insert(item(1, number: 50))
    let alone = failure { try items.insert(item(2, number: 50)) }
    let together = failure {
      try items.insert(contentsOf: [item(4, number: 51), item(2, number: 50)])
    }
    #expect(alone?.code == .duplicate)
    #expect(together?.code == .duplicate)
    #expect(together?.message == alone?.message)
    let twice = failure {
      try items.insert(contentsOf: [item(4, number: 60), item(5, number: 60)])
    }
    #expect(twice?.code == .duplicate)
    #expect(try items.count() == 1)
    // Some with object IDs.
    let ids = try items.insert(contentsOf: [item(7, number: 70), item(8), item(10, number: 90)])
    #expect(ids[0] == DynamicObjectID(.integer(70)))
    #expect(ids[1] == DynamicObjectID(.integer(71)))
    #expect(ids[2] == DynamicObjectID(.integer(90)))
    // The last number, after which none can be generated.
    try items.insert(contentsOf: [item(11, number: 100), item(13, number: .max)])
    #expect(failure { try items.insert(item(14)) }?.code == .constraint)
    #expect(try items.count() == 6)
  }

  @Test("an object that cannot be stored is rejected as if it were inserted alone")
  func rejectedInsertion() throws {
    let items = try store()
    try items.insert(item(1))
    let alone = failure { try items.insert(item(1)) }
    let together = failure { try items.insert(contentsOf: [item(4), item(1), item(5)]) }
    #expect(alone?.code == .duplicate)
    #expect(together?.code == .duplicate)
    #expect(together?.message == alone?.message)
    let text = failure { try items.insert(contentsOf: [item(7), item(8, name: "a\0b")]) }
    #expect(text?.code == .invalidValue)
    #expect(try items.count() == 1)
    // The transaction keeps its earlier changes.
    let inside = try items.database.transaction {
      try items.insert(item(10))
      let error = failure { try items.insert(contentsOf: [item(11), item(1)]) }
      try items.insert(contentsOf: [item(12), item(13)])
      return error
    }
    #expect(inside?.code == .duplicate)
    #expect(try items.count() == 4)
  }

  @Test("objects that a trigger of the database skips are an error") func skipped() throws {
    let items = try store()
    try items.insert(item(1))
    try items.database.opened().withWriter { session in
      try session.execute(
        "CREATE FUNCTION \"skip\"() RETURNS trigger LANGUAGE plpgsql AS "
          + "'BEGIN IF new.\"rank\" = 7 THEN RETURN NULL; END IF; RETURN new; END'")
      try session.execute(
        "CREATE TRIGGER \"skips\" BEFORE INSERT ON \"Item\" FOR EACH ROW "
          + "EXECUTE FUNCTION \"skip\"()")
    }
    let together = failure { try items.insert(contentsOf: (4...13).map { try item($0) }) }
    let alone = failure { try items.insert(item(7)) }
    #expect(together?.code == .constraint)
    #expect(together?.message == alone?.message)
    #expect(try items.count() == 1)
    let ids = try items.insert(contentsOf: (20...39).map { try item($0) })
    for (number, id) in ids.enumerated() {
      let found = try items.find(id)
      #expect(try found?.value(of: "bytes") == item(20 + number).value(of: "bytes"))
    }
  }

  @Test("an update of many objects changes all or none") func update() throws {
    let items = try store()
    let ids = try items.insert(contentsOf: (1...600).map { try item($0) })
    func changed(_ id: DynamicObjectID, rank: Int) throws -> DynamicObject {
      var object = try item(rank, name: "changed")
      object.assignObjectID(id)
      return object
    }
    var objects = try ids.enumerated().map { try changed($1, rank: 1000 + $0) }
    try items.update(contentsOf: objects)
    #expect(try items.where("name == 'changed'").count() == 600)
    objects[300] = try changed(ids[300], rank: 1001)
    let duplicate = failure { try items.update(contentsOf: objects) }
    #expect(duplicate?.code == .duplicate)
    #expect(duplicate?.message == failure { try items.update(objects[300]) }?.message)
    objects[300] = try changed(DynamicObjectID(.integer(77_777)), rank: 9001)
    #expect(
      failure { try items.update(contentsOf: objects, only: "name") }?.code == .noSuchObject)
    #expect(try items.find(ids[300])?.value(of: "rank") == item(1300).value(of: "rank"))
  }

  @Test("a removal of many objects removes all or none") func removal() throws {
    let items = try store()
    let ids = try items.insert(contentsOf: (1...600).map { try item($0) })
    let missing = DynamicObjectID(.integer(77_777))
    #expect(failure { try items.remove(ids: ids + [missing]) }?.code == .noSuchObject)
    #expect(failure { try items.remove(ids: [ids[0], ids[1], ids[0]]) }?.code == .noSuchObject)
    #expect(try items.count() == 600)
    try items.remove(ids: ids[..<599])
    #expect(try items.all().map(\.storedObjectID) == [ids[599]])
  }

  @Test("a single statement that fails leaves nothing behind") func single() throws {
    let items = try store()
    let first = try items.insert(item(1))
    for rank in 2...4 { try items.insert(item(rank)) }
    for _ in 0..<3 {
      #expect(failure { try items.insert(item(1)) }?.code == .duplicate)
      #expect(failure { try items.update(item(1)) }?.code == .noObjectID)
    }
    let second = try items.insert(item(5))
    let id = try #require(first.storedObjectID)
    var object = try #require(try items.find(id))
    try object.set("rank", to: .integer(5))
    #expect(failure { try items.update(object) }?.code == .duplicate)
    try object.set("rank", to: .integer(8))
    try items.update(object)
    #expect(try items.where("rank == 8").count() == 1)
    #expect(second.storedObjectID != first.storedObjectID)
    #expect(try items.count() == 5)
  }
}
