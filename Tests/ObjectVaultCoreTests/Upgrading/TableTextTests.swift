import ObjectVaultCore
import Testing

@Suite("The text of a table")
struct TableTextTests {
  private func text(_ sql: String) throws -> TableText { try #require(TableText(sql)) }

  @Test("is cut into columns, constraints and options, whatever stands in them")
  func parts() throws {
    let table = try text(
      """
      CREATE TABLE "a b" (
        id INTEGER PRIMARY KEY AUTOINCREMENT, -- a comment, with a comma
        [first name] VARCHAR(20, 3) NOT NULL DEFAULT 'a, (b' COLLATE NOCASE,
        `x``y` /* , */ CHECK ("x`y" > 0 AND length('),') = 2) UNIQUE ON CONFLICT FAIL,
        owner REFERENCES people(id) ON DELETE SET NULL ON UPDATE SET DEFAULT NOT DEFERRABLE,
        n NUMERIC CONSTRAINT positive CHECK (n >= -1.5e+3) NULL DEFAULT NULL,
        plain, g AS (n || x'0A') STORED,
        CONSTRAINT two UNIQUE (n, owner), PRIMARY KEY (id, n), CHECK (n <> plain),
        FOREIGN KEY (n) REFERENCES other(n)
      ) WITHOUT ROWID
      """)
    #expect(
      table.columns.map(\.name) == [
        "id", "first name", "x`y", "owner", "n", "plain", "g",
      ])
    #expect(
      table.columns.map { $0.constraints.map(\.kind) } == [
        [.primaryKey], [.notNull, .default, .collate], [.check, .unique], [.references],
        [.check, .null, .default], [], [.generated],
      ])
    #expect(SQLToken.text(table.columns[1].type) == "VARCHAR ( 20 , 3 )")
    #expect(table.constraints.map(\.kind) == [.unique, .primaryKey, .check, .foreignKey])
    #expect(SQLToken.text(table.options) == "WITHOUT ROWID")
  }

  @Test("comes out meaning the same, to the engine too")
  func roundTrip() throws {
    let sql = """
      CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT ('x' || 'y') COLLATE NOCASE, \
      c CHECK(c IS NULL OR c > 1.5), d REFERENCES t(a) ON DELETE CASCADE DEFERRABLE INITIALLY \
      DEFERRED, UNIQUE (b, c))
      """
    let again = try text(sql).statement(named: "t")
    #expect(
      SQLToken.tokens(of: try text(again).statement(named: "t")) == SQLToken.tokens(of: again))
    #expect(
      again == """
        CREATE TABLE "t" ("a" INTEGER PRIMARY KEY, "b" TEXT NOT NULL DEFAULT ( 'x' || 'y' ) \
        COLLATE NOCASE, "c" CHECK ( c IS NULL OR c > 1.5 ), "d" REFERENCES t ( a ) ON DELETE \
        CASCADE DEFERRABLE INITIALLY DEFERRED, UNIQUE ( b , c ))
        """)
  }

  @Test("calls a column by another name in checks and keys, but not what only looks like it")
  func renaming() throws {
    var table = try text(
      """
      CREATE TABLE t(name TEXT COLLATE name CHECK(length(name) > 0 AND name <> 'name'), \
      other REFERENCES name(name), CONSTRAINT name UNIQUE (Name), \
      FOREIGN KEY (name) REFERENCES x(name), CHECK (name('a') OR "name" = 1))
      """)
    table.rename("name", to: "full name")
    #expect(
      table.statement(named: "t") == """
        CREATE TABLE "t" ("full name" TEXT COLLATE name CHECK ( length ( "full name" ) > 0 AND \
        "full name" <> 'name' ), "other" REFERENCES name ( name ), CONSTRAINT name UNIQUE ( \
        "full name" ), FOREIGN KEY ( "full name" ) REFERENCES x ( name ), CHECK ( name ( 'a' ) OR \
        "full name" = 1 ))
        """)
  }

  @Test("takes and loses constraints of a column in their place")
  func constraints() throws {
    var table = try text("CREATE TABLE t(a TEXT NOT NULL DEFAULT 'x' UNIQUE)")
    table.columns[0].set(.notNull, to: nil)
    table.columns[0].set(.default, to: "DEFAULT 'y'")
    table.columns[0].type = SQLToken.tokens(of: "INTEGER")
    #expect(
      table.statement(named: "u") == "CREATE TABLE \"u\" (\"a\" INTEGER DEFAULT 'y' UNIQUE)")
    table.columns[0].set(.notNull, to: "NOT NULL")
    #expect(
      table.statement(named: "u")
        == "CREATE TABLE \"u\" (\"a\" INTEGER DEFAULT 'y' UNIQUE NOT NULL)")
  }

  @Test("has names and texts with quotes before combining marks, and names that begin with a mark")
  func combiningMarks() {
    func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
    #expect(scalars(SQL.text("'\u{301}")) == ["'", "'", "'", "\u{301}", "'"])
    #expect(scalars(SQL.quoted("\"\u{301}")) == ["\"", "\"", "\"", "\u{301}", "\""])
    for name in ["a\"\u{301}b", "\u{301}a", "\"\"", "'\u{301}'", "a\u{600}", "a"] {
      let token = SQLToken.named(name)
      #expect(token.name.map(scalars) == scalars(name))
      #expect(SQLToken.tokens(of: token.text) == [token])
    }
    let tokens = SQLToken.tokens(of: "[a\"\"b] `c``\u{301}` 'd''\u{301}' e")
    let names = ["a\"\"b", "c`\u{301}", "d'\u{301}", "e"]
    #expect(tokens.compactMap(\.name).map(scalars) == names.map(scalars))
  }

  @Test("is none for a virtual table and one made from a selection")
  func none() {
    #expect(TableText("CREATE VIRTUAL TABLE t USING fts4(a)") == nil)
    #expect(TableText("CREATE TABLE t AS SELECT (1)") == nil)
    #expect(TableText("") == nil)
  }
}
