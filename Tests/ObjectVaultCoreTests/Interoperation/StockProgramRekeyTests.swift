import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("A file of another program") struct StockProgramRekeyTests {
  /// Programs that have a SQLCipher of their own, whatever this one runs on.
  enum Program: String, CaseIterable, Sendable {
    /// The shell of the engine under test.
    case shell
    /// The shell that the system has, which may be of an older engine.
    case systemShell
    /// Python's sqlcipher3.
    case python

    private static let systemShellPath = "/usr/bin/sqlcipher"

    /// Whether this machine has the program.
    var isAtHand: Bool {
      switch self {
      case .shell: true
      case .systemShell: FileManager.default.isExecutableFile(atPath: Self.systemShellPath)
      case .python: PythonProgram.hasSQLCipher
      }
    }

    /// What the program answers.
    func run(_ file: String, _ statements: [String]) throws -> String {
      switch self {
      case .shell: try CipherShell.run(file, statements.map { $0 + ";" })
      case .systemShell:
        try CipherShell.run(file, statements.map { $0 + ";" }, by: Self.systemShellPath)
      case .python: try PythonProgram.runSQLCipher(file, statements)
      }
    }
  }

  /// A key as a program is given it, and as this library is.
  struct Key: Sendable {
    let pragma: String
    let key: VaultKey

    static let words = Key(pragma: "PRAGMA key='open sesame'", key: .passphrase("open sesame"))
    static let otherWords = Key(pragma: "PRAGMA key='it''s ü'", key: .passphrase("it's ü"))
    static let raw = Key(
      pragma: "PRAGMA key=\"x'\(String(repeating: "5a", count: 32))'\"",
      key: .raw(hex: String(repeating: "5a", count: 32)))
  }

  @Test(
    "is rekeyed and opened by that program with the new key, and not with the old one",
    arguments: [Program.shell, .systemShell].filter(\.isAtHand), ["DELETE", "WAL"])
  func rekey(program: Program, mode: String) throws { try check(program, mode) }

  @Test(
    "of Python's is rekeyed and opened by it with the new key, and not with the old one",
    .enabled(if: Program.python.isAtHand, "Scripts/testee --set-up provides sqlcipher3"),
    arguments: ["DELETE", "WAL"])
  func rekeyOfPython(mode: String) throws { try check(.python, mode) }

  private func check(_ program: Program, _ mode: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("foreign.db")
    let making = [
      Key.words.pragma, "PRAGMA journal_mode=\(mode)", "PRAGMA user_version=7",
      "CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT, b UNIQUE)",
      "CREATE TRIGGER g AFTER DELETE ON t BEGIN INSERT INTO t(b) VALUES('never'); END",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000)
      INSERT INTO t(b) SELECT 'row ' || i || hex(zeroblob(i % 200)) FROM n
      """,
    ]
    _ = try program.run(path, making)
    let question = [
      "SELECT count(*), sum(length(b)), max(a) FROM t", "PRAGMA integrity_check",
      "PRAGMA user_version", "SELECT name FROM sqlite_master ORDER BY name",
      "PRAGMA journal_mode",
    ]
    let keys: [Key] = [.words, .raw, .otherWords, .words]
    let before = try program.run(path, [keys[0].pragma] + question)
    #expect(before.contains("3000|"))
    for (old, new) in zip(keys, keys.dropFirst()) {
      let salt = try bytes(path).prefix(16)
      do {
        try DatabaseFile(at: path, key: old.key).rekey(to: new.key)
      } catch let error as VaultError where error.code == .newerCipherFormat {
        // A file of a newer engine than this one.
        #expect(try Engine.prove().newestCipherFormat < 4)
        #expect(try program.run(path, [old.pragma] + question) == before)
        return
      }
      #expect(try bytes(path).prefix(16) != salt)
      #expect(try program.run(path, [new.pragma] + question) == before)
      let refused = try program.run(path, [old.pragma] + question)
      #expect(!refused.contains("3000|") && refused.contains("not a database"), "\(refused)")
    }
  }

  @Test("comes through larger pages, the clear and back with everything that it can hold")
  func shapes() throws {
    let folder = try TemporaryFolder()
    let original = try fixture("shapes.db", in: folder)
    let path = folder.file("worked on.db")
    try FileManager.default.copyItem(atPath: original, toPath: path)
    let key = VaultKey.raw(1...32)
    let digits = (1...32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    func dump(_ path: String, format: Int, pageSize: Int) throws -> [String] {
      let isNewer = try Engine.prove().cipherMajor >= 4
      let compatibility = isNewer && format == 3 ? ["PRAGMA cipher_compatibility=3;"] : []
      let pragmas =
        pageSize == 0
        ? []
        : ["PRAGMA key=\"x'\(digits)'\";"] + compatibility
          + ["PRAGMA cipher_page_size=\(pageSize);"]
      return try CipherShell.run(path, pragmas + [".dump"]).split(separator: "\n")
        .map(String.init).filter { $0 != "ok" }.sorted()
    }
    let expected = try dump(original, format: 3, pageSize: 1024)
    #expect(expected.count > 60)
    let newest = try Engine.prove().newestCipherFormat

    let upgraded = try DatabaseFile(at: path, key: key).upgrade(pageSize: 4096)
    #expect(upgraded.format == newest && upgraded.pageSize == 4096)
    #expect(try dump(path, format: newest, pageSize: 4096) == expected)

    let clear = folder.file("clear.db")
    try DatabaseFile(at: path, key: key).decrypt(to: clear)
    #expect(try dump(clear, format: 0, pageSize: 0) == expected)

    try DatabaseFile(at: clear, key: nil).encrypt(with: key, format: .portable, pageSize: 8192)
    #expect(try dump(clear, format: 3, pageSize: 8192) == expected)

    let copy = folder.file("copy.db")
    try DatabaseFile(at: clear, key: key).backup(to: copy, key: key)
    try DatabaseFile(at: copy, key: key).rekey(to: key)
    #expect(try dump(copy, format: 3, pageSize: 8192) == expected)
  }

  @Test("that an older engine filled to the last byte of its pages loses nothing in a newer format")
  func fullPages() throws {
    guard try Engine.prove().newestCipherFormat >= 4 else { return }
    let folder = try TemporaryFolder()
    for name in ["format3-1024-raw.db", "format3-4096-raw.db", "format3-32768-raw.db"] {
      let path = try fixture(name, in: folder)
      let file = try DatabaseFile(at: path, key: .raw(1...32))
      let vault = { try Vault(at: path, key: .raw(1...32)) }
      let before = try vault().store(named: "note").all().map { String(describing: $0) }
      #expect(before.count == 40)
      #expect(try file.upgrade().format == 4)
      #expect(try vault().store(named: "note").all().map { String(describing: $0) } == before)
      #expect(try file.upgrade(to: .portable).format == 3)
      #expect(try vault().store(named: "note").all().map { String(describing: $0) } == before)
    }
  }
}
