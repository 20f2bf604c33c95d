import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultModel
import Synchronization
import TestSupport
import Testing

import ObjectVaultServer

/// Programs with different versions of a class that use one server at the same time.
@Suite("An older program on a PostgreSQL server", .enabled(if: Server.address != nil), .serialized)
struct OlderServerProgramTests: ServerUpgrading {
  let schema = Server.newSchema()

  private static func item(version: Int) -> ClassDescription {
    ClassDescription(
      "Item",
      properties: [
        PropertyDescription("name", String.self), PropertyDescription("price", Int.self),
      ], version: version)
  }

  private func item(
    _ name: String, _ price: Int, of description: ClassDescription = Self.item(version: 1)
  ) throws -> DynamicObject {
    var object = try DynamicObject(of: description)
    try object.set("name", to: .text(name))
    try object.set("price", to: .integer(Int64(price)))
    return object
  }

  /// The class with a reference, whose objects are inserted in another way.
  private static func linked(version: Int) -> ClassDescription {
    var description = item(version: version)
    description.properties.append(PropertyDescription("next", Int?.self))
    description.references = [
      ReferenceDescription("next", target: "Item", targetColumns: ["objectID"], onDelete: .nullify)
    ]
    return description
  }

  /// Every way to write by a store.
  private func writes(_ store: ObjectStore<DynamicObject>) throws -> [WayToWrite] {
    let stored = try #require(try store.find(DynamicObjectID(.integer(1))))
    return store.waysToWrite(
      stored, try item("c", 3, of: store.classDescription), changing: "name")
  }

  private struct OnPurpose: Error {}

  /// Performs a write several times in transactions that are rolled back, which prepares its
  /// statements.
  private func prepare(_ write: () throws -> Void, in vault: SharedVault, times: Int) {
    for _ in 0..<times {
      #expect(throws: OnPurpose.self) {
        try vault.transaction {
          try write()
          throw OnPurpose()
        }
      }
    }
  }

  @Test("writes no object of a class that a newer version of it changed")
  func newerVersion() throws {
    try withVault("old") { vault in
      let store = try vault.store(of: Self.item(version: 1))
      try store.insert(contentsOf: [item("a", 1), item("b", 2)])
      // Every statement was prepared before, also to be committed at once.
      for (_, write) in try writes(store) { prepare(write, in: vault, times: 2) }
      let stored = try #require(try store.find(DynamicObjectID(.integer(1))))
      for _ in 0..<3 {
        try store.insert(item("c", 3))
        try store.update(stored)
        try store.update(stored, only: "price")
        try store.remove(try #require(try store.all().last))
      }
      try withVault("new") { _ = try $0.store(of: Self.item(version: 2)) }
      let before = try store.all().map { try $0.value(of: "name") }
      for (name, write) in try writes(store) {
        #expect(code(of: write) == .newerSchema, "\(name)")
        try vault.transaction {
          #expect(code(of: write) == .newerSchema, "\(name) in a transaction")
        }
      }
      #expect(try store.all().map { try $0.value(of: "name") } == before)
    }
  }

  @Test("notices the upgrade in its first write", arguments: 0..<12, [false, true])
  func firstWrite(number: Int, isLinked: Bool) throws {
    let form = isLinked ? Self.linked : Self.item
    try withVault("old") { vault in
      let store = try vault.store(of: form(1))
      try insert(
        (1...6).map { ["name": .text($0 < 6 ? "b" : "a"), "price": .integer(1)] }, store)
      let (name, write) = try writes(store)[number]
      // Each statement was prepared before, also to be committed at once.
      prepare(write, in: vault, times: 3)
      for _ in 1...3 {
        try store.update(try #require(try store.all().last))
        try store.remove(try #require(try store.all().last))
      }
      try withVault("new") { _ = try $0.store(of: form(2)) }
      let before = try store.all().map { try $0.value(of: "name") }
      #expect(code(of: write) == .newerSchema, "\(name)")
      #expect(try store.all().map { try $0.value(of: "name") } == before)
    }
  }

  @Test("writes to a class whose table has a quote in its name") func quotes() throws {
    let description = ClassDescription(
      "Item", table: "an \"item\"", properties: [PropertyDescription("name", String.self)])
    try withVault("old") { vault in
      let store = try vault.store(of: description)
      try insert((1...5).map { ["name": .text("\($0)")] }, store)
      #expect(try store.count() == 5)
    }
  }

  @Test("inside a transaction, no stored object is changed, but a class gets new properties")
  func upgradeInTransaction() throws {
    try withVault("old") { vault in
      let store = try vault.store(of: Self.item(version: 1))
      try insert([["name": .text("a"), "price": .integer(1)]], store)
    }
    try withVault("new") { vault in
      let refused = code { try vault.transaction { _ = try vault.store(of: ItemInCents.self) } }
      #expect(refused == .upgradeInTransaction)
      var converted = Self.item(version: 1)
      converted.properties[1] = PropertyDescription("price", String.self)
      let description = converted
      try vault.transaction {
        // The snapshot of the transaction lacks what is stored now.
        let store = try vault.store(of: Self.item(version: 1))
        #expect(try store.count() == 1)
        try withVault("other") { _ = try $0.store(of: Self.item(version: 1)).insert(item("b", 2)) }
        #expect(code { _ = try vault.store(of: description) } == .upgradeInTransaction)
        var timed = Self.item(version: 1)
        timed.options.keepsInsertionTime = true
        let withTime = timed
        #expect(code { _ = try vault.store(of: withTime) } == .upgradeInTransaction)
      }
      var more = Self.item(version: 1)
      more.properties.append(PropertyDescription("note", String?.self))
      try vault.transaction { _ = try vault.store(of: more) }
    }
  }

  @Test("continues to write after a change of another class", arguments: [false, true])
  func otherClass(inTransactions: Bool) throws {
    try withVault("old") { vault in
      let store = try vault.store(of: Self.item(version: 1))
      func insert(_ name: String) throws {
        let object = try item(name, 1)
        if inTransactions {
          try vault.transaction { try store.insert(object) }
        } else {
          try store.insert(object)
        }
      }
      for name in ["a", "b", "c"] { try insert(name) }
      for number in 0..<3 {
        try withVault("new") { other in
          let description = ClassDescription(
            "Other\(number)", properties: [PropertyDescription("name", String.self)])
          _ = try other.store(of: description)
        }
        for name in ["d", "e", "f"] { try insert(name) }
      }
      #expect(try store.count() == 12)
    }
  }

  @Test(
    "waits for an upgrade that converts values, and stores none that it has not converted",
    arguments: 1...5)
  func duringUpgrade(count: Int) throws {
    try withVault("old") { vault in
      let store = try vault.store(of: Self.item(version: 1))
      // The next one is prepared in another form after each of the first ones.
      for _ in 1...count { try store.insert(item("a", 1)) }
      let ended = DispatchSemaphore(value: 0)
      let failure = Mutex<String?>(nil)
      Thread.detachNewThread {
        defer { ended.signal() }
        do {
          try withVault("new") { _ = try $0.store(of: ItemInCents.self) }
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
      }
      ItemInCents.isConverted.wait()
      Thread.detachNewThread {
        // The other program writes meanwhile.
        Thread.sleep(forTimeInterval: 0.3)
        ItemInCents.mayEnd.signal()
      }
      let refused = code { try store.insert(item("d", 1)) }
      // In a transaction that began before, one of the two must run again.
      #expect(refused == .newerSchema || refused == .conflict, "\(String(describing: refused))")
      #expect(code { try store.insert(item("d", 1)) } == .newerSchema)
      ended.wait()
      #expect(failure.withLock { $0 } == nil)
      try withVault("third") { other in
        let prices = try values("price", other.store(of: Self.item(version: 2)))
        #expect(prices == Array(repeating: .integer(100), count: count))
      }
    }
  }

  @Test("an upgrade converts objects of a transaction that it waits for") func afterTransaction()
    throws
  {
    let name = PropertyDescription("name", String.self)
    let former = ClassDescription(
      "Item", properties: [name, PropertyDescription("price", Int?.self)])
    let present = ClassDescription(
      "Item", properties: [name, PropertyDescription("price", String?.self)])
    try withVault("old") { vault in
      let store = try vault.store(of: former)
      try insert([["name": .text("a"), "price": .integer(1)]], store)
      let ended = DispatchSemaphore(value: 0)
      try vault.transaction {
        try insert([["name": .text("b"), "price": .integer(2)]], store)
        Thread.detachNewThread {
          defer { ended.signal() }
          try? withVault("new") { _ = try $0.store(of: present) }
        }
        // The upgrade waits for the end of this transaction.
        Thread.sleep(forTimeInterval: 1)
      }
      ended.wait()
    }
    try withVault("last") { vault in
      let store = try vault.store(of: present)
      #expect(try values("price", store) == [.text("1"), .text("2")])
    }
  }

  @Test("of two transactions that create a class, one must run again", .timeLimit(.minutes(1)))
  func inTransactions() throws {
    let isCreated = DispatchSemaphore(value: 0)
    let isWaiting = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      defer { ended.signal() }
      try? withVault("first") { vault in
        try vault.transaction {
          let store = try vault.store(of: Self.item(version: 1))
          try store.insert(item("a", 1))
          isCreated.signal()
          isWaiting.wait()
          Thread.sleep(forTimeInterval: 0.3)
        }
      }
    }
    isCreated.wait()
    try withVault("second") { vault in
      isWaiting.signal()
      #expect(
        code {
          _ = try vault.transaction {
            try vault.store(of: Self.item(version: 1)).insert(item("b", 1))
          }
        } == .conflict)
      ended.wait()
      _ = try vault.transaction { try vault.store(of: Self.item(version: 1)).insert(item("b", 1)) }
      #expect(try vault.store(of: Self.item(version: 1)).count() == 2)
    }
  }

  @Test(
    "several programs that open a class at the same time all succeed", arguments: [1, 2], 1...2)
  func together(version: Int, round: Int) throws {
    if version == 2 {
      try withVault("first") { _ = try $0.store(of: Self.item(version: 1)).insert(item("a", 1)) }
    }
    var changed = Self.item(version: version)
    if version == 2 { changed.properties.append(PropertyDescription("note", String?.self)) }
    let description = changed
    let meeting = Mutex(0)
    let failures = Mutex<[String]>([])
    let ended = DispatchSemaphore(value: 0)
    for number in 0..<6 {
      Thread.detachNewThread {
        defer { ended.signal() }
        do {
          try withVault("program\(number)") { vault in
            try vault.transaction {}
            meeting.withLock { $0 += 1 }
            while meeting.withLock({ $0 }) < 6 { Thread.sleep(forTimeInterval: 0.001) }
            let store = try vault.store(of: description)
            try store.insert(item("\(number)", 1, of: description))
          }
        } catch {
          failures.withLock {
            $0.append("\(error) \(String(describing: (error as? VaultError)?.underlying))")
          }
          meeting.withLock { $0 = 6 }
        }
      }
    }
    for _ in 0..<6 { ended.wait() }
    #expect(failures.withLock { $0 } == [])
    try withVault("last") { vault in
      let count = try vault.store(of: description).count()
      #expect(count == (version == 2 ? 7 : 6))
    }
  }
}

/// The second version of the class, which counts the price in cents.
private struct ItemInCents: StoredObject, GeneratesObjectID, Sendable {
  static let classDescription = ClassDescription(
    "Item",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("price", Int.self),
    ], version: 2)

  static let isConverted = DispatchSemaphore(value: 0)
  static let mayEnd = DispatchSemaphore(value: 0)

  var objectID: Int64?
  var name: String
  var price: Int

  init(row: Row) throws {
    name = try row.value(at: 0)
    price = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(price, at: 1)
  }

  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
    let store = try context.database.store(of: Self.self)
    var items = try store.all()
    for index in items.indices { items[index].price *= 100 }
    try store.update(contentsOf: items)
    isConverted.signal()
    _ = mayEnd.wait(timeout: .now() + 20)
  }
}
