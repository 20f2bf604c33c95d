import ObjectVaultCore
import ObjectVaultServer
import ObjectVaultStores
import TestSupport
import Testing

/// Operations that once had another result on a server than in a file.
@Suite("Results on a PostgreSQL server and in a file", .enabled(if: Server.address != nil))
struct ServerDifferenceTests {
  typealias Values = [String: StoredValue]

  private static let words = ClassDescription(
    "Word",
    properties: [PropertyDescription("id", String.self), PropertyDescription("n", Int?.self)],
    objectID: ["id"])
  private static let numbers = ClassDescription(
    "Number", properties: [PropertyDescription("id", Int64.self)], objectID: ["id"])
  private static let nodes = ClassDescription(
    "Node",
    properties: [PropertyDescription("id", Int.self), PropertyDescription("next", Int?.self)],
    objectID: ["id"],
    references: [
      ReferenceDescription("next", target: "Node", targetColumns: ["id"], onDelete: .cascade)
    ])

  /// Calls `body` with a vault on a server and with one in a file.
  private func each(_ body: (any Database) throws -> Void) throws {
    let shared = try Server.vault()
    defer { shared.close() }
    try body(shared)
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .ofTests)
    defer { vault.close() }
    try body(vault)
  }

  private func object(_ description: ClassDescription, _ values: Values) throws -> DynamicObject {
    var object = try DynamicObject(of: description)
    for (name, value) in values { try object.set(name, to: value) }
    return object
  }

  private func insert(_ values: [Values], _ store: ObjectStore<DynamicObject>) throws {
    try store.insert(contentsOf: values.map { try object(store.classDescription, $0) })
  }

  private func ids(_ store: ObjectStore<DynamicObject>) throws -> [StoredValue] {
    try store.all().map { try $0.value(of: "id") }
  }

  private func error(_ body: () throws -> Void) -> VaultError? {
    do {
      try body()
      return nil
    } catch {
      return error as? VaultError
    }
  }

  @Test("An object ID of another type finds and removes no other object") func otherTypes() throws {
    try each { database in
      let numbers = try database.store(of: Self.numbers)
      try insert((1...4).map { ["id": .integer($0)] }, numbers)
      for value: StoredValue in [
        .real(2.5), .real(1e300), .real(.infinity), .text("x"), .text(""), .text("2.5"), .blob([1]),
      ] {
        let id = DynamicObjectID(value)
        #expect(try numbers.find(id) == nil, "\(value)")
        #expect(try !numbers.contains(id: id), "\(value)")
        #expect(error { try numbers.remove(id: id) }?.code == .noSuchObject, "\(value)")
        #expect(error { try numbers.remove(ids: [id]) }?.code == .noSuchObject, "\(value)")
        let code = error { try numbers.changeID(of: id, to: DynamicObjectID(.integer(9))) }?.code
        #expect(code == .noSuchObject, "\(value)")
      }
      for value: StoredValue in [.real(2), .text("2"), .text("2.0")] {
        #expect(try numbers.find(DynamicObjectID(value))?.value(of: "id") == .integer(2))
      }
      for value: StoredValue in [.real(3.4), .text("x")] {
        let code = error {
          try numbers.changeID(of: DynamicObjectID(.integer(4)), to: DynamicObjectID(value))
        }?.code
        #expect(code == .invalidValue, "\(value)")
      }
      #expect(try ids(numbers) == (1...4).map { .integer($0) })
      let words = try database.store(of: Self.words)
      try insert([["id": .text("5")]], words)
      #expect(try words.contains(id: DynamicObjectID(.integer(5))))
      #expect(try !words.contains(id: DynamicObjectID(.blob([0x35]))))
    }
  }

  @Test("A text with a NUL character leaves the transaction usable") func nul() throws {
    try each { database in
      let words = try database.store(of: Self.words)
      try database.transaction {
        try insert([["id": .text("a")]], words)
        _ = error { _ = try words.find(DynamicObjectID(.text("b\0"))) }
        _ = error { _ = try words.where("id == %@", "b\0").count() }
        _ = error { try words.remove(id: DynamicObjectID(.text("b\0"))) }
        try insert([["id": .text("b")]], words)
      }
      #expect(try ids(words) == [.text("a"), .text("b")])
    }
  }

  @Test("An object can refer to one that is stored later by the same call or transaction")
  func laterObjects() throws {
    func node(_ id: Int64, _ next: Int64) -> Values {
      ["id": .integer(id), "next": .integer(next)]
    }
    try each { database in
      let nodes = try database.store(of: Self.nodes)
      try insert([node(1, 2), node(2, 3), node(3, 1)], nodes)
      try nodes.save(
        contentsOf: [node(4, 5), node(5, 1)].map { try object(Self.nodes, $0) })
      try database.transaction(deferringReferences: true) {
        try nodes.insert(object(Self.nodes, node(6, 7)))
        try nodes.insert(object(Self.nodes, node(7, 6)))
      }
      #expect(try nodes.count() == 7)
      let dangling = [
        error { try insert([node(8, 9)], nodes) },
        error { try nodes.save(contentsOf: [object(Self.nodes, node(8, 9))]) },
        error {
          try database.transaction(deferringReferences: true) {
            _ = try nodes.insert(object(Self.nodes, node(8, 9)))
          }
        },
        error { try nodes.where("id == 7").update(set: ["next": 9]) },
      ]
      #expect(dangling.map(\.?.code) == Array(repeating: .danglingReference, count: 4))
      #expect(dangling.map(\.?.propertyNames) == Array(repeating: ["next"], count: 4))
      try database.transaction {
        #expect(error { try insert([node(8, 9)], nodes) }?.code == .danglingReference)
        // Each call checks its references again.
        #expect(
          error { try nodes.insert(object(Self.nodes, node(8, 9))) }?.code == .danglingReference)
        try insert([node(10, 11), node(11, 1)], nodes)
      }
      #expect(try nodes.count() == 9)
    }
  }

  @Test("A replaced object keeps its place if its table has a column of a former property")
  func replaced() throws {
    var former = Self.words
    former.properties.append(PropertyDescription("left", String?.self))
    func check(_ open: () throws -> (any Database, close: () -> Void)) throws {
      let (first, close) = try open()
      try insert(
        ["a", "b"].map { ["id": .text($0), "left": .text("x")] }, first.store(of: former))
      close()
      let (second, closeAgain) = try open()
      defer { closeAgain() }
      let words = try second.store(of: Self.words)
      try words.replace(object(Self.words, ["id": .text("a"), "n": .integer(1)]))
      #expect(try ids(words) == [.text("a"), .text("b")])
    }
    let schema = Server.newSchema()
    try check {
      let vault = try Server.vault(schema)
      return (vault, { vault.close() })
    }
    let folder = try TemporaryFolder()
    try check {
      let vault = try Vault(at: folder.file("a.vault"), key: .ofTests)
      return (vault, { vault.close() })
    }
  }
}
