import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultSession
import Testing
import TestSupport

@testable import ObjectVaultSchema
@testable import ObjectVaultMaintenance
@testable import ObjectVaultFile

@Suite("A table that is made anew")
struct TableRebuildTests {
  private static let parent = ClassDescription(
    "Room", properties: [.init("name", String.self), .init("floor", Int.self)], objectID: ["name"])
  private static let child = ClassDescription(
    "Desk",
    properties: [.init("number", Int.self), .init("room", String?.self)],
    references: [
      ReferenceDescription("room", target: "Room", targetColumns: ["name"], onDelete: .cascade)
    ])

  private static let changedParent = parent.with([
    parent.properties[0], .init("floor", String.self),
  ])

  private func rooms() throws -> ChangingVault {
    let vault = try ChangingVault()
    try vault.insert(Self.parent, [.text("a"), .integer(1)], [.text("b"), .integer(2)])
    try vault.insert(Self.child, [.integer(1), .text("a")], [.integer(2), .text("b")])
    return vault
  }

  @Test("loses none of the objects that refer to it, and they go on referring to it")
  func children() throws {
    let vault = try rooms()
    _ = try vault.vault.store(of: Self.changedParent)
    try vault.checkSettings()
    #expect(try vault.rows("SELECT number, room FROM Desk").count == 2)
    let keys = try vault.vault.file().read { try Schema(on: $0).foreignKeys(of: "Desk") }
    #expect(keys.map(\.table) == ["Room"])
    try vault.run("DELETE FROM Room WHERE name = 'a'")
    #expect(try vault.rows("SELECT number FROM Desk") == [[.integer(2)]])
  }

  @Test("refers to itself as before")
  func selfReference() throws {
    let node = ClassDescription(
      "Node", properties: [.init("title", String.self), .init("parent", Int64?.self)],
      references: [ReferenceDescription("parent", target: "Node", onDelete: .cascade)])
    let vault = try ChangingVault()
    try vault.insert(
      node, [.text("1"), .null], [.text("2"), .integer(1)], [.text("3"), .integer(2)])
    _ = try vault.vault.store(of: node.with([.init("title", Int.self), node.properties[1]]))
    #expect(try vault.rows("SELECT objectID, title, parent FROM Node ORDER BY 1").count == 3)
    try vault.run("DELETE FROM Node WHERE objectID = 1")
    #expect(try vault.rows("SELECT * FROM Node").isEmpty)
    let sql = try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'Node'")
    #expect(!"\(sql)".contains("ov_rebuild"), "\(sql)")
  }

  @Test(
    "keeps rowids, checks, collations, defaults, constraints, indexes, triggers and views of others",
    .covers("J26", "X36"))
  func everythingKept() throws {
    let vault = try ChangingVault()
    try vault.run(
      """
      CREATE TABLE Item (code TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, price REAL NOT NULL \
      CHECK (price >= 0), size INTEGER NOT NULL DEFAULT (1 + 1), note TEXT UNIQUE)
      """,
      "CREATE INDEX theirs ON Item (price DESC) WHERE price > 1",
      "CREATE TABLE log (what TEXT)",
      "CREATE TRIGGER seen AFTER UPDATE OF price ON Item BEGIN INSERT INTO log VALUES (NEW.code); END",
      "CREATE VIEW dear AS SELECT code FROM Item WHERE price > 10",
      "INSERT INTO Item (rowid, code, price) VALUES (7, 'b', 20), (3, 'a', 1)")
    let item = ClassDescription(
      "Item",
      properties: [
        .init("code", String.self), .init("price", Double.self), .init("size", Int.self),
        .init("note", String?.self),
      ], objectID: ["code"])
    _ = try vault.vault.store(of: item)
    let changed = item.with([
      item.properties[0], item.properties[1], .init("size", String.self, defaultValue: "M"),
      item.properties[3], .init("count", Int.self, defaultValue: 5),
    ])
    _ = try vault.vault.store(of: changed)
    #expect(
      try vault.rows("SELECT rowid, code, size, count FROM Item ORDER BY rowid") == [
        [.integer(3), .text("a"), .text("2"), .integer(5)],
        [.integer(7), .text("b"), .text("2"), .integer(5)],
      ])
    #expect(try vault.rows("SELECT code FROM dear") == [[.text("b")]])
    try vault.run("UPDATE Item SET price = 2 WHERE code = 'A'")
    #expect(try vault.rows("SELECT what FROM log") == [[.text("a")]])
    #expect(
      try vault.rows("SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
        == [[.text("theirs")]])
    for statement in [
      "UPDATE Item SET price = -1", "UPDATE Item SET note = 'x'",
      "INSERT INTO Item (code, price) VALUES ('B', 1)",
    ] { #expect(code { try vault.run(statement) } != nil, "\(statement)") }
    let statement = try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'Item'")
    #expect(
      statement == [
        [
          .text(
            """
            CREATE TABLE "Item" ("code" TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, "price" REAL NOT \
            NULL CHECK ( price >= 0 ), "size" TEXT NOT NULL DEFAULT 'M', "note" TEXT UNIQUE, \
            "count" INTEGER NOT NULL DEFAULT 5)
            """)
        ]
      ])
  }

  @Test(
    "names a renamed column in indexes and triggers of others by its new name",
    arguments: [PropertyType.int, .string])
  func renamedInOthers(type: PropertyType) throws {
    let vault = try ChangingVault()
    try vault.insert(Self.parent, [.text("a"), .integer(1)])
    try vault.run(
      "CREATE INDEX theirs ON Room (floor)", "CREATE TABLE log (name TEXT)",
      "CREATE TRIGGER seen AFTER UPDATE OF floor ON Room BEGIN INSERT INTO log VALUES (NEW.name); END"
    )
    _ = try vault.vault.store(
      of: Self.parent.with([
        Self.parent.properties[0], .init("level", type: type, renamedFrom: ["floor"]),
      ]))
    #expect(try vault.rows("PRAGMA index_info(theirs)").map(\.last) == [.text("level")])
    try vault.run("UPDATE Room SET level = 2")
    #expect(try vault.rows("SELECT name FROM log") == [[.text("a")]])
  }

  @Test("is refused where a view or trigger would make no sense any more, which is named")
  func dependents() throws {
    let vault = try rooms()
    try vault.run("CREATE VIEW high AS SELECT name FROM Room WHERE floor > 1")
    let renamed = Self.parent.with([
      Self.parent.properties[0], .init("level", Int.self, renamedFrom: ["floor"]),
    ])
    #expect(try vault.refusal(renamed).contains("view 'high'"))
    try vault.run(
      "DROP VIEW high", "CREATE TABLE log (n)",
      "CREATE TRIGGER watch AFTER INSERT ON Room BEGIN INSERT INTO log VALUES (NEW.floor); END")
    #expect(try vault.refusal(renamed).contains("trigger 'watch'"))
    try vault.run("DROP TRIGGER watch")
    // One that was broken before is no hindrance.
    try vault.run("CREATE VIEW broken AS SELECT missing FROM nowhere")
    #expect(try vault.vault.store(of: renamed).count() == 2)
  }

  @Test("is refused where a name in double quotes would become a text")
  func quotedDependents() throws {
    let renamed = Self.parent.with([
      Self.parent.properties[0], .init("level", Int.self, renamedFrom: ["floor"]),
    ])
    let left = Self.parent.with([Self.parent.properties[0]])
    for sql in [
      #"CREATE VIEW theirs AS SELECT "name" FROM "Room" WHERE "floor" > 1"#,
      #"CREATE VIEW theirs AS SELECT "floor" FROM others"#,
      #"CREATE TRIGGER theirs AFTER DELETE ON "Room" BEGIN "#
        + #"INSERT INTO log SELECT "floor" FROM "Room"; END"#,
    ] {
      let vault = try rooms()
      try vault.run("CREATE TABLE log (what TEXT)", "CREATE VIEW others AS SELECT * FROM Room", sql)
      #expect(try vault.refusal(renamed).contains("'theirs' would read a text"), "\(sql)")
      let store = try vault.vault.store(of: left)
      #expect(code { _ = try store.dropRemovedProperties() } == .upgradeRefused, "\(sql)")
      try vault.run("DROP \(sql.contains("TRIGGER") ? "TRIGGER" : "VIEW") theirs")
      #expect(try store.dropRemovedProperties() == ["floor"])
      try vault.checkSettings()
    }
  }

  @Test("is possible if a name in double quotes never becomes a text")
  func quotedNames() throws {
    let vault = try rooms()
    try vault.run(
      "CREATE TABLE log (what TEXT)",
      #"CREATE TABLE "Other" ("floor" INTEGER)"#,
      #"CREATE VIEW others AS SELECT o."floor" FROM "Other" AS o, "Room""#,
      #"CREATE VIEW named AS SELECT "name" AS "floor" FROM "Room""#,
      #"CREATE VIEW elsewhere AS SELECT "floor" FROM "Other""#,
      #"CREATE TRIGGER seen AFTER UPDATE OF "floor" ON "Room" BEGIN "#
        + #"INSERT INTO log VALUES (NEW."name"); END"#)
    _ = try vault.vault.store(
      of: Self.parent.with([
        Self.parent.properties[0], .init("level", Int.self, renamedFrom: ["floor"]),
      ]))
    try vault.run("UPDATE Room SET level = 5 WHERE name = 'b'")
    #expect(try vault.rows("SELECT what FROM log") == [[.text("b")]])
    #expect(try vault.rows("SELECT * FROM named ORDER BY 1") == [[.text("a")], [.text("b")]])
  }

  @Test("never gives a number twice, also after a removal")
  func sequence() throws {
    let thing = ClassDescription("Thing", properties: [.init("n", Int.self)])
    let vault = try ChangingVault()
    try vault.insert(thing, [.integer(1)], [.integer(2)], [.integer(3)])
    try vault.run("DELETE FROM Thing WHERE objectID > 1")
    let changed = thing.with([.init("n", String.self)])
    try vault.insert(changed, [.text("4")])
    #expect(try vault.rows("SELECT objectID FROM Thing") == [[.integer(1)], [.integer(4)]])
    try vault.run("DELETE FROM Thing")
    try vault.insert(thing, [.integer(5)])
    #expect(try vault.rows("SELECT objectID FROM Thing") == [[.integer(5)]])
  }

  @Test("is not to be had inside a transaction, where columns can still be added")
  func inTransaction() throws {
    let vault = try rooms()
    try vault.vault.transaction {
      #expect(
        code { _ = try vault.vault.store(of: Self.changedParent) } == .upgradeInTransaction)
      let more = Self.parent.with(Self.parent.properties + [.init("note", String?.self)])
      let count = try vault.vault.store(of: more).count()
      #expect(count == 2)
    }
    #expect(try vault.vault.classes().first { $0.name == "Room" }?.properties.count == 3)
    _ = try vault.vault.store(of: Self.changedParent)
    try vault.checkSettings()
  }

  @Test("an upgrade inside a transaction goes with it", .covers("J28"))
  func undone() throws {
    let vault = try rooms()
    let before = try vault.schema()
    let more = Self.parent.with(Self.parent.properties + [.init("note", String?.self)])
    struct Undo: Error {}
    #expect(throws: Undo.self) {
      try vault.vault.transaction {
        _ = try vault.vault.store(of: more)
        throw Undo()
      }
    }
    #expect(try vault.schema() == before)
    #expect(try vault.vault.store(of: Self.parent).count() == 2)
  }

  @Test("takes no lock where nothing changed", .covers("A3", "P26"))
  func unchanged() throws {
    var configuration = VaultConfiguration()
    configuration.busyTimeout = .seconds(0)
    let vault = try ChangingVault(configuration)
    try vault.insert(Self.parent, [.text("a"), .integer(1)])
    vault.vault.close()
    let again = try vault.another(configuration)
    let holder = try again.file().withOpened {
      try $0.connect(.writer, path: again.path, settings: configuration)
    }
    try holder.execute("BEGIN IMMEDIATE")
    #expect(try again.store(of: Self.parent).count() == 1)
    #expect(code { _ = try again.store(of: Self.changedParent) } == .busy)
    try holder.execute("ROLLBACK")
    #expect(try again.store(of: Self.changedParent).count() == 1)
  }

  @Test("is seen by readers, and by stores of the class as it was, as far as it is still there")
  func otherStores() throws {
    let vault = try rooms()
    let old = try vault.vault.store(of: Self.parent)
    #expect(try old.where("floor == 1").count() == 1)
    let more = Self.parent.with([
      Self.parent.properties[0], .init("floor", Int?.self), .init("note", String?.self),
    ])
    let new = try vault.vault.store(of: more)
    #expect(try old.where("floor == 1").count() == 1)
    var object = try DynamicObject(of: Self.parent)
    try object.set("name", to: .text("c"))
    try object.set("floor", to: .integer(3))
    try old.insert(object)
    #expect(try new.count() == 3)
    _ = try vault.vault.store(
      of: Self.parent.with([
        Self.parent.properties[0], .init("level", Int?.self, renamedFrom: ["floor"]),
      ]))
    #expect(code { _ = try old.all() } == .schemaMismatch)
    #expect(code { _ = try old.insert(object) } == .schemaMismatch)
  }

  @Test("a table that another program made is used as it is, or not at all")
  func foreign() throws {
    let vault = try ChangingVault()
    let sql = "CREATE TABLE Room (name TEXT PRIMARY KEY NOT NULL, floor NUMERIC NOT NULL)"
    try vault.run(sql)
    #expect(code { _ = try vault.vault.store(of: Self.parent) } == .schemaMismatch)
    #expect(
      try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'Room'") == [[.text(sql)]])
  }

  @Test("what a store is asked for by name changes nothing")
  func byName() throws {
    let vault = try rooms()
    try vault.run("DROP INDEX ov_Desk__room")
    let before = try vault.schema()
    #expect(try vault.another().store(named: "Desk").count() == 2)
    #expect(try vault.schema() == before)
  }
}
