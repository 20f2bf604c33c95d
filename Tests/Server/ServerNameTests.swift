import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

@testable import ObjectVaultServer

/// Names of schemas, tables and columns that mean something to a server.
@Suite("Names on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerNameTests {
  private func word(
    _ number: String = "number", table: String = "Word"
  ) -> ClassDescription {
    ClassDescription(
      "Word", table: table,
      properties: [
        PropertyDescription(number, Int.self), PropertyDescription("text", String?.self),
      ],
      objectID: [number], indexes: [IndexDescription(["text"], unique: true)])
  }

  private func word(_ number: Int, _ text: String) throws -> DynamicObject {
    var object = try DynamicObject(of: word())
    try object.set("number", to: .integer(Int64(number)))
    try object.set("text", to: .text(text))
    return object
  }

  @Test(
    "a schema can have any name, which is used as it is",
    arguments: [
      "School", "a b", "a.b", "a\"b", "a'b", "a,b", "$body$", "user", "é", "a?1",
      String(repeating: "ö", count: 31), " ",
    ])
  func schemas(start: String) throws {
    // Other runs use the same server.
    let schema =
      start.utf8.count > 50 ? start : start + Server.newSchema().drop { $0 != "_" } + start
    let vault = try Server.vault(schema)
    defer { vault.close() }
    let words = try vault.store(of: word())
    try words.insert(contentsOf: [word(1, "a"), word(2, "b")])
    #expect(try words.where("text == 'b'").first()?.value(of: "number") == .integer(2))
    let error = #expect(throws: VaultError.self) { try words.insert(word(3, "a")) }
    #expect(error?.propertyNames == ["text"])
    let other = try Server.vault(schema, connection: "other")
    defer { other.close() }
    var seen: [Int] = []
    let token = words.where("number > 0").observeCount(onError: { _ in }, onChange: { _ in })
    token.cancel()
    var longer = word()
    longer.properties.append(PropertyDescription("length", Int?.self))
    let rehearsal = try other.rehearseMigration(of: [longer])
    #expect(rehearsal.refusal == nil)
    #expect(rehearsal.after.map(\.rows) == [2])
    try other.transaction(retryingFor: .seconds(10)) {
      seen.append(try other.store(of: word()).count())
    }
    #expect(seen == [2])
    let upgraded = try other.store(of: longer)
    #expect(try upgraded.where("length == nil").count() == 2)
    try other.opened().withWriter { session in
      let found = try session.with("SELECT current_schema()") { statement in
        try statement.rows { $0.text(at: 0) ?? "" }
      }
      #expect(found == [schema])
      try session.execute("DROP SCHEMA \(SQL.quoted(schema)) CASCADE")
    }
  }

  @Test("a commit in a schema with a long name notifies its observers", .timeLimit(.minutes(2)))
  func observed() async throws {
    let schema = String((Server.newSchema() + " É" + String(repeating: "x", count: 60)).prefix(62))
    let vault = try Server.vault(schema, observationInterval: .seconds(600))
    let other = try Server.vault(schema, connection: "other")
    defer {
      vault.close()
      other.close()
    }
    let words = try await vault.store(of: word())
    let others = try await other.store(of: word())
    for try await count in words.observeCount() {
      if count == 1 { break }
      // The writer asks once in a second whether anyone listens.
      try await Task.sleep(for: .seconds(2.5))
      try await others.insert(word(1, "a"))
    }
    #expect(try await words.count() == 1)
  }

  @Test(
    "a reserved schema is rejected",
    arguments: [
      "", "$user", "pg_x", "objectvault", "information_schema", "a\0",
      String(repeating: "x", count: 64),
    ])
  func reserved(schema: String) throws {
    let error = #expect(throws: VaultError.self) { try Server.vault(schema) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("schema") == true)
  }

  @Test(
    "a property with the name of a system column is rejected, and its other case is not",
    arguments: ["ctid", "xmin", "cmin", "xmax", "cmax", "tableoid"])
  func systemColumns(name: String) throws {
    let vault = try Server.vault()
    defer { vault.close() }
    for description in [word(name), word(table: "Other")] {
      var description = description
      if description.table == "Other" {
        description.properties.append(
          PropertyDescription("plain", column: name, type: .int, isOptional: true))
      }
      let error = #expect(throws: VaultError.self) { try vault.store(of: description) }
      #expect(error?.code == .invalidClass)
      #expect(error?.message.contains("'\(name)'") == true)
      #expect(error?.message.contains("@Column") == true)
    }
    let words = try vault.store(of: word(name.uppercased()))
    #expect(try words.count() == 0)
  }

  @Test(
    "a name that contains SQL changes nothing",
    arguments: [
      "x pg_catalog.pg_class", "x order by y", "x limit 1", "$1 ?1 ? -- /*", "insert into",
      "a'b\"c",
    ])
  func words(name: String) throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let description = ClassDescription(
      name, table: name,
      properties: [
        PropertyDescription("number", Int.self),
        PropertyDescription("text", column: name, type: .string, isOptional: true),
      ],
      objectID: ["number"], indexes: [IndexDescription(["text"])])
    let store = try vault.store(of: description)
    func object(_ number: Int64) throws -> DynamicObject {
      var object = try DynamicObject(of: description)
      try object.set("number", to: .integer(number))
      try object.set("text", to: .text("x"))
      return object
    }
    try vault.transaction {
      #expect(try store.all().isEmpty)
      try store.insert(object(1))
      #expect(try store.all().count == 1)
      try store.insert(contentsOf: [object(2), object(3)])
      #expect(try store.where("text == 'x'").sorted(by: .ascending("number")).all().count == 3)
      try store.where("number == 2").update(set: ["text": nil])
      #expect(try store.where("text == nil").all().count == 1)
    }
    try store.where("number > 0").remove()
    #expect(try store.count() == 0)
  }

  @Test("a table that the catalog of the server would hide is rejected") func catalog() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let error = #expect(throws: VaultError.self) {
      try vault.store(of: word(table: "pg_namespace"))
    }
    #expect(error?.code == .invalidClass)
    #expect(error?.message.contains("'pg_'") == true)
    #expect(error?.message.contains("`table:`") == true)
    // The functions of the library are in a schema behind this one.
    #expect(try vault.store(of: word(table: "functions")).count() == 0)
  }

  @Test(
    "a table with the name of something else is rejected with its kind",
    arguments: [
      ("a view", "VIEW \"Word\" AS SELECT 1"),
      ("a materialized view", "MATERIALIZED VIEW \"Word\" AS SELECT 1"),
      ("a sequence", "SEQUENCE \"Word\""), ("a type", "TYPE \"Word\" AS ENUM ('a')"),
      ("a type", "TYPE \"Word\" AS (a integer)"), ("an index", "INDEX \"Word\" ON helper (a)"),
    ])
  func occupied(kind: String, definition: String) throws {
    let vault = try Server.vault()
    defer { vault.close() }
    try vault.opened().withWriter { session in
      try session.execute("CREATE TABLE helper (a bigint)")
      try session.execute("CREATE \(definition)")
    }
    let error = #expect(throws: VaultError.self) { try vault.store(of: word()) }
    #expect(error?.code == .invalidClass)
    #expect(error?.message.contains(kind) == true)
    #expect(error?.message.contains("`table:`") == true)
    #expect(try vault.store(of: word(table: "Other")).count() == 0)
    // A type of arrays makes room.
    try vault.opened().withWriter { session in
      try session.execute("CREATE TYPE \"ord\" AS ENUM ('a')")
    }
    #expect(try vault.store(of: word(table: "_ord")).count() == 0)
  }

  @Test("a table of another program whose name differs only in case is another one")
  func otherCase() throws {
    let schema = Server.newSchema()
    let vault = try Server.vault(schema)
    defer { vault.close() }
    let words = try vault.store(of: word())
    try words.insert(word(1, "a"))
    try vault.opened().withWriter { session in
      try session.execute("CREATE TABLE word (text text REFERENCES \"Word\" (text))")
      try session.execute("CREATE INDEX theirs ON word (text)")
      // The row of this table in the catalog comes after that of the other one then.
      try session.execute("ALTER TABLE \"Word\" ADD COLUMN more bigint")
      let found = Schema(on: session)
      #expect(try found.tableName(like: "Word") == "Word")
      #expect(try found.tableName(like: "word") == "word")
      #expect(try found.tableName(like: "WORD") != nil)
      #expect(try found.objects("index", of: "Word").map(\.name) == ["ovu_Word__text"])
    }
    let other = try Server.vault(schema, connection: "other")
    defer { other.close() }
    var longer = word()
    longer.properties.append(PropertyDescription("length", Int?.self))
    #expect(try other.store(of: longer).where("length == nil").count() == 1)
    try words.insert(word(2, "b"))
    #expect(try words.count() == 2)
  }
}

@Suite("Long names of columns on a PostgreSQL server", .enabled(if: Server.address != nil))
struct LongNameTests: ServerUpgrading {
  let schema = Server.newSchema()
  /// The names of two columns, which differ at their end.
  private let names = ["1", "2"].map { String(repeating: "beschreibung", count: 4) + "_\($0)" }

  private func note(_ lengths: [ColumnLength?]) -> ClassDescription {
    ClassDescription(
      "Note",
      properties: [PropertyDescription("id", Int64.self)]
        + zip(names, lengths).map { name, length in
          PropertyDescription(name, String?.self).columnDefined(length: length)
        },
      objectID: ["id"])
  }

  private func add(_ texts: [String], _ lengths: [ColumnLength?]) -> VaultError.Code? {
    code {
      try withVault("\(UInt64.random(in: .min ... .max))") { vault in
        let values = zip(names, texts).map { ($0, StoredValue.text($1)) }
        try insert(
          [Dictionary(uniqueKeysWithValues: values)], vault.store(of: note(lengths)))
      }
    }
  }

  @Test("their lengths are checked, changed and left out") func lengths() throws {
    #expect(add(["abcd", "ab"], [.atMost(4), .atMost(2)]) == nil)
    #expect(add(["abcde", "ab"], [.atMost(4), .atMost(2)]) == .constraint)
    #expect(add(["abcd", "abc"], [.atMost(4), .atMost(2)]) == .constraint)
    #expect(add(["abcde", "abc"], [.atMost(5), .atMost(3)]) == nil)
    #expect(add(["abcdef", "abc"], [nil, .atMost(3)]) == nil)
    #expect(add(["abcdef", "abcd"], [nil, .atMost(3)]) == .constraint)
    #expect(add(["abcdef", "abcd"], [.atMost(6), .atMost(4)]) == nil)
    // The property is removed.
    #expect(add([], []) == nil)
    #expect(add(["abcdefgh", "abcdefgh"], [nil, nil]) == nil)
  }

  @Test("a length that an earlier version stored is changed") func earlierName() throws {
    #expect(add(["abcd", "ab"], [.atMost(4), nil]) == nil)
    try withVault("earlier") { vault in
      try vault.opened().withWriter { session in
        let name = try session.with(
          "SELECT conname FROM pg_constraint WHERE conrelid = '\"Note\"'::regclass AND contype = 'c'"
        ) { statement in try statement.rows { $0.text(at: 0) ?? "" }.first ?? "" }
        #expect(name.hasPrefix("at most 4 characters in beschreibung"))
        // The server shortens the name.
        try session.execute(
          "ALTER TABLE \"Note\" RENAME CONSTRAINT \(SQL.quoted(name)) "
            + "TO \(SQL.quoted("at most 4 characters in \(names[0])"))")
      }
    }
    #expect(add(["abcdefgh", "ab"], [.atMost(8), nil]) == nil)
    #expect(add(["abcdefghi", "ab"], [.atMost(8), nil]) == .constraint)
  }
}
