import ObjectVaultConformance
import Testing

@Suite("Every field of a file afterwards is compared, and can be found to differ")
struct RunningFilesTests {
  /// A field as it is true of the file below, and as it is not.
  struct Field: CustomTestStringConvertible {
    let holds: String
    let differs: String
    let subject: String
    let expected: String
    let actual: String
    var testDescription: String { differs }
  }

  private static let base = """
    - sql:
        statements:
          - CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x')
          - >-
            CREATE TABLE child(a TEXT, b INTEGER, parent INTEGER REFERENCES parent(id)
            ON DELETE CASCADE ON UPDATE NO ACTION, PRIMARY KEY(b, a)) WITHOUT ROWID
          - CREATE UNIQUE INDEX child_a ON child(a)
          - CREATE INDEX child_ba ON child(b, a)
          - CREATE TABLE objectvault_own(x)
          - CREATE TABLE val(rowid TEXT, v)
          - INSERT INTO parent VALUES(2, ''), (1, 'Li')
          - INSERT INTO child VALUES('z', 1, 1), ('b', 2, NULL), ('a', 2, 2)
          - INSERT INTO val VALUES('b', NULL), ('a', 1), ('', 1.0), ('c', x'00FF'), ('d', 'quiet')
          - PRAGMA user_version = 7
    """

  static let schema = [
    Field(
      holds: "tables: [child, parent, val]", differs: "tables: [parent, child, val]",
      subject: "tables", expected: "[\"parent\", \"child\", \"val\"]",
      actual: "[\"child\", \"parent\", \"val\"]"),
    Field(
      holds: """
        columns: {parent: [{name: id, type: INTEGER, key: 1}, {name: name, type: TEXT, \
        notNull: true, default: "'x'"}]}
        """,
      differs: """
        columns: {parent: [{name: id, type: INTEGER, key: 1}, {name: name, type: TEXT, \
        default: "'x'"}]}
        """,
      subject: "columns.parent",
      expected: """
        [{name: "id", type: "INTEGER", key: 1}, {name: "name", type: "TEXT", default: "'x'"}]
        """,
      actual: """
        [{name: "id", type: "INTEGER", key: 1}, \
        {name: "name", type: "TEXT", notNull: true, default: "'x'"}]
        """),
    Field(
      holds: "columns: {val: [{name: rowid, type: TEXT}, {name: v, type: \"\"}]}",
      differs: "columns: {val: [{name: rowid, type: TEXT, key: 1}, {name: v, type: \"\"}]}",
      subject: "columns.val",
      expected: "[{name: \"rowid\", type: \"TEXT\", key: 1}, {name: \"v\", type: \"\"}]",
      actual: "[{name: \"rowid\", type: \"TEXT\"}, {name: \"v\", type: \"\"}]"),
    Field(
      holds: """
        columns: {child: [{name: a, type: TEXT, notNull: true, key: 2}, \
        {name: b, type: INTEGER, notNull: true, key: 1}, {name: parent, type: INTEGER}]}
        """,
      differs: "columns: {child: [{name: parent, type: INTEGER}]}",
      subject: "columns.child", expected: "[{name: \"parent\", type: \"INTEGER\"}]",
      actual: """
        [{name: "a", type: "TEXT", notNull: true, key: 2}, \
        {name: "b", type: "INTEGER", notNull: true, key: 1}, {name: "parent", type: "INTEGER"}]
        """),
    Field(
      holds: "indexes: {child: [{columns: [b, a]}, {columns: [a], unique: true, name: child_a}]}",
      differs: "indexes: {child: [{columns: [b, a]}, {columns: [a]}]}",
      subject: "indexes.child", expected: "[{columns: [\"b\", \"a\"]}, {columns: [\"a\"]}]",
      actual: """
        [{columns: ["b", "a"]}, {columns: ["a"], unique: true, name: "child_a"}]
        """),
    Field(
      holds: "indexes: {parent: []}", differs: "indexes: {parent: [{columns: [name]}]}",
      subject: "indexes.parent", expected: "[{columns: [\"name\"]}]", actual: "[]"),
    Field(
      holds: "indexes: {child: [{columns: [a], unique: true}, {columns: [b, a]}]}",
      differs: "indexes: {child: [{columns: [a], unique: true}, {columns: [a, b]}]}",
      subject: "indexes.child",
      expected: "[{columns: [\"a\"], unique: true}, {columns: [\"a\", \"b\"]}]",
      actual: "[{columns: [\"a\"], unique: true}, {columns: [\"b\", \"a\"], name: \"child_ba\"}]"),
    Field(
      holds: """
        foreignKeys: {parent: [], child: [{columns: [parent], table: parent, to: [id], \
        onDelete: CASCADE, onUpdate: NO ACTION}]}
        """,
      differs: """
        foreignKeys: {child: [{columns: [parent], table: parent, to: [id], \
        onDelete: SET NULL, onUpdate: NO ACTION}]}
        """,
      subject: "foreignKeys.child",
      expected: """
        [{columns: ["parent"], table: "parent", to: ["id"], onDelete: "SET NULL", \
        onUpdate: "NO ACTION"}]
        """,
      actual: """
        [{columns: ["parent"], table: "parent", to: ["id"], onDelete: "CASCADE", \
        onUpdate: "NO ACTION"}]
        """),
    Field(
      holds: "ddl: {objectvault_own: CREATE TABLE objectvault_own(x)}",
      differs: "ddl: {objectvault_own: CREATE TABLE objectvault_own(y)}",
      subject: "ddl.objectvault_own", expected: "\"CREATE TABLE objectvault_own(y)\"",
      actual: "\"CREATE TABLE objectvault_own(x)\""),
    Field(
      holds: "ddl: {objectvault_own: CREATE TABLE objectvault_own(x)}",
      differs: "ddl: {none: CREATE TABLE none(x)}", subject: "ddl.none",
      expected: "\"CREATE TABLE none(x)\"", actual: "there is no such table"),
  ]

  static let content = [
    Field(
      holds: "counts: {parent: 2, child: 3}", differs: "counts: {parent: 2, child: 4}",
      subject: "counts.child", expected: "4", actual: "3"),
    Field(
      holds: "counts: {objectvault_own: 0}", differs: "counts: {none: 0}", subject: "counts.none",
      expected: "0", actual: "there is no such table"),
    Field(
      holds: "rows: {parent: [[1, Li], [2, \"\"]]}",
      differs: "rows: {parent: [[2, \"\"], [1, Li]]}",
      subject: "rows.parent", expected: "[[2, \"\"], [1, \"Li\"]]",
      actual: "[[1, \"Li\"], [2, \"\"]]"),
    Field(
      holds: "rows: {child: [[z, 1, 1], [a, 2, 2], [b, 2, {nil: true}]]}",
      differs: "rows: {child: [[z, 1, 1], [a, 2, 2], [b, 2, 0]]}",
      subject: "rows.child", expected: "[[\"z\", 1, 1], [\"a\", 2, 2], [\"b\", 2, 0]]",
      actual: "[[\"z\", 1, 1], [\"a\", 2, 2], [\"b\", 2, {nil: true}]]"),
    Field(
      holds: """
        rows: {val: [[b, {nil: true}], [a, 1], ["", {double: "1"}], [c, {data: AP8=}], [d, quiet]]}
        """,
      differs: """
        rows: {val: [[b, {nil: true}], [a, 1], ["", 1], [c, {data: AP8=}], [d, quiet]]}
        """,
      subject: "rows.val",
      expected: """
        [["b", {nil: true}], ["a", 1], ["", 1], ["c", {data: "AP8="}], ["d", "quiet"]]
        """,
      actual: """
        [["b", {nil: true}], ["a", 1], ["", {double: "1.0"}], ["c", {data: "AP8="}], ["d", "quiet"]]
        """),
    Field(
      holds: "pragmas: {user_version: 7, journal_mode: delete}",
      differs: "pragmas: {user_version: 8, journal_mode: delete}",
      subject: "pragmas.user_version", expected: "8", actual: "7"),
    Field(
      holds: "pragmas: {application_id: 0}", differs: "pragmas: {application_id: \"0\"}",
      subject: "pragmas.application_id", expected: "\"0\"", actual: "0"),
    Field(
      holds: "pragmas: {application_id: 0}", differs: "pragmas: {no_such_pragma: 1}",
      subject: "pragmas.no_such_pragma", expected: "1", actual: "nothing"),
    Field(
      holds: "cipher: {pageSize: 4096}", differs: "cipher: {pageSize: 1024}", subject: "cipher",
      expected: "{pageSize: 1024}", actual: "{pageSize: 4096}"),
    Field(
      holds: "cipher: {pageSize: 4096}", differs: "cipher: {format: 1}", subject: "cipher",
      expected: "{format: 1}", actual: "{format: …"),
    Field(
      holds: "refusedKeys: [{passphrase: other}, {raw: \"\(String(repeating: "ab", count: 32))\"}]",
      differs: """
        refusedKeys: [{passphrase: other}, \
        {raw: "0102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F20"}]
        """,
      subject: "refusedKeys[1]", expected: "a key that does not open the file",
      actual: "it opens it"),
    Field(
      holds: "key: {raw: \"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20\"}",
      differs: "key: {raw: \"\(String(repeating: "ab", count: 32))\"}",
      subject: "key", expected: "the engine opens the file with it",
      actual: "The raw key does not open 'copy'…"),
    Field(
      holds: "withoutPlaintext: [quiet, {data: AP8BAgM=}]",
      differs: "withPlaintext: [quiet]", subject: "withPlaintext[0]",
      expected: "\"quiet\" in the bytes", actual: "nowhere"),
    Field(
      holds: "files: [main.vault]", differs: "files: [main.vault, main.vault-wal]",
      subject: "files", expected: "[\"main.vault\", \"main.vault-wal\"]",
      actual: "[\"main.vault\"]"),
    Field(
      holds: "exists: true, path: main.vault", differs: "exists: false, path: main.vault",
      subject: "exists", expected: "no such file", actual: "there is one"),
  ]

  @Test("What is true of the file passes", arguments: schema + content)
  func holds(_ field: Field) throws {
    let result = try Trial(Self.base, after: "{\(field.holds)}").run()
    #expect(result.hasPassed, "\(result.verdict)")
  }

  @Test("What is not true of the file fails", arguments: schema + content)
  func differs(_ field: Field) throws {
    let trial = Trial(Self.base, after: "{\(field.differs)}")
    expectFailure(
      try trial.run(), at: trial.line(of: "after:"), "main.vault: \(field.subject)",
      expected: field.expected, actual: field.actual)
  }

  @Test("Everything that differs is told, of every file")
  func several() throws {
    let result = try Trial(
      Self.base, after: "[{counts: {parent: 1, child: 1}}, {pragmas: {user_version: 1}}]"
    ).run()
    #expect(
      result.discrepancies.map(\.subject) == [
        "main.vault: counts.parent", "main.vault: counts.child",
        "main.vault: pragmas.user_version",
      ])
  }

  // MARK: Without being asked

  @Test("A file that should be there and is not fails")
  func noFile() throws {
    let trial = Trial("- close: {}", after: "{counts: {t: 1}}")
    expectFailure(
      try trial.run(), at: trial.line(of: "after:"), "main.vault: exists", expected: "a file",
      actual: "there is no such file")
  }

  @Test("A missing file fails next to the names of all files, if its path is given")
  func noFileAmongNames() throws {
    let trial = Trial("- close: {}", after: "{path: a, files: []}")
    expectFailure(
      try trial.run(), at: trial.line(of: "after:"), "a: exists", expected: "a file",
      actual: "there is no such file")
    #expect(try Trial("- close: {}", after: "{files: []}").run().hasPassed)
  }

  @Test("A file that begins as a plain SQLite file fails, whatever is asked")
  func plainFile() throws {
    let trial = Trial(
      "- copy: {from: databases/plain.db, to: main.vault}", after: "{withoutPlaintext: [zzz]}")
    expectFailure(
      try trial.run(), at: trial.line(of: "after:"), "main.vault: encryption",
      expected: "an encrypted file", actual: "it begins like a plaintext SQLite file")
  }

  @Test("A row that refers to none fails, whatever is asked")
  func orphan() throws {
    let trial = Trial(
      Self.base + "\n- sql: {statements: [\"INSERT INTO child VALUES('q', 9, 77)\"]}",
      after: "{tables: [child, parent, val]}")
    expectFailure(
      try trial.run(), at: trial.line(of: "after:"), "main.vault: foreign_key_check",
      expected: "nothing", actual: "1 rows refer to missing rows, the first: [\"child\", …")
  }

  @Test("A page that does not authenticate fails, whatever is asked")
  func damage() throws {
    let trial = Trial(
      Self.base + "\n- overwrite: {path: main.vault, at: -2000, data: damage}",
      after: "{exists: true, tables: [child, parent, val]}")
    let found = try trial.run().discrepancies.map(\.subject)
    #expect(found == ["main.vault: integrity_check"])
  }

  @Test("Plaintext in the log counts as in the file")
  func log() throws {
    for name in ["main.vault-wal", "main.vault-shm", "main.vault-journal"] {
      let trial = Trial(
        "\(Self.base)\n- write: {path: \(name), data: so quiet}",
        after: "{withPlaintext: [quiet], withoutPlaintext: [quiet]}")
      expectFailure(
        try trial.run(), at: trial.line(of: "after:"), "main.vault: withoutPlaintext[0]",
        expected: "\"quiet\" nowhere in the bytes",
        actual: "in its \(name.dropFirst("main.vault".count))")
    }
  }

  // MARK: The file stays as it is

  @Test("What a killed process left is seen as the next program will, and nothing is changed")
  func hotFiles() throws {
    for (name, suffix, pets) in [("hot-wal.db", "wal", 3), ("hot-journal.db", "journal", 2)] {
      let after = "{path: a, counts: {pet: \(pets)}, files: [a, a-\(suffix)]}"
      let result = try Trial(
        """
        - copy: {from: databases/\(name), to: a}
        - copy: {from: databases/\(name)-\(suffix), to: a-\(suffix)}
        """, after: "[\(after), \(after)]"
      ).run()
      #expect(result.hasPassed, "\(name): \(result.verdict)")
    }
  }
}
