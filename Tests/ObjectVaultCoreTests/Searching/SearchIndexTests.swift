import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import Testing
import TestSupport

@Suite("The index of words")
struct SearchIndexTests {
  private func filled(_ search: SearchDescription?) throws -> ChangingVault {
    let vault = try ChangingVault()
    try vault.insert(
      .pages(search), [.text("The old sea"), .text("a fish"), .integer(1)],
      [.text("Kraken"), .null, .integer(2)])
    return vault
  }

  private func found(
    _ vault: ChangingVault, _ description: ClassDescription, _ text: String
  ) throws -> [StoredValue] {
    let store = try vault.vault.store(of: description)
    #expect(try store.isSearchSound())
    return try store.search(text).all().map { try $0.value(of: "number") }
  }

  private func objects(_ vault: ChangingVault) throws -> [StoredValue] {
    try vault.rows(
      "SELECT name FROM sqlite_master WHERE name LIKE 'objectvault\\_%\\_search%' ESCAPE '\\' "
        + "AND type IN ('table', 'view', 'trigger') ORDER BY name"
    ).map { $0[0] }
  }

  @Test("keeps its entries if an update fails", arguments: SearchKind.all)
  func failedUpdate(_ kind: SearchKind) throws {
    for objectID in [[], ["number"]] {
      let properties = ClassDescription.pages(nil).properties
      let description = ClassDescription(
        "Page", properties: properties, objectID: objectID,
        indexes: objectID.isEmpty ? [IndexDescription(["number"], unique: true)] : [],
        search: kind.of(["title"]))
      let vault = try ChangingVault()
      try vault.insert(
        description, [.text("alpha"), .null, .integer(1)], [.text("beta"), .null, .integer(2)])
      let pages = try vault.vault.store(of: description)
      let second = DynamicObjectID(.integer(2))
      var changed = try #require(try pages.find(second))
      try changed.set("title", to: .text("gamma"))
      if objectID.isEmpty { try changed.set("number", to: .integer(1)) }
      let object = changed
      try vault.vault.transaction {
        if objectID.isEmpty {
          #expect(code { try pages.update(object) } == .duplicate)
          #expect(code { try pages.update(object, only: "title", "number") } == .duplicate)
        }
        #expect(
          code { try pages.changeID(of: second, to: DynamicObjectID(.integer(1))) } == .duplicate)
      }
      #expect(try pages.search("beta").count() == 1)
      #expect(try pages.isSearchSound())
    }
  }

  @Test("is made with the class, and has the text of the storage contract")
  func definition() throws {
    let vault = try filled(.init(["title", "body"]))
    let sql = try vault.rows(
      "SELECT sql FROM sqlite_master WHERE name LIKE 'objectvault\\_Page\\_search%' ESCAPE '\\' AND "
        + "(type = 'trigger' OR name LIKE '%search') ORDER BY type, name")
    #expect(
      sql.map { $0[0] } == [
        .text(
          "CREATE VIRTUAL TABLE \"objectvault_Page_search\" USING fts4(\"title\", \"body\", "
            + "content=\"Page\", tokenize=unicode61 \"remove_diacritics=1\")"),
        .text(
          "CREATE TRIGGER \"objectvault_Page_search_after_update\" AFTER UPDATE OF \"title\", \"body\", "
            + "\"objectID\", \"rowid\", \"_rowid_\", \"oid\" ON \"Page\" WHEN old.rowid IS NOT new.rowid OR "
            + "old.\"title\" IS NOT new.\"title\" OR old.\"body\" IS NOT new.\"body\" BEGIN INSERT INTO "
            + "\"objectvault_Page_search\" (rowid, \"title\", \"body\") VALUES (new.rowid, "
            + "new.\"title\", new.\"body\"); END"),
        .text(
          "CREATE TRIGGER \"objectvault_Page_search_before_update\" BEFORE UPDATE OF \"title\", \"body\", "
            + "\"objectID\", \"rowid\", \"_rowid_\", \"oid\" ON \"Page\" WHEN old.rowid IS NOT new.rowid OR "
            + "old.\"title\" IS NOT new.\"title\" OR old.\"body\" IS NOT new.\"body\" BEGIN DELETE FROM "
            + "\"objectvault_Page_search\" WHERE rowid = old.rowid; END"),
        .text(
          "CREATE TRIGGER \"objectvault_Page_search_delete\" BEFORE DELETE ON \"Page\" BEGIN DELETE FROM "
            + "\"objectvault_Page_search\" WHERE rowid = old.rowid; END"),
        .text(
          "CREATE TRIGGER \"objectvault_Page_search_insert\" AFTER INSERT ON \"Page\" BEGIN INSERT INTO "
            + "\"objectvault_Page_search\" (rowid, \"title\", \"body\") VALUES (new.rowid, "
            + "new.\"title\", new.\"body\"); END"),
      ])
    #expect(try vault.vault.classes().map(\.name) == ["Page"])
    #expect(try vault.vault.verify().isSound)
  }

  @Test(
    "says in the file's description of the class what is searched, and nothing where nothing is")
  func json() throws {
    let search = SearchDescription(["title"], module: .fts5)
    let description = ClassDescription.pages(search)
    #expect(description.json.hasSuffix(#""search":{"properties":["title"],"module":"fts5"}}"#))
    #expect(try ClassDescription(json: description.json, table: "Page") == description)
    #expect(!ClassDescription.pages(nil).json.contains("search"))
  }

  @Test(
    "comes, changes and goes with the class's declaration, with what is stored",
    arguments: SearchKind.all)
  func declared(_ kind: SearchKind) throws {
    let vault = try filled(nil)
    #expect(try objects(vault) == [])
    let title = ClassDescription.pages(kind.of(["title"]))
    #expect(try found(vault, title, "sea") == [.integer(1)])
    #expect(try found(vault, title, "fish") == [])
    let both = ClassDescription.pages(kind.of(["title", "body"]))
    #expect(try found(vault, both, "fish") == [.integer(1)])
    try vault.insert(both, [.text("More fish"), .null, .integer(3)])
    #expect(try found(vault, both, "fish") == [.integer(1), .integer(3)])
    let opened = try vault.reopened()
    let before = try opened.schema() + opened.rows("PRAGMA schema_version")
    #expect(try found(opened, both, "fish") == [.integer(1), .integer(3)])
    #expect(try opened.schema() + opened.rows("PRAGMA schema_version") == before)
    for other in SearchKind.all where other != kind {
      #expect(try found(opened, .pages(other.of(["body"])), "fish") == [.integer(1)])
      #expect(try found(opened, both, "fish") == [.integer(1), .integer(3)])
    }
    _ = try opened.vault.store(of: .pages(nil))
    #expect(try objects(opened) == [])
    #expect(try opened.vault.verify().isSound)
  }

  @Test(
    "stays true when the table is made anew, its column and the class are renamed, and columns dropped",
    arguments: SearchKind.all)
  func rebuilt(_ kind: SearchKind) throws {
    let search = kind.of(["title", "body"])
    let vault = try filled(search)
    // A property that was a number is now a text, by a new table.
    let first = ClassDescription.pages(search)
    var changed = first
    changed.properties[2].type = .double
    let store = try vault.vault.store(of: changed)
    #expect(try store.search("sea").count() == 1 && store.isSearchSound())
    var renamed = ClassDescription.pages(search, titleColumn: "heading")
    renamed.properties[2].type = .double
    #expect(try found(vault, renamed, "kraken") == [.real(2)])
    var moved = ClassDescription.pages(search, table: "Leaf", titleColumn: "heading")
    moved.name = "Leaf"
    moved.properties[2].type = .double
    moved.renamedFrom = ["Page"]
    #expect(try found(vault, moved, "sea") == [.real(1)])
    #expect(try objects(vault).allSatisfy { "\($0)".contains("objectvault_Leaf_search") })
    var fewer = moved
    fewer.properties.removeLast()
    let left = try vault.vault.store(of: fewer)
    #expect(try left.dropRemovedProperties() == ["number"])
    #expect(try left.search("sea").count() == 1)
    #expect(try left.isSearchSound())
    var object = try DynamicObject(of: fewer)
    try object.set("title", to: .text("sea again"))
    try left.insert(object)
    #expect(try left.search("sea").count() == 2 && left.isSearchSound())
    #expect(try vault.vault.verify().isSound)
  }

  @Test("becomes one of a property that was a number before", arguments: SearchKind.all)
  func converted(_ kind: SearchKind) throws {
    let vault = try filled(kind.of(["title"]))
    var description = ClassDescription.pages(kind.of(["title", "number"]))
    description.properties[2].type = .string
    let store = try vault.vault.store(of: description)
    #expect(try store.search("2").count() == 1 && store.isSearchSound())
  }

  @Test("goes with the class, and comes back empty", arguments: SearchKind.all)
  func removed(_ kind: SearchKind) throws {
    let description = ClassDescription.pages(kind.of(["title"]))
    let vault = try filled(description.search)
    try vault.vault.removeStore(named: "Page")
    #expect(try objects(vault) == [])
    #expect(try found(vault, description, "sea") == [])
  }

  @Test(
    "is made inside a transaction too, and is gone when that is rolled back",
    arguments: SearchKind.all)
  func inTransaction(_ kind: SearchKind) throws {
    struct Undo: Error {}
    let vault = try filled(nil)
    let description = ClassDescription.pages(kind.of(["title"]))
    var count = 0
    _ = try? vault.vault.transaction {
      count = try vault.vault.store(of: description).search("sea").count()
      throw Undo()
    }
    #expect(count == 1)
    #expect(try objects(vault) == [])
    #expect(try found(vault, description, "sea") == [.integer(1)])
  }

  @Test("has columns and a table of any name", arguments: SearchKind.all)
  func names(_ kind: SearchKind) throws {
    let vault = try ChangingVault()
    let description = ClassDescription(
      "Odd", table: "a \"b\", (c) 'd' é",
      properties: [
        .init("one", column: "select \"x\"", type: .string),
        .init("two", column: "a, b) --'", type: .string),
        .init("three", column: "content", type: .string),
        .init("four", column: "language", type: .string),
      ], search: kind.of(["one", "two", "three", "four"]))
    try vault.insert(
      description, [.text("first word"), .text("second"), .text("third"), .text("fourth")])
    let store = try vault.vault.store(of: description)
    for (property, word) in [
      ("one", "word"), ("two", "second"), ("three", "third"), ("four", "fourth"),
    ] {
      #expect(try store.search(word, in: property).count() == 1)
      #expect(try store.search("first second third fourth").count() == 1)
      #expect(try store.search(word, in: property).matches().first?.snippet.contains("[") == true)
    }
    #expect(try store.isSearchSound())
  }

  @Test("is refused for what is no text, and for names that the engine's index has for itself")
  func refused() throws {
    func problem(_ description: ClassDescription) -> String? {
      do {
        try description.validate()
        return nil
      } catch {
        #expect(error.code == .invalidClass)
        return error.message
      }
    }
    #expect(problem(.pages(.init([])))?.contains("has no property") == true)
    #expect(problem(.pages(.init(["title", "title"])))?.contains("twice") == true)
    #expect(problem(.pages(.init(["nope"])))?.contains("'nope'") == true)
    #expect(problem(.pages(.init(["number"])))?.contains("its type is Int") == true)
    for name in ["rowid", "DocID", "rank", "a=b"] {
      #expect(problem(.pages(.init(["title"]), titleColumn: name))?.contains("@Column") == true)
    }
    let vault = try ChangingVault()
    try vault.run("CREATE TABLE Bare (code TEXT PRIMARY KEY NOT NULL, text TEXT) WITHOUT ROWID")
    let bare = ClassDescription(
      "Bare",
      properties: [
        .init("code", type: .string), .init("text", type: .string, isOptional: true),
      ], objectID: ["code"], search: .init(["text"]))
    #expect(code { _ = try vault.vault.store(of: bare) } == .invalidClass)
  }

  @Test(
    "of a table of another program's is made, and kept by the triggers when that program writes")
  func foreignTable() throws {
    let vault = try ChangingVault()
    try vault.run(
      "CREATE TABLE Page (number INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT)",
      "INSERT INTO Page VALUES (7, 'A kraken', NULL)")
    let description = ClassDescription(
      "Page",
      properties: [
        .init("number", type: .int, isOptional: true), .init("title", type: .string),
        .init("body", type: .string, isOptional: true),
      ], objectID: ["number"], search: .init(["title"]))
    let store = try vault.vault.store(of: description)
    #expect(try store.search("kraken").count() == 1)
    try vault.run(
      "INSERT INTO Page VALUES (8, 'A squid', 'x')", "UPDATE Page SET rowid = 9 WHERE number = 7",
      "UPDATE Page SET title = 'A kraken and a squid' WHERE number = 9",
      "UPDATE Page SET body = 'kraken'",
      "INSERT INTO Page SELECT number + 100, title, body FROM Page")
    #expect(try store.search("squid").count() == 4 && store.search("kraken").count() == 2)
    try vault.run("DELETE FROM Page WHERE number > 100")
    #expect(
      try store.search("squid kraken").all().map { try $0.value(of: "number") } == [.integer(9)])
    #expect(try store.isSearchSound())
  }

  @Test(
    "that a REPLACE without recursive triggers left wrong is found and mended",
    arguments: SearchKind.all)
  func replaced(_ kind: SearchKind) throws {
    let vault = try filled(kind.of(["title"]))
    let store = try vault.vault.store(of: .pages(kind.of(["title"])))
    try vault.run("INSERT OR REPLACE INTO Page (objectID, title, number) VALUES (1, 'new', 1)")
    #expect(try !store.isSearchSound())
    try store.rebuildSearch()
    #expect(try store.isSearchSound())
    #expect(try store.search("sea").count() == 0 && store.search("new").count() == 1)
    try vault.run(
      "PRAGMA recursive_triggers = 1",
      "INSERT OR REPLACE INTO Page (objectID, title, number) VALUES (1, 'later', 1)")
    #expect(try store.isSearchSound() && store.search("new").count() == 0)
  }

  @Test(
    "is not left behind by a REPLACE of the application's, which is refused",
    arguments: SearchKind.all)
  func replacedBySQL(_ kind: SearchKind) throws {
    let test = try filled(kind.of(["title"]))
    let vault = test.vault
    let store = try vault.store(of: .pages(kind.of(["title"])))
    for statement in [
      "INSERT OR REPLACE INTO Page (objectID, title) VALUES (1, 'new')",
      "/* x */ replace into \"page\" (objectID, title) VALUES (1, 'new')",
      "WITH w AS (SELECT 1 AS a) REPLACE INTO Page (objectID, title) SELECT a, 'new' FROM w",
      "UPDATE OR  REPLACE Page SET objectID = 1 WHERE objectID = 2",
      "update or replace \"Page\" set objectID = 1 where objectID = 2",
      Insert(into: "Page").or(.replace).values(["objectID": 1, "title": "new"]).statement,
    ] as [SQLStatement] {
      #expect(code { try vault.execute(statement) } == .invalidArgument, "\(statement)")
      #expect(code { try vault.execute([statement]) } == .invalidArgument, "\(statement)")
    }
    #expect(try store.isSearchSound() && store.search("sea").count() == 1)
    // What is no conflict clause, and what no trigger watches.
    try vault.execute(
      "UPDATE Page SET title = replace(title, 'sea', 'lake') WHERE 0 OR replace(1, 0, 0)")
    try vault.execute([
      "CREATE TABLE plain (a INTEGER PRIMARY KEY, b)", "INSERT INTO plain VALUES (1, 'old')",
      "INSERT OR REPLACE INTO plain SELECT 1, title FROM Page",
    ])
    #expect(try store.isSearchSound())
  }

  @Test(
    "retains the rows that an UPDATE of the application's skips, which is refused",
    arguments: SearchKind.all)
  func skippedBySQL(_ kind: SearchKind) throws {
    let test = try filled(kind.of(["title"]))
    let vault = test.vault
    let store = try vault.store(of: .pages(kind.of(["title"])))
    let change: SQLStatement = "Page SET title = 'gamma', number = 1 WHERE number = 2"
    try vault.execute([
      "CREATE UNIQUE INDEX numbers ON Page (number)", "CREATE TABLE mine (a UNIQUE)",
      "CREATE TRIGGER t AFTER INSERT ON mine BEGIN UPDATE \(change); END",
    ])
    // Any other index than one of words in FTS5 loses the row before its update.
    let isRejected = kind != SearchKind(module: .fts5)
    for statement in [
      "UPDATE OR IGNORE \(change)", "/* x */ update or/**/fail \(change)",
      "UPDATE OR IGNORE \"page\" SET TITLE = 'gamma', objectID = 1 WHERE objectID = 2",
      "UPDATE OR FAIL Page SET rowid = 1 WHERE rowid = 2",
      "WITH w AS (SELECT 1 AS a) UPDATE OR IGNORE Page SET title = 'x', number = (SELECT a FROM w)",
      "INSERT OR IGNORE INTO mine VALUES (1)", "INSERT OR FAIL INTO mine SELECT 2",
      Update("Page").or(.ignore).set(["title": "gamma", "number": 1])
        .where { $0.number == 2 }.statement,
    ] as [SQLStatement] {
      try vault.transaction {
        let thrown = code { try vault.execute(statement) }
        #expect(!isRejected || thrown == .invalidArgument, "\(statement)")
      }
      #expect(try store.isSearchSound(), "\(statement)")
      #expect(try store.search("kraken").count() == 1, "\(statement)")
    }
    for rule in ["IGNORE", "FAIL"] {
      let trigger: SQLStatement =
        "CREATE TRIGGER u AFTER INSERT ON mine BEGIN UPDATE OR \(unchecked: rule) \(change); END"
      #expect(code { try vault.execute(trigger) } == .invalidArgument)
    }
    // Statements that change no text, or only insert.
    try vault.execute([
      "DROP TRIGGER t", "UPDATE OR IGNORE Page SET number = 1 WHERE number = 2",
      "UPDATE OR FAIL Page SET body = 'b' WHERE number = 2",
      "INSERT OR IGNORE INTO Page (title, number) VALUES ('skipped', 1), ('new', 3)",
      "CREATE TRIGGER t AFTER INSERT ON mine BEGIN INSERT OR IGNORE INTO mine VALUES (1); END",
      "UPDATE OR IGNORE mine SET a = 1",
    ])
    #expect(try store.isSearchSound())
    #expect(try store.search("new").count() == 1 && store.search("skipped").count() == 0)
  }

  @Test("retains the rows that a trigger skips, whichever is older", arguments: SearchKind.all)
  func skippedByTrigger(_ kind: SearchKind) throws {
    let test = try filled(nil)
    let vault = test.vault
    for event in ["UPDATE", "DELETE"] {
      try vault.execute(
        """
        CREATE TRIGGER skip\(unchecked: event) BEFORE \(unchecked: event) ON Page
        WHEN old.number = 2 BEGIN SELECT RAISE(IGNORE); END
        """)
    }
    let triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE "
    let skipping = try test.rows(triggers + "'skip%' ORDER BY name")
    let store = try vault.store(of: .pages(kind.of(["title"])))
    func check(_ title: String) throws {
      try vault.execute("UPDATE Page SET title = \(title)")
      try vault.transaction {
        try vault.execute("DELETE FROM Page")
        #expect(try store.count() == 1)
        #expect(try store.isSearchSound() && store.search("kraken").count() == 1)
        try vault.execute("INSERT INTO Page (title, number) VALUES (\(title), 1)")
      }
      #expect(try store.isSearchSound() && store.search("kraken").count() == 1)
      #expect(try store.search(title).count() == 1)
    }
    try check("first")
    #expect(try test.rows(triggers + "'skip%' ORDER BY name") == skipping)
    // As after an upgrade by an earlier version.
    for trigger in try test.rows(triggers + "'objectvault%'") {
      guard case .text(let name) = trigger[0], case .text(let sql) = trigger[1] else { continue }
      try test.run("DROP TRIGGER \"\(name)\"", sql)
    }
    try store.rebuildSearch()
    try check("second")
    #expect(try vault.verify().isSound)
  }

  @Test(
    "stays true when a store from before the search replaces, saves and removes",
    arguments: SearchKind.all
  )
  func staleStore(_ kind: SearchKind) throws {
    let vault = try filled(nil)
    let before = try vault.vault.store(of: .pages(nil))
    let other = try vault.another()
    let store = try other.store(of: .pages(kind.of(["title"])))
    var object = try #require(try before.where("number == 1").first())
    try object.set("title", to: .text("replaced"))
    try before.replace(object)
    #expect(try store.isSearchSound())
    #expect(try store.search("sea").count() == 0 && store.search("replaced").count() == 1)
    try object.set("title", to: .text("saved"))
    try before.save(object)
    try before.update(object)
    #expect(try store.isSearchSound() && store.search("saved").count() == 1)
    try before.where("number == 1").update(set: ["title": "in place"])
    #expect(try store.isSearchSound() && store.search("place").count() == 1)
    try before.remove(object)
    #expect(try store.isSearchSound() && store.search("place").count() == 0)
    try before.removeAll()
    #expect(try store.isSearchSound())
  }
}
