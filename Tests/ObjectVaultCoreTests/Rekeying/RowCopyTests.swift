import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("A copy of rows")
struct RowCopyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Copies a file through several forms, each made from the one before.
  ///
  /// - Returns: The answer of the query before the first copy and after each.
  private func chain(
    _ sql: String, _ forms: [FileForm], _ query: String, encoding: String? = nil
  ) throws -> [[String]] {
    var path = folder.file("0")
    let first = try forms[0].open(path)
    if let encoding { try first.execute("PRAGMA encoding = \"\(encoding)\"") }
    try first.setPragma("foreign_keys", to: "0", expecting: "0")
    try first.execute(sql)
    var answers = [try first.rows(query)]
    try first.close()
    for number in 1..<forms.count {
      let source = try forms[number - 1].open(path)
      path = folder.file("\(number)")
      answers.append(try copyRows(source, to: path, as: forms[number], asking: query))
      try source.close()
    }
    return answers
  }

  @Test(
    "brings everything that a schema can hold into the clear, back, and to other pages",
    arguments: SchemaSample.all)
  func schemas(sample: SchemaSample) throws {
    let probe = try FileForm.clear().open(folder.file("probe"))
    guard (try? probe.execute(sample.needs)) != nil else { return }
    let forms: [FileForm] = [
      .encrypted(), .clear(), .encrypted(pageSize: 1024), .encrypted(format: 3),
      .clear(pageSize: 512),
    ]
    let answers = try chain(sample.sql, forms, sample.query)
    #expect(!answers[0].isEmpty)
    #expect(Set(answers).count == 1, "\(answers)")
  }

  @Test("keeps settings of the file, and triggers and searches that work", arguments: [0, 1, 2])
  func settings(vacuum: Int) throws {
    let sql = """
      PRAGMA auto_vacuum = \(vacuum); PRAGMA user_version = 12; PRAGMA application_id = -3;
      CREATE TABLE t(a); CREATE TABLE log(a);
      CREATE TRIGGER noted AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.a); END;
      """
    _ = try chain(sql, [.clear(), .encrypted(), .clear(), .encrypted(pageSize: 8192)], "SELECT 1")
    for number in 0..<4 {
      let form: FileForm =
        number.isMultiple(of: 2)
        ? .clear()
        : .encrypted(
          pageSize: number == 3 ? 8192 : 4096)
      let file = try form.open(folder.file("\(number)"))
      #expect(try file.rows("PRAGMA auto_vacuum") == ["integer \(vacuum)"])
      #expect(try file.rows("PRAGMA user_version") == ["integer 12"])
      #expect(try file.rows("PRAGMA application_id") == ["integer -3"])
      try file.execute("INSERT INTO t VALUES('late')")
      #expect(try file.rows("SELECT a FROM log") == ["text late"])
      try file.close()
    }
  }

  @Test("lets a sequence go on where it was")
  func sequence() throws {
    let sql = """
      CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO t VALUES(41, 'x');
      DELETE FROM t;
      """
    _ = try chain(sql, [.encrypted(), .clear()], "SELECT 1")
    let file = try FileForm.clear().open(folder.file("1"))
    try file.execute("INSERT INTO t(a) VALUES('next')")
    #expect(file.lastInsertRowID == 42)
  }

  @Test(
    "keeps texts of every encoding as they are", arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func encodings(encoding: String) throws {
    let sql = """
      CREATE TABLE t(a TEXT, b UNIQUE); CREATE VIEW v AS SELECT 'ü' AS c;
      INSERT INTO t VALUES('Ünï 🗝', 'a' || char(0) || 'b'), ('', x''), (CAST(x'00D8' AS TEXT), CAST(x'D800' AS TEXT)),
        (CAST(x'FF' AS TEXT), 'end');
      """
    let forms: [FileForm] = [.clear(), .encrypted(), .encrypted(pageSize: 1024), .clear()]
    let answers = try chain(
      sql, forms, "SELECT a, b, hex(CAST(a AS BLOB)), hex(CAST(b AS BLOB)) FROM t, v",
      encoding: encoding)
    #expect(Set(answers).count == 1)
    let last = try FileForm.clear().open(folder.file("3"))
    #expect(try last.pragma("encoding") == encoding)
  }

  @Test(
    "goes from and to pages of every size",
    arguments: [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536])
  func pageSizes(size: Int) throws {
    let sql = """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a); CREATE INDEX i ON t(a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO t SELECT i * 3, hex(zeroblob(i * (i % 7) * 5)) FROM n;
      """
    var forms: [FileForm] = [.clear(pageSize: size), .encrypted(), .clear(pageSize: size)]
    // Formats 2 to 4 leave too little of the smallest.
    if size > 512 { forms += [.encrypted(pageSize: size), .clear(pageSize: 512), .clear()] }
    let answers = try chain(sql, forms, "SELECT count(*), sum(id), sum(length(a)) FROM t")
    #expect(Set(answers).count == 1)
  }

  @Test("keeps a thousand rows of any values and types, and their order")
  func anyValues() throws {
    var generator = SeededGenerator(for: "anyValues")
    let source = try FileForm.encrypted().open(folder.file("source"))
    let tables = [
      "CREATE TABLE a(x INTEGER, y TEXT, z REAL, w BLOB, v NUMERIC, u)",
      "CREATE TABLE b(x INTEGER PRIMARY KEY, y, z REAL, w, v NUMERIC, u TEXT)",
      "CREATE TABLE c(k INTEGER NOT NULL PRIMARY KEY, y, z REAL, w, v DECIMAL(3, 1), u) WITHOUT ROWID",
    ]
    for (name, sql) in zip(["a", "b", "c"], tables) {
      try source.execute(sql)
      let insertion = try source.prepare(
        "INSERT OR IGNORE INTO \(name) VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
      try source.execute("BEGIN")
      for number in 0..<1_000 {
        let binder = insertion.binder
        for position in 0..<6 {
          if name != "a", position == 0 {
            binder.bind(integer: Int64.random(in: .min ... .max, using: &generator), at: 0)
          } else {
            bindAnything(to: binder, at: position, number, &generator)
          }
        }
        try insertion.run()
      }
      try source.execute("COMMIT")
    }
    let query = "SELECT * FROM a UNION ALL SELECT * FROM b UNION ALL SELECT * FROM c"
    let expected = try source.rows(query)
    #expect(expected.count > 2_990)
    for storage in ["null", "integer", "real", "text", "blob"] {
      #expect(expected.count { $0.contains("\(storage) ") } > 500)
    }
    let clear = try copyRows(source, to: folder.file("clear"), as: .clear(), asking: query)
    #expect(clear == expected)
    let again = try FileForm.clear().open(folder.file("clear"))
    let form = FileForm.encrypted(pageSize: 2048)
    #expect(try copyRows(again, to: folder.file("again"), as: form, asking: query) == expected)
  }

  private func bindAnything(
    to binder: Binder, at position: Int, _ number: Int, _ generator: inout SeededGenerator
  ) {
    let bytes = (0..<Int.random(in: 0...(number % 97 == 0 ? 9_000 : 40), using: &generator)).map {
      _ in UInt8.random(in: 0...255, using: &generator)
    }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: binder.bindNull(at: position)
    case 1: binder.bind(integer: Int64.random(in: .min ... .max, using: &generator), at: position)
    case 2:
      let value = Double(bitPattern: generator.next())
      binder.bind(real: value.isNaN ? -0.0 : value, at: position)
    case 3:
      binder.bind(
        text: generator.pick(["", "1", "1.0", "-0", "1e5", " 7", "ü", "x"]), at: position)
    // Also what is not UTF-8.
    case 4: bytes.withUnsafeBytes { binder.bind(utf8: $0, at: position) }
    default: bytes.withUnsafeBytes { binder.bind(bytes: $0, at: position) }
    }
  }

  @Test(
    "of a file by another program holds what the file held",
    arguments: [
      ("format1-512.db", 1, 512), ("format2-1024.db", 2, 1024), ("format3-1024.db", 3, 1024),
      ("format1-1024-by-4.db", 1, 1024), ("format3-1024-by-4.db", 3, 1024),
    ])
  func foreignFiles(name: String, format: Int, pageSize: Int) throws {
    let path = try fixture(name, in: folder)
    let source = try Array(passphrase.utf8).withUnsafeBytes { key in
      try Connection(
        path: path, mode: .readOnly, key: key,
        cipher: CipherSettings(format: format, pageSize: pageSize))
    }
    let query = "SELECT name, age FROM pet UNION ALL SELECT id, body FROM note"
    let expected = try source.rows(query)
    #expect(expected.count == 42)
    for (number, form) in [FileForm.encrypted(), .clear(), .encrypted(format: 3)].enumerated() {
      #expect(
        try copyRows(source, to: folder.file("\(number)"), as: form, asking: query) == expected)
    }
  }

  @Test("of every shape that a file can have is dumped by the stock shell as the file is")
  func shapes() throws {
    let path = try fixture("shapes.db", in: folder)
    let digits = (1...32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let source = try Array("x'\(digits)'".utf8).withUnsafeBytes { key in
      try Connection(
        path: path, mode: .readOnly, key: key, cipher: CipherSettings(format: 3, pageSize: 1024))
    }
    try copyRows(source, to: folder.file("clear"), as: .clear())
    try source.close()
    let compatibility =
      try Engine.prove().cipherMajor >= 4 ? ["PRAGMA cipher_compatibility=3;"] : []
    let pages = "PRAGMA cipher_page_size=1024;"
    let before = try CipherShell.run(
      path, ["PRAGMA key=\"x'\(digits)'\";"] + compatibility + [pages, ".dump"])
    let after = try CipherShell.run(folder.file("clear"), [".dump"])
    let lines = { (text: String) in
      text.split(separator: "\n").filter { $0 != "ok" }.sorted()
    }
    #expect(lines(after).count > 60)
    #expect(lines(before) == lines(after))
  }
}
