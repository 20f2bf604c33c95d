import Foundation
import ObjectVaultCore
import ObjectVaultSession
import Testing
import TestSupport

@testable import ObjectVaultStores

@Suite struct QueryChangeTests {
  let test: TestVault
  let items: ObjectStore<Item>

  init() throws {
    test = try TestVault()
    items = try test.vault.store(of: Item.self)
  }

  @Test("A change names what was inserted, removed, moved and changed, with positions")
  func kinds() async throws {
    try await items.insert(
      contentsOf: ["a", "b", "c", "d"].enumerated().map { Item($1, price: Double($0)) })
    var changes = items.sorted(by: "price").observeChanges().makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.isInitial)
    #expect(first.inserted.map(\.id) == ["a", "b", "c", "d"])
    #expect(first.removed.isEmpty && first.moved.isEmpty && first.changed.isEmpty)
    try await test.vault.transaction {
      try items.remove(id: "b")
      try items.update(Item("a", price: 9))
      try items.update(Item("c", price: 2, isSold: true))
      try items.insert(Item("e", price: 1))
    }
    let second = try #require(try await changes.next())
    #expect(!second.isInitial)
    #expect(second.objects.map(\.code) == ["e", "c", "d", "a"])
    #expect(second.inserted == [.init(id: "e", position: 0)])
    #expect(second.removed == [.init(id: "b", position: 1)])
    #expect(second.moved == [.init(id: "a", from: 0, to: 3)])
    #expect(
      second.changed == [.init(id: "c", position: 1), .init(id: "a", position: 3)])
  }

  @Test("Objects whose IDs are equal to Swift, and other bytes in the file, are not taken for one")
  func equivalentIDs() async throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    try await items.insert(
      contentsOf: [composed, decomposed].map { Item($0, price: 1) })
    try await items.update(Item(decomposed, price: 2))
    var changes = items.sorted(by: "price").observeChanges().makeAsyncIterator()
    #expect(try await changes.next()?.objects.count == 2)
    try await onOwnThread { try items.remove(id: composed) }
    let removal = try #require(try await changes.next())
    #expect(removal.objects.map { Array($0.code.utf8) } == [Array(decomposed.utf8)])
    #expect(removal.removed.map { Array($0.id.utf8) } == [Array(composed.utf8)])
    #expect(removal.changed.isEmpty && removal.inserted.isEmpty && removal.moved.isEmpty)
    try await items.insert(Item(composed, price: 3))
    let insertion = try #require(try await changes.next())
    #expect(insertion.inserted == [.init(id: composed, position: 1)])
    #expect(insertion.changed.isEmpty && insertion.removed.isEmpty && insertion.moved.isEmpty)
    try await items.update(Item(composed, price: 0))
    let move = try #require(try await changes.next())
    #expect(move.moved.count == 1 && move.changed.count == 1)
    #expect(move.changed.map { Array($0.id.utf8) } == [Array(composed.utf8)])
  }

  /// A class whose object IDs are read from several stored forms.
  private struct Badge: StoredObject {
    let id: UUID
    init(_ id: UUID) { self.id = id }
    static let classDescription = ClassDescription(
      "Badge", properties: [PropertyDescription("id", UUID.self)], objectID: ["id"])
    init(row: Row) throws { id = try row.value(at: 0) }
    func encode(into binder: Binder) throws { try binder.bind(id, at: 0) }
    var storedObjectID: UUID? { id }
  }

  @Test("Objects whose stored IDs are read as one value are counted separately")
  func sameIDs() async throws {
    let badges = try await test.vault.store(of: Badge.self)
    let id = try #require(UUID(uuidString: "ABCDEFAB-CDEF-4BCD-AFAB-ABCDEFABCDEF"))
    try await badges.insert(Badge(id))
    try await onOwnThread {
      try test.vault.execute("INSERT INTO \"Badge\" SELECT lower(\"id\") FROM \"Badge\"")
    }
    var changes = badges.query.observeChanges().makeAsyncIterator()
    var list: [UUID] = []
    func apply() async throws {
      let change = try #require(try await changes.next())
      change.apply(to: &list) { $0.id }
      #expect(list == change.objects.map(\.id))
    }
    try await apply()
    #expect(list == [id, id])
    let other = UUID()
    try await badges.insert(Badge(other))
    try await apply()
    #expect(list.count == 3)
    try await onOwnThread {
      let stored = id.uuidString.lowercased()
      try test.vault.execute("DELETE FROM \"Badge\" WHERE \"id\" = \(stored)")
    }
    try await apply()
    #expect(list.count == 2)
    try await onOwnThread { try test.vault.execute("DELETE FROM \"Badge\"") }
    try await apply()
    #expect(list.isEmpty)
  }

  @Test("A list is unchanged if an item cannot be created")
  func failingItem() async throws {
    try await items.insert(contentsOf: (0..<4).map { Item("\($0)", price: Double($0)) })
    var changes = items.sorted(by: "price").observeChanges().makeAsyncIterator()
    _ = try await changes.next()
    try await test.vault.transaction {
      try items.remove(id: "1")
      try items.update(Item("3", price: -1))
      try items.insert(Item("new", price: 1.5))
    }
    let change = try #require(try await changes.next())
    #expect(change.removed.count == 1 && change.moved.count == 1 && change.inserted.count == 1)
    var list = ["0", "1", "2", "3"]
    #expect(throws: OnPurpose.self) {
      try change.apply(to: &list) { _ -> String in throw OnPurpose() }
    }
    #expect(list == ["0", "1", "2", "3"])
    var created: [String] = []
    change.apply(to: &list) { item in
      created.append(item.code)
      return item.code
    }
    #expect(list == ["3", "0", "new", "2"])
    #expect(created == ["3", "new"])
  }

  @Test("A moved object alone is told as moved, not those that it passed")
  func fewestMoves() async throws {
    try await items.insert(contentsOf: (0..<10).map { Item("\($0)", price: Double($0)) })
    var changes = items.sorted(by: "price").observeChanges().makeAsyncIterator()
    _ = try await changes.next()
    try await items.update(Item("9", price: -1))
    #expect(try await changes.next()?.moved == [.init(id: "9", from: 9, to: 0)])
    try await items.update(Item("9", price: 4.5))
    #expect(try await changes.next()?.moved == [.init(id: "9", from: 0, to: 5)])
  }

  @Test("Generated changes, applied to the former list, give the present one")
  func generated() async throws {
    var random = SeededGenerator(for: "query changes")
    var changes = items.where("isSold == nil").sorted(by: "price", "code").observeChanges()
      .makeAsyncIterator()
    var list: [Item] = []
    var kinds = [0, 0, 0, 0]
    for _ in 0..<150 {
      let steps = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        (
          code: "\(Int.random(in: 0..<30, using: &random))",
          price: Double(Int.random(in: 0..<8, using: &random)),
          kind: Int.random(in: 0..<5, using: &random)
        )
      }
      // Something that differs for sure.
      let price = Double(Int.random(in: 0..<1_000_000, using: &random))
      try await test.vault.transaction {
        for step in steps {
          switch step.kind {
          case 0: if try items.contains(id: step.code) { try items.remove(id: step.code) }
          case 1: try items.save(Item(step.code, price: step.price, isSold: true))
          default: try items.save(Item(step.code, price: step.price))
          }
        }
        _ = try items.save(Item("x", price: price))
      }
      let change = try #require(try await changes.next())
      change.apply(to: &list) { $0 }
      #expect(list == change.objects, "seed \(random.seed)")
      // Without making changed items anew, the IDs are in place all the same.
      kinds[0] += change.inserted.count
      kinds[1] += change.removed.count
      kinds[2] += change.moved.count
      kinds[3] += change.changed.count
      #expect(
        change.objects == (try await items.where("isSold == nil").sorted(by: "price", "code").all())
      )
    }
    #expect(kinds.allSatisfy { $0 >= 50 }, "\(kinds)")
  }

  @Test("A row's digest tells storage classes, empty text and blob, and columns apart")
  func digests() throws {
    let values = [
      "1, NULL", "1.0, NULL", "'1', NULL", "x'31', NULL", "'', NULL", "x'', NULL", "NULL, NULL",
      "NULL, 1", "'a', 'bc'", "'ab', 'c'", "0, NULL", "-0.0, NULL",
    ]
    let digests = try values.map { values in
      try test.vault.file().read { connection in
        try connection.with("SELECT \(values)") { statement in
          _ = try statement.step()
          return RowDigest(statement.row)
        }
      }
    }
    #expect(Set(digests).count == values.count)
    let again = try test.vault.file().read { connection in
      try connection.with("SELECT 1, NULL") { statement in
        _ = try statement.step()
        return RowDigest(statement.row)
      }
    }
    #expect(again == digests[0])
    #expect(RowDigest(again, with: digests[1]) != RowDigest(digests[1], with: again))
  }
}
