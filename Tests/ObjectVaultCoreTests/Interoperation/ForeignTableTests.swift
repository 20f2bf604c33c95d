import ObjectVaultCore
import TestSupport
import Testing

/// Tables of other programs, with what the library's own tables never have.
@Suite("A table of another program") struct ForeignTableTests {
  /// Returns an object of a table, with the values of some columns.
  private func object(
    of store: ObjectStore<DynamicObject>, _ values: KeyValuePairs<String, StoredValue>
  ) throws -> DynamicObject {
    var object = try DynamicObject(of: store.classDescription)
    for (name, value) in values { try object.set(name, to: value) }
    return object
  }

  @Test("with a descending key loses only the rows that refer to the removed object")
  func descendingKey() throws {
    let test = try TestVault()
    try test.execute(
      "CREATE TABLE p (id INTEGER PRIMARY KEY DESC, x TEXT)",
      "CREATE TABLE k (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p ON DELETE CASCADE)",
      "CREATE TABLE l (id INTEGER PRIMARY KEY, k INTEGER REFERENCES k ON DELETE CASCADE)",
      "INSERT INTO p (id) VALUES (5), (1), (7)",
      "INSERT INTO k VALUES (10, 1), (50, 5), (70, 7)",
      "INSERT INTO l VALUES (100, 10), (500, 50)")
    try test.vault.store(named: "p").remove(id: DynamicObjectID(.integer(5)))
    #expect(try test.rows("SELECT id FROM p ORDER BY id") == [[.integer(1)], [.integer(7)]])
    #expect(try test.rows("SELECT id FROM k ORDER BY id") == [[.integer(10)], [.integer(70)]])
    #expect(try test.rows("SELECT id FROM l") == [[.integer(100)]])
  }

  @Test(
    "whose key gets no numbers stores no object without one",
    arguments: ["INT PRIMARY KEY", "BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY DESC"])
  func keyWithoutNumbers(_ key: String) throws {
    let test = try TestVault()
    try test.execute("CREATE TABLE t (id \(key), x TEXT)")
    let store = try test.vault.store(named: "t")
    try store.insert(try object(of: store, ["id": .integer(1), "x": .text("a")]))
    let nameless = try object(of: store, ["x": .text("b")])
    #expect(code { try store.insert(nameless) } == .constraint)
    #expect(code { try store.insert(contentsOf: [nameless, nameless]) } == .constraint)
    #expect(code { try store.save(nameless) } == .constraint)
    #expect(try test.rows("SELECT * FROM t") == [[.integer(1), .text("a")]])
  }

  @Test(
    "with UUIDs in lower case is rejected, and usable once they are in upper case",
    arguments: ["", "COLLATE NOCASE"])
  func lowerCaseUUIDs(_ collation: String) throws {
    let test = try TestVault()
    let description = ClassDescription(
      "Item",
      properties: [
        PropertyDescription("id", type: .uuid),
        PropertyDescription("owner", type: .uuid, isOptional: true),
        PropertyDescription("note", type: .string),
      ], objectID: ["id"])
    let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    let owner = "7d444840-9dc0-11d1-b245-5ffdce74fad2"
    try test.execute(
      "CREATE TABLE Item (id TEXT \(collation) PRIMARY KEY NOT NULL, owner TEXT \(collation), "
        + "note TEXT NOT NULL)",
      "INSERT INTO Item VALUES ('\(id)', '\(owner)', 'a')",
      "INSERT INTO Item VALUES ('00000000-0000-0000-0000-000000000001', NULL, 'b')")
    for column in ["id", "owner"] {
      let error = #expect(throws: VaultError.self) { try test.vault.store(of: description) }
      #expect(error?.code == .schemaMismatch)
      #expect(error?.message.contains("column '\(column)' has UUIDs in lower case") == true)
      try test.execute("UPDATE Item SET \(column) = upper(\(column))")
    }
    let items = try test.vault.store(of: description)
    let found = try items.find(DynamicObjectID(.text(id.uppercased())))
    #expect(try found?.value(of: "note") == .text("a"))
    #expect(try items.where("owner == %@", owner).count() == 1)
  }

  @Test("whose key is no row number keeps its rows when an insertion is undone")
  func undoneInsertion() throws {
    let test = try TestVault()
    try test.execute(
      "CREATE TABLE p (id INTEGER PRIMARY KEY)",
      "CREATE TABLE k (id INT PRIMARY KEY, p INTEGER REFERENCES p DEFERRABLE INITIALLY DEFERRED)",
      "INSERT INTO k VALUES (2, NULL)")
    let store = try test.vault.store(named: "k")
    try test.vault.transaction {
      let dangling = try object(of: store, ["id": .integer(50), "p": .integer(99)])
      #expect(code { try store.insert(dangling) } == .danglingReference)
    }
    #expect(try test.rows("SELECT id FROM k") == [[.integer(2)]])
  }

  @Test(
    "rejects a duplicate whatever the conflict rule of its constraints",
    arguments: ["REPLACE", "IGNORE", "ROLLBACK"])
  func conflictRule(_ rule: String) throws {
    let test = try TestVault()
    try test.execute(
      "CREATE TABLE r (id INTEGER PRIMARY KEY ON CONFLICT \(rule), x TEXT UNIQUE ON CONFLICT \(rule))",
      "INSERT INTO r VALUES (1, 'a'), (2, 'b')")
    let store = try test.vault.store(named: "r")
    let sameKey = try object(of: store, ["id": .integer(1), "x": .text("new")])
    let sameText = try object(of: store, ["id": .integer(9), "x": .text("b")])
    try test.vault.transaction {
      for duplicate in [sameKey, sameText] {
        #expect(code { try store.insert(duplicate) } == .duplicate)
        #expect(code { try store.insert(contentsOf: [duplicate]) } == .duplicate)
      }
    }
    #expect(
      try test.rows("SELECT * FROM r ORDER BY id")
        == [[.integer(1), .text("a")], [.integer(2), .text("b")]])
  }

  @Test(
    "rejects an update to a value that another object has, whatever the rule of its constraint",
    arguments: ["REPLACE", "IGNORE", "ROLLBACK"], [false, true])
  func updateRule(_ rule: String, isSearched: Bool) throws {
    let test = try TestVault()
    try test.execute(
      "CREATE TABLE r (id INTEGER PRIMARY KEY, x TEXT NOT NULL UNIQUE ON CONFLICT \(rule))",
      "INSERT INTO r VALUES (1, 'a'), (2, 'b')")
    var description = try test.vault.store(named: "r").classDescription
    if isSearched { description.search = SearchDescription(["x"]) }
    let store = try test.vault.store(of: description)
    let taken = try object(of: store, ["id": .integer(2), "x": .text("a")])
    try test.vault.transaction {
      #expect(code { try store.where("id == 2").update(set: ["x": "a"]) } == .duplicate)
      #expect(code { try store.update(taken) } == .duplicate)
      #expect(code { try store.update(contentsOf: [taken]) } == .duplicate)
      #expect(code { try store.save(taken) } == .duplicate)
    }
    #expect(
      try test.rows("SELECT * FROM r ORDER BY id")
        == [[.integer(1), .text("a")], [.integer(2), .text("b")]])
    if isSearched { #expect(try store.isSearchSound()) }
  }
}
