import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("A copy of pages") struct PageCopyTests {
  let folder: TemporaryFolder
  let path: String
  let copyPath: String
  let newKey = "x'" + String(repeating: "a5", count: 32) + "'"

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("old.db")
    copyPath = folder.file("new.db")
    let connection = try Connection.test(path)
    try connection.execute(
      """
      PRAGMA user_version = 17; PRAGMA application_id = 42;
      CREATE TABLE t(a TEXT); CREATE TABLE u(a PRIMARY KEY, b) WITHOUT ROWID;
      INSERT INTO t(rowid, a) VALUES(1, 'marker in the first'), (7, 'marker in the seventh');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 500)
        INSERT INTO u SELECT i, hex(zeroblob(100)) FROM n;
      """)
    try connection.close()
  }

  /// Copies in small steps and returns how many it took.
  private func copy(_ source: Connection, _ destination: Connection) throws -> Int {
    let copy = try PageCopy(from: source, to: destination)
    var steps = 1
    while try copy.step(pages: 5) {
      steps += 1
      #expect(copy.remaining == copy.total - 5 * (steps - 1))
    }
    #expect(copy.remaining == 0)
    #expect(copy.total > 20)
    return steps
  }

  @Test("opens under the new key alone and holds everything, rowids and settings too")
  func newKeyAlone() throws {
    let source = try Connection.test(path, .readWrite)
    let destination = try Connection.test(copyPath, key: newKey)
    #expect(try copy(source, destination) > 4)
    try destination.close()
    try source.close()
    #expect(engineError { _ = try Connection.test(copyPath, .readOnly) }?.code == .notADatabase)
    let opened = try Connection.test(copyPath, .readOnly, key: newKey)
    #expect(try opened.text("SELECT a FROM t WHERE rowid = 7") == "marker in the seventh")
    #expect(try opened.integer("SELECT count(*) FROM u") == 500)
    #expect(try opened.pragma("user_version") == "17")
    #expect(try opened.pragma("application_id") == "42")
    #expect(try opened.integrityProblems() == [])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copyPath))
    #expect(bytes.range(of: Data("marker".utf8)) == nil)
  }

  @Test("into or out of a file in clear is refused before a byte is written")
  func clearFiles() throws {
    let encrypted = try Connection.test(path, .readWrite)
    let clear = try Connection.plain(path: copyPath, mode: .create)
    #expect(engineError { _ = try PageCopy(from: encrypted, to: clear) }?.code == .misuse)
    #expect(engineError { _ = try PageCopy(from: clear, to: encrypted) }?.code == .misuse)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copyPath)).isEmpty)
  }

  @Test(
    "into pages of another size or with less room for contents is refused",
    arguments: [(3, 4096, 3, 1024), (3, 1024, 3, 4096), (1, 4096, 3, 4096), (3, 4096, 4, 4096)])
  func pagesThatDoNotFit(from: Int, fromSize: Int, to: Int, toSize: Int) throws {
    guard to <= (try Engine.prove().newestCipherFormat) else { return }
    let source = try Connection.test(
      folder.file("source"), cipher: CipherSettings(format: from, pageSize: fromSize))
    try source.execute("CREATE TABLE t(a)")
    let destination = try Connection.test(
      copyPath, key: newKey, cipher: CipherSettings(format: to, pageSize: toSize))
    #expect(
      engineError { _ = try PageCopy(from: source, to: destination) }?.code == .misuse)
    #expect(try destination.fileSize == 0)
  }

  @Test("from format 4 to 3 and from 3 to 1 keeps every byte of pages that are full")
  func roomier() throws {
    for (from, to) in [(4, 3), (3, 1)] where from <= (try Engine.prove().newestCipherFormat) {
      let source = try Connection.test(
        folder.file("from \(from)"), cipher: CipherSettings(format: from, pageSize: 1024))
      try source.execute(
        """
        CREATE TABLE t(a); CREATE TABLE u(a PRIMARY KEY) WITHOUT ROWID;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000)
          INSERT INTO t SELECT randomblob(i % 53 + i / 30 * (i % 3)) FROM n;
        INSERT OR IGNORE INTO u SELECT a FROM t;
        """)
      let destination = try Connection.test(
        folder.file("to \(to)"), key: newKey, cipher: CipherSettings(format: to, pageSize: 1024))
      _ = try copy(source, destination)
      try destination.close()
      let opened = try Connection.test(
        folder.file("to \(to)"), .readOnly, key: newKey,
        cipher: CipherSettings(format: to, pageSize: 1024))
      #expect(try opened.integrityProblems() == [])
      for query in ["SELECT rowid, a FROM t", "SELECT a FROM u"] {
        let (first, second) = (try source.prepare(query), try opened.prepare(query))
        while try first.step() {
          #expect(try second.step())
          #expect(first.row.isIdentical(to: second.row, isUTF16: false))
        }
        #expect(try !second.step())
      }
    }
  }

  @Test("that is given up leaves the destination as it was")
  func givenUp() throws {
    let source = try Connection.test(path, .readWrite)
    let destination = try Connection.test(copyPath, key: newKey)
    try destination.execute("CREATE TABLE before(a)")
    do {
      let copy = try PageCopy(from: source, to: destination)
      #expect(try copy.step(pages: 5))
    }
    #expect(try destination.text("SELECT name FROM sqlite_master") == "before")
    #expect(try destination.integrityProblems() == [])
  }

  @Test("takes in what another connection writes meanwhile")
  func writesMeanwhile() throws {
    let source = try Connection.test(path, .readWrite)
    let writer = try Connection.test(path, .readWrite)
    let destination = try Connection.test(copyPath, key: newKey)
    let copy = try PageCopy(from: source, to: destination)
    #expect(try copy.step(pages: 5))
    try writer.execute("INSERT INTO t VALUES('late')")
    while try copy.step(pages: 100) {}
    #expect(try destination.integer("SELECT count(*) FROM t") == 3)
  }
}
