import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import Synchronization
import TestSupport
import Testing

@Suite("The key") struct KeySecrecyTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  final class Trace: Sendable {
    let texts = Mutex<[String]>([])
    func holds(_ part: String) -> Bool { texts.withLock { $0.contains { $0.contains(part) } } }
  }

  @Test("D17 the key and the values stand in no traced statement") func d17TheKeyAndTheValues()
    throws
  {
    let trace = Trace()
    var options = ConnectionOptions()
    options.trace = { sql in trace.texts.withLock { $0.append(sql) } }
    let passphrase = "the-very-secret-words"
    let connection = try Connection.test(
      folder.file("test.db"), key: passphrase, cipher: CipherSettings(format: 3),
      options: options)
    try connection.execute("CREATE TABLE t(a)")
    let insert = try connection.prepare("INSERT INTO t VALUES(?)")
    insert.binder.bind(text: "a-bound-value", at: 0)
    try insert.run()
    #expect(!trace.holds("secret-words"))
    #expect(!trace.holds("a-bound-value"))
    #expect(!insert.sql.contains("a-bound-value"))
    // The control: the same trace shows what does stand in SQL, from the first setting on.
    #expect(trace.holds("cipher_page_size"))
    #expect(trace.holds("INSERT INTO t VALUES(?)"))
    try connection.execute("SELECT 'the-very-secret-words'")
    #expect(trace.holds("secret-words"))
  }

  @Test("D17 a refused key statement is not traced and not quoted") func d17ARefusedKeyStatement()
    throws
  {
    let trace = Trace()
    var options = ConnectionOptions()
    options.trace = { sql in trace.texts.withLock { $0.append(sql) } }
    let connection = try Connection.test(folder.file("test.db"), options: options)
    let error = engineError { try connection.execute("PRAGMA key = 'the-very-secret-words'") }
    #expect(error?.message.contains("secret") == false)
    #expect(!trace.holds("secret-words"))
  }

  @Test("bytes that are no text, NUL included, are a key") func bytesThatAreNoTextNUL() throws {
    let path = folder.file("bytes.db")
    // Zeros at the end would make no difference: HMAC fills its key up with them.
    let keys: [[UInt8]] = [[0], [0, 1], [0, 2], [0xff, 0x00, 0xfe], [0xff, 0x00, 0xff]]
    func open(_ key: [UInt8], _ mode: Connection.Mode) throws -> Connection {
      try key.withUnsafeBytes {
        try Connection(
          path: path, mode: mode, key: $0,
          cipher: CipherSettings(format: 3, pageSize: 4096, kdfIterations: 10))
      }
    }
    for key in keys {
      let made = try open(key, .create)
      try made.execute("CREATE TABLE t(a)")
      try made.close()
      for other in keys where other != key {
        #expect(engineError { _ = try open(other, .readWrite) }?.code == .notADatabase)
      }
      try open(key, .readWrite).close()
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// In-place rekeying answers OK when it failed and can lose a file for both keys, the backup
  /// call can write plaintext: neither may come in unnoticed. The latter has two places: the copy of
  /// pages, which sees to it that both files have a key, and that of what is in no file, into no file.
  @Test(
    "D1 D2 D8 D9 D10 D14 dangerous calls are not made",
    arguments: [
      "sqlite3_rekey", "sqlite3_backup", "sqlite3_serialize", "cipher_migrate\"",
      // Keys never stand in SQL.
      "\"PRAGMA key", "\"PRAGMA rekey", "\"PRAGMA hex", "\"ATTACH ",
    ])
  func d1D2D8D9D10D14(name: String) throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var searched = 0
    while let file = files?.nextObject() as? URL {
      guard ["swift", "h"].contains(file.pathExtension) else { continue }
      // The one place that may name a pragma is the list of those refused.
      if file.lastPathComponent == "Connection+Authorizer.swift" { continue }
      if name == "sqlite3_backup",
        ["PageCopy.swift", "Connection+Memory.swift"].contains(file.lastPathComponent)
      {
        continue
      }
      searched += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!text.contains(name), "\(file.lastPathComponent)")
    }
    #expect(searched > 20)
  }
}
