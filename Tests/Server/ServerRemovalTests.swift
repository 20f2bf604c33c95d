import ObjectVaultCondition
import ObjectVaultCore
import TestSupport
import Testing

import ObjectVaultServer

@Suite("Removals on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerRemovalTests: ServerUpgrading {
  let schema = Server.newSchema()

  private func member(_ name: String, of other: String) -> ClassDescription {
    ClassDescription(
      name, properties: [PropertyDescription("other", Int64?.self)],
      references: [ReferenceDescription("other", target: other, onDelete: .cascade)])
  }

  /// Removes objects of two classes that remove each other, and of one that is removed with them.
  private func check(_ database: some Database) throws {
    let classes = [member("User", of: "Profile"), member("Profile", of: "User")]
    let users = try database.store(of: classes[0], with: [classes[1]])
    let profiles = try database.store(of: classes[1], with: [classes[0]])
    let visits = try database.store(of: member("Visit", of: "User"), with: classes)
    try insert([[:], [:], [:]], users)
    try insert([["other": .integer(1)], ["other": .integer(2)], [:]], profiles)
    try insert([["other": .integer(1)], ["other": .integer(3)]], visits)
    // The first user removes the first profile, which removes the second user.
    var second = try #require(try users.find(DynamicObjectID(.integer(2))))
    try second.set("other", to: .integer(1))
    try users.update(second)
    let first = try #require(try users.find(DynamicObjectID(.integer(1))))
    let plan = try users.deletionPlan(of: first)
    #expect(plan.removed == 5 && plan.isAllowed)
    #expect(try users.deletionPlan().removed == 7)
    try database.read {
      let again = try users.deletionPlan(of: first)
      #expect(again == plan)
    }
    try users.remove(first)
    #expect(try users.count() == 1 && profiles.count() == 1 && visits.count() == 1)
  }

  // MARK: Object IDs in another order than the objects

  private static let root = ClassDescription(
    "Root",
    properties: [PropertyDescription("id", Int.self), PropertyDescription("up", Int?.self)],
    objectID: ["id"],
    references: [
      ReferenceDescription("up", target: "Root", targetColumns: ["id"], onDelete: .cascade)
    ])

  private static func leaf(_ name: String, of target: String, _ rules: [DeleteRule])
    -> ClassDescription
  {
    ClassDescription(
      name,
      properties: [PropertyDescription("id", Int.self)]
        + rules.map { PropertyDescription($0.rawValue, Int?.self) }, objectID: ["id"],
      references: rules.map {
        ReferenceDescription($0.rawValue, target: target, targetColumns: ["id"], onDelete: $0)
      })
  }

  private static let classes = [
    root, leaf("Leaf", of: "Root", [.cascade, .nullify, .deny]),
    leaf("Tag", of: "Leaf", [.cascade, .noAction]),
  ]

  private func stores(_ database: some Database) throws -> [ObjectStore<DynamicObject>] {
    try Self.classes.map { one in
      try database.store(of: one, with: Self.classes.filter { $0.name != one.name })
    }
  }

  /// Returns what happens by random insertions and removals.
  private func outcomes(_ database: some Database, seed: UInt64) throws -> [String] {
    var random = SeededGenerator(seed: seed)
    let stores = try stores(database)
    var outcomes: [String] = []
    func note(_ name: String, _ body: () throws -> String) {
      do {
        outcomes.append("\(name): \(try body())")
      } catch {
        outcomes.append("\(name): \((error as? VaultError).map { "\($0.code)" } ?? "\(error)")")
      }
    }
    for _ in 0..<60 {
      let store = random.pick(stores)
      let id = StoredValue.integer(Int64.random(in: 1...9, using: &random))
      var object = try DynamicObject(of: store.classDescription)
      try object.set("id", to: id)
      for property in store.classDescription.properties.dropFirst() where random.oneIn(2) {
        try object.set(property.name, to: .integer(Int64.random(in: 1...9, using: &random)))
      }
      let name = store.classDescription.name
      if !random.oneIn(4) {
        note("insert \(name)") {
          try store.insert(object)
          return "done"
        }
      } else {
        note("plan \(name)") {
          let plan = try store.deletionPlan(ids: [DynamicObjectID(id)])
          return "\(plan.removed), \(plan.isAllowed)"
        }
        note("remove \(name)") {
          try store.remove(ids: [DynamicObjectID(id)])
          return "done"
        }
      }
      for store in stores { note("all") { "\(try values("id", store))" } }
    }
    return outcomes
  }

  @Test("remove the objects that a vault in memory removes, whatever their object IDs are")
  func agreement() throws {
    for seed in UInt64(1)...12 {
      let expected = try outcomes(try Vault.inMemory(), seed: seed)
      let vault = try Server.vault()
      defer { vault.close() }
      #expect(try outcomes(vault, seed: seed) == expected, "\(seed)")
    }
  }

  @Test("leave the objects that belong to another object") func otherOwners() throws {
    try withVault("a") { vault in
      let stores = try stores(vault)
      try insert([["id": .integer(5)], ["id": .integer(1)]], stores[0])
      try insert([["id": .integer(3), "cascade": .integer(1)]], stores[1])
      try insert([["id": .integer(4), "cascade": .integer(3)]], stores[2])
      try stores[0].remove(id: DynamicObjectID(.integer(5)))
      #expect(try stores.map { try $0.count() } == [1, 1, 1])
      try stores[0].remove(id: DynamicObjectID(.integer(1)))
      #expect(try stores.map { try $0.count() } == [0, 0, 0])
    }
  }

  @Test("of classes that remove each other, and their plans, are those of a vault in memory")
  func cycle() throws {
    try check(try Vault.inMemory())
    try withVault("a") { try check($0) }
  }
}
