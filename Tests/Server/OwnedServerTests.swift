import ObjectVaultCore
import ObjectVaultServer
import Testing

/// Objects with owned objects on a server.
@Suite("Owned objects on a PostgreSQL server", .enabled(if: Server.address != nil))
struct OwnedServerTests {
  struct Keeper: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var toys: [Toy]?

    init(name: String, toys: [Toy]?) { (self.name, self.toys) = (name, toys) }

    static let classDescription = ClassDescription(
      "Keeper",
      members: [
        .property(.init("name", String.self)), .owned("toys", Toy.self, reference: "keeper"),
      ])
    static let referenceTarget = ReferenceTarget(table: "Keeper")
    static var referencedClasses: [any StoredObject.Type] { [Toy.self] }
    static var ownedProperties: [OwnedProperty<Keeper>] { [.many(\.toys, by: \Toy.keeper)] }

    init(row: Row) throws {
      name = try row.value(at: 0)
      objectID = try row.value(at: 1)
    }

    func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  }

  struct Toy: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var keeper: Ref<Keeper>?

    init(name: String) { self.name = name }

    static let classDescription = ClassDescription(
      "Toy",
      members: [
        .property(.init("name", String.self)),
        .reference("keeper", Ref<Keeper>?.self, onDelete: .cascade),
      ])
    static let referenceTarget = ReferenceTarget(table: "Toy")
    static var referencedClasses: [any StoredObject.Type] { [Keeper.self] }

    init(row: Row) throws {
      name = try row.value(at: 0)
      keeper = try row.value(at: 1)
      objectID = try row.value(at: 2)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(keeper, at: 1)
    }
  }

  @Test("more owners than a query has parameters are stored and fetched with their objects")
  func owners() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let keepers = try vault.store(of: Keeper.self)
    let count = 1500
    try keepers.insert(
      contentsOf: (0..<count).map { number in
        Keeper(
          name: "k\(number)", toys: (0..<number % 3).map { Toy(name: "t\(number)-\($0)") })
      })
    let all = try keepers.all()
    #expect(all.count == count)
    for keeper in all {
      let number = Int(keeper.name.dropFirst()) ?? -1
      #expect(keeper.toys?.map(\.name) == (0..<number % 3).map { "t\(number)-\($0)" })
    }
    var changed = all[2]
    changed.toys?.removeLast()
    changed.toys?.append(Toy(name: "new"))
    try keepers.save(changed)
    let id = try #require(changed.objectID)
    #expect(try keepers.find(id)?.toys?.map(\.name) == ["t2-0", "new"])
    try keepers.remove(ids: all.compactMap(\.objectID))
    #expect(try vault.store(of: Toy.self).count() == 0)
  }
}
