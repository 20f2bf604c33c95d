import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultServer

/// Objects with owned objects on a server.
@Suite("Owned objects on a PostgreSQL server", .enabled(if: Server.address != nil))
struct OwnedServerTests {
  struct Keeper: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var toys: [Toy]?
    var queue: [Toy]?

    init(name: String, toys: [Toy]? = nil, queue: [Toy]? = nil) {
      (self.name, self.toys, self.queue) = (name, toys, queue)
    }

    static let classDescription = ClassDescription(
      "Keeper",
      members: [
        .property(.init("name", String.self)), .owned("toys", Toy.self, reference: "keeper"),
        .owned("queue", Toy.self, reference: "queued", ordered: true),
      ])
    static let referenceTarget = ReferenceTarget(table: "Keeper")
    static var referencedClasses: [any StoredObject.Type] { [Toy.self] }
    static var ownedProperties: [OwnedProperty<Keeper>] {
      [.many(\.toys, by: \Toy.keeper), .many(\.queue, by: \Toy.queued)]
    }

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
    var queued: Ref<Keeper>?
    var friend: Ref<Toy>?

    init(name: String) { self.name = name }

    static let classDescription = ClassDescription(
      "Toy",
      members: [
        .property(.init("name", String.self)),
        .reference("keeper", Ref<Keeper>?.self, onDelete: .cascade),
        .reference("queued", Ref<Keeper>?.self, onDelete: .nullify),
        .reference("friend", Ref<Toy>?.self, onDelete: .nullify),
      ])
    static let referenceTarget = ReferenceTarget(table: "Toy")
    static var referencedClasses: [any StoredObject.Type] { [Keeper.self] }

    init(row: Row) throws {
      name = try row.value(at: 0)
      keeper = try row.value(at: 1)
      queued = try row.value(at: 2)
      friend = try row.value(at: 3)
      objectID = try row.value(at: 4)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(keeper, at: 1)
      try binder.bind(queued, at: 2)
      try binder.bind(friend, at: 3)
    }
  }

  @Test("an owned object can refer to another one that the same save stores")
  func referringAhead() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let keepers = try vault.store(of: Keeper.self)
    var keeper = try keepers.insert(Keeper(name: "a", toys: [Toy(name: "first")]))
    var second = Toy(name: "second")
    second.objectID = 50
    keeper.toys?[0].friend = Ref(id: 50)
    keeper.toys?.append(second)
    keeper = try keepers.save(keeper)
    #expect(try keepers.all().first?.toys?.map(\.friend) == [Ref(id: 50), nil])
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

  private func names(_ keeper: Keeper?) -> [String]? { keeper?.queue?.map(\.name) }

  @Test("ordered objects have the order of the array that was saved", .covers("J68"))
  func order() throws {
    let schema = Server.newSchema()
    let vault = try Server.vault(schema)
    defer { vault.close() }
    let keepers = try vault.store(of: Keeper.self)
    var lists: [[String]] = [["c", "a", "b"], [], ["x"]]
    try keepers.insert(
      contentsOf: lists.map { Keeper(name: "k", queue: $0.map { Toy(name: $0) }) })
    var stored = try keepers.all()
    #expect(stored.map(names) == lists)
    var random = SeededGenerator(for: "ordered lists on a server")
    for round in 0..<60 {
      for _ in 0..<2 {
        let list = Int.random(in: 0..<3, using: &random)
        let count = lists[list].count
        let place = Int.random(in: 0...count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where count > 0:
          stored[list].queue?.remove(at: place % count)
          lists[list].remove(at: place % count)
        case 1 where count > 0:
          let moved = lists[list].remove(at: place % count)
          let other = (list + 1) % 3
          lists[other].insert(moved, at: 0)
          if let toy = stored[list].queue?.remove(at: place % count) {
            stored[other].queue?.insert(toy, at: 0)
          }
        case 2:
          stored[list].queue?.reverse()
          lists[list].reverse()
        default:
          stored[list].queue?.insert(Toy(name: "\(round)"), at: place)
          lists[list].insert("\(round)", at: place)
        }
      }
      try keepers.save(contentsOf: stored)
      stored = try keepers.all()
      #expect(stored.map(names) == lists)
    }
  }

  @Test("an object that another program gives to another owner comes last", .covers("J68"))
  func moved() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let keepers = try vault.store(of: Keeper.self)
    let ids = try keepers.insert(contentsOf: [
      Keeper(name: "a", queue: ["1", "2"].map { Toy(name: $0) }),
      Keeper(name: "b", queue: ["3", "4"].map { Toy(name: $0) }),
    ])
    let (first, second) = (ids[0], ids[1])
    try vault.opened().transaction { session in
      try session.execute(
        "UPDATE \"Toy\" SET \"queued\" = \(second) WHERE \"name\" = '1'")
    }
    #expect(try names(keepers.find(first)) == ["2"])
    #expect(try names(keepers.find(second)) == ["3", "4", "1"])
    try keepers.remove(id: second)
    let toys = try vault.opened().read { session in
      try session.with("SELECT count(*) FROM \"Toy\" WHERE \"ov_order_queued\" IS NOT NULL") {
        try $0.count()
      }
    }
    #expect(toys == 1)
  }

  @Test("the order is complete for the next connection, and its trigger is created again")
  func trigger() throws {
    let schema = Server.newSchema()
    for connection in ["first", "second", "third"] {
      let vault = try Server.vault(schema, connection: connection)
      defer { vault.close() }
      func triggers() throws -> Int {
        try vault.opened().read { session in
          try Schema(on: session).objects("trigger", of: "Toy").count
        }
      }
      if connection != "first" {
        #expect(try triggers() == (connection == "second" ? 1 : 0))
      }
      _ = try vault.store(of: Keeper.self)
      #expect(try triggers() == 1)
      if connection == "second" {
        try vault.opened().transaction { session in
          try session.execute("DROP TRIGGER \"objectvault_Toy_order_queued\" ON \"Toy\"")
        }
      }
    }
  }

  @Test("a reference that takes the name of another one has a trigger of its own")
  func triggerOfRenamedReference() throws {
    func owner(_ references: [String]) -> ClassDescription {
      ClassDescription(
        "Owner", properties: [PropertyDescription("name", String.self)],
        owned: references.map {
          OwnedDescription("\($0)s", target: "Part", reference: $0, ordered: true)
        })
    }
    func part(_ references: [(name: String, former: [String])]) -> ClassDescription {
      ClassDescription(
        "Part",
        properties: [PropertyDescription("name", String.self)]
          + references.map {
            PropertyDescription($0.name, Int?.self, renamedFrom: $0.former)
          },
        references: references.map {
          ReferenceDescription($0.name, target: "Owner", onDelete: .nullify)
        })
    }
    func install(_ classes: [ClassDescription], _ vault: SharedVault) throws {
      _ = try vault.store(of: classes[0], with: [classes[1]])
    }
    let schema = Server.newSchema()
    func columns(_ vault: SharedVault) throws -> [String: String] {
      try vault.opened().read { session in
        try session.with(
          "SELECT t.tgname, a.attname FROM pg_trigger AS t JOIN pg_attribute AS a "
            + "ON a.attrelid = t.tgrelid AND a.attnum = ANY (t.tgattr) "
            + "WHERE NOT t.tgisinternal AND t.tgrelid = '\"Part\"'::regclass"
        ) { statement in
          var columns: [String: String] = [:]
          while try statement.step() {
            columns[statement.row.text(at: 0) ?? ""] = statement.row.text(at: 1) ?? ""
          }
          return columns
        }
      }
    }
    let start = "objectvault_Part_order_"
    let first = try Server.vault(schema, connection: "first")
    defer { first.close() }
    try install([owner(["a", "b"]), part([("a", []), ("b", [])])], first)
    #expect(try columns(first) == ["\(start)a": "a", "\(start)b": "b"])
    let second = try Server.vault(schema, connection: "second")
    defer { second.close() }
    try install([owner(["a", "b"]), part([("b", ["a"]), ("a", ["b"])])], second)
    #expect(try columns(second) == ["\(start)a": "a", "\(start)b": "b"])
  }

  @Test("ordered objects keep their order when their owner's object ID gets another type")
  func convertedOwner() throws {
    func classes(_ type: PropertyType) -> [ClassDescription] {
      let team = ClassDescription(
        "Team", properties: [PropertyDescription("code", type: type)], objectID: ["code"],
        owned: [OwnedDescription("players", target: "Player", reference: "team", ordered: true)])
      let player = ClassDescription(
        "Player",
        properties: [
          PropertyDescription("name", String.self),
          PropertyDescription("team", type: type, isOptional: true),
        ],
        references: [
          ReferenceDescription("team", target: "Team", targetColumns: ["code"], onDelete: .nullify)
        ])
      return [team, player]
    }
    let schema = Server.newSchema()
    func names(_ vault: SharedVault) throws -> [String] {
      try vault.opened().read { session in
        try session.with(
          "SELECT name FROM \"Player\" WHERE team IS NOT NULL ORDER BY ov_order_team NULLS LAST"
        ) { statement in try statement.rows { $0.text(at: 0) ?? "" } }
      }
    }
    let first = try Server.vault(schema, connection: "first")
    defer { first.close() }
    let former = classes(.string)
    _ = try first.store(of: former[0], with: [former[1]])
    try first.opened().transaction { session in
      try session.execute("INSERT INTO \"Team\" (code) VALUES ('7'), ('8')")
      try session.execute(
        "INSERT INTO \"Player\" (name, team, ov_order_team) "
          + "VALUES ('a', '7', 3), ('b', '7', 1), ('c', '7', 2)")
    }
    #expect(try names(first) == ["b", "c", "a"])
    let second = try Server.vault(schema, connection: "second")
    defer { second.close() }
    let present = classes(.int)
    _ = try second.store(of: present[0], with: [present[1]])
    #expect(try names(second) == ["b", "c", "a"])
    try second.opened().transaction { session in
      try session.execute("UPDATE \"Player\" SET team = 8 WHERE name = 'b'")
      try session.execute("UPDATE \"Player\" SET team = 7 WHERE name = 'b'")
    }
    #expect(try names(second) == ["c", "a", "b"])
  }

  @Test("ordered objects keep their order in a transfer to a server and back", .covers("J68"))
  func transferred() throws {
    let server = try Server.vault()
    defer { server.close() }
    let vaults: [any Database] = [try Vault.inMemory(), server, try Vault.inMemory()]
    let titles = ["c", "a", "b"]
    try vaults[0].store(of: Keeper.self).insert(
      Keeper(name: "k", queue: titles.map { Toy(name: $0) }))
    for (source, target) in zip(vaults, vaults.dropFirst()) {
      try ObjectTransfer(from: source, to: target).run()
      let keepers = try target.store(of: Keeper.self)
      #expect(try keepers.all().map(names) == [titles])
      var changed = try #require(try keepers.all().first)
      changed.queue?.swapAt(0, 2)
      try keepers.save(changed)
      #expect(try names(keepers.all().first) == ["b", "a", "c"])
      changed.queue?.swapAt(0, 2)
      try keepers.save(changed)
    }
  }
}
