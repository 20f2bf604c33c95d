import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("Opening a connection") struct OpeningTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("test.db")
  }

  private func expectEncrypted(_ connection: Connection) throws {
    let header = try connection.readRaw(offset: 0, count: 16)
    #expect(!header.isEmpty && !header.elementsEqual("SQLite format 3\0".utf8))
  }

  private func make(_ cipher: CipherSettings? = nil, key: String = testKey) throws {
    let connection = try Connection.test(path, key: key, cipher: cipher)
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES('hello')")
    try expectEncrypted(connection)
    try connection.close()
  }

  @Test("a new file is written encrypted and opens again with its key")
  func aNewFileIsWrittenEncrypted() throws {
    try make()
    let again = try Connection.test(path, .readWrite)
    #expect(try again.text("SELECT a FROM t") == "hello")
    try expectEncrypted(again)
  }

  @Test("D3 an empty key is refused before a file is made") func d3AnEmptyKeyIsRefused() throws {
    let error = engineError { _ = try Connection.test(path, key: "") }
    #expect(error?.code == .emptyKey)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("D12 an empty file opens only where a new one was asked for") func d12AnEmptyFileOpensOnly()
    throws
  {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    #expect(engineError { _ = try Connection.test(path, .readWrite) }?.code == .emptyFile)
    #expect(engineError { _ = try Connection.test(path, .readOnly) }?.code == .emptyFile)
    let connection = try Connection.test(path, .create)
    try connection.execute("CREATE TABLE t(a)")
    try expectEncrypted(connection)
  }

  @Test("a wrong key is refused and changes no byte") func aWrongKeyIsRefused() throws {
    try make()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let wrong = "x'" + String(repeating: "00", count: 32) + "'"
    for mode in [Connection.Mode.readOnly, .readWrite, .create] {
      let error = engineError { _ = try Connection.test(path, mode, key: wrong) }
      #expect(error?.code == .notADatabase)
      #expect(error?.resultCode == 26)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("D15 a wrong key prints nothing") func d15AWrongKeyPrintsNothing() throws {
    try make()
    let wrong = "x'" + String(repeating: "00", count: 32) + "'"
    let child = try ChildProcess.run("engine-count", path, wrong)
    #expect(child.output.hasPrefix("notADatabase: "))
    #expect(child.errors == "")
  }

  @Test("a file in clear is told apart from a wrong key") func aFileInClearIsTold() throws {
    let plain = try Connection.plain(path: path, mode: .create)
    try plain.execute("CREATE TABLE t(a)")
    try plain.close()
    #expect(engineError { _ = try Connection.test(path, .readWrite) }?.code == .plaintextFile)
  }

  @Test("the file is readable by its owner only from the start") func theFileIsReadable() throws {
    let previous = umask(0)
    defer { umask(previous) }
    let connection = try Connection.test(path)
    try connection.setPragma("journal_mode", to: "WAL", expecting: "wal")
    try connection.execute("CREATE TABLE t(a)")
    for name in ["test.db", "test.db-wal", "test.db-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test("a path that cannot be opened says why") func aPathThatCannotBeOpened() throws {
    let missing = engineError { _ = try Connection.test(path, .readWrite) }
    #expect(missing?.code == .cannotOpen)
    #expect(missing?.systemErrno == ENOENT)
    #expect(!FileManager.default.fileExists(atPath: path))
    let place = engineError { _ = try Connection.test(folder.path, .readWrite) }
    #expect(place?.code == .cannotOpen)
    for bad in ["", "a\0b"] {
      #expect(engineError { _ = try Connection.test(bad) }?.code == .cannotOpen)
    }
  }

  @Test("a name that looks like an address is a name") func aNameThatLooksLike() throws {
    let odd = folder.file("file:x?mode=memory")
    let connection = try Connection.test(odd)
    try connection.execute("CREATE TABLE t(a)")
    #expect(FileManager.default.fileExists(atPath: odd))
  }

  @Test("every format the engine knows is written and read again") func everyFormatTheEngineKnows()
    throws
  {
    let newest = try Engine.prove().newestCipherFormat
    for format in 1...4 {
      for (pageSize, iterations) in [(1024, 5_000), (4096, nil), (4096, 4_001)] {
        let file = folder.file("\(format)-\(pageSize)-\(iterations ?? 0).db")
        let cipher = CipherSettings(
          format: format, pageSize: pageSize, kdfIterations: iterations)
        guard format <= newest else {
          let error = engineError { _ = try Connection.test(file, key: "words", cipher: cipher) }
          #expect(error?.code == .unsupportedFormat)
          #expect(!FileManager.default.fileExists(atPath: file))
          continue
        }
        let made = try Connection.test(file, key: "words", cipher: cipher)
        try made.execute("CREATE TABLE t(a); INSERT INTO t VALUES(7)")
        #expect(try made.fileSize % Int64(pageSize) == 0)
        try made.close()
        let again = try Connection.test(file, .readOnly, key: "words", cipher: cipher)
        #expect(try again.integer("SELECT a FROM t") == 7)
        #expect(try again.pragma("page_size") == "\(pageSize)")
      }
    }
  }

  @Test("other settings than the file's are refused like a wrong key")
  func otherSettingsThanTheFiles() throws {
    try make(CipherSettings(format: 3), key: "words")
    for cipher in [
      CipherSettings(format: 3, pageSize: 1024),
      CipherSettings(format: 3, kdfIterations: 64_001), CipherSettings(format: 2),
    ] {
      let error = engineError {
        _ = try Connection.test(path, .readWrite, key: "words", cipher: cipher)
      }
      #expect(error?.code == .notADatabase)
    }
  }

  @Test("a page size that cannot be is refused", arguments: [0, 511, 1000, 131_072, -4096])
  func aPageSizeThatCannot(pageSize: Int) throws {
    let error = engineError {
      _ = try Connection.test(path, cipher: CipherSettings(format: 3, pageSize: pageSize))
    }
    #expect(error?.code == .unsupportedFormat)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("a read-only connection cannot write") func aReadOnlyConnectionCannotWrite() throws {
    try make()
    let connection = try Connection.test(path, .readOnly)
    #expect(engineError { try connection.execute("INSERT INTO t VALUES(1)") }?.code == .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  #if os(Linux)
    @Test(
      "a file without write permission is not opened for writing",
      .enabled(if: geteuid() == 0, "only root can become another user"))
    func aFileWithoutWritePermission() throws {
      try make()
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.path)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      let readable = try ChildProcess.run("engine-as-nobody", path, testKey)
      #expect(readable.output.hasPrefix("readOnly: "))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      let hidden = try ChildProcess.run("engine-as-nobody", path, testKey)
      #expect(hidden.output.hasPrefix("cannotOpen: "))
      #expect(hidden.output.contains("no permission to open"))
    }
  #endif

  @Test("closing reports a statement that still runs, and works once it is reset")
  func closingReportsAStatementThatStill() throws {
    try make()
    let connection = try Connection.test(path, .readWrite)
    let statement = try connection.prepare("SELECT a FROM t")
    #expect(try statement.step())
    let error = engineError { try connection.close() }
    #expect(error?.code == .statementsInUse)
    #expect(error?.message.contains("SELECT a FROM t") == true)
    #expect(try connection.text("SELECT a FROM t") == "hello")
    statement.reset()
    try connection.close()
    try connection.close()
  }

  @Test("what is used after closing fails without harm") func whatIsUsedAfterClosingFails() throws {
    try make()
    let connection = try Connection.test(path, .readWrite)
    let statement = try connection.prepare("SELECT a FROM t WHERE a = ?")
    try connection.close()
    statement.binder.bind(text: "hello", at: 0)
    #expect(engineError { _ = try statement.step() }?.code == .misuse)
    #expect(statement.row.text(at: 0) == nil)
    #expect(statement.columnCount == 0)
    #expect(engineError { try connection.execute("SELECT 1") }?.code == .misuse)
    #expect(engineError { _ = try connection.readRaw(offset: 0, count: 1) }?.code == .misuse)
    #expect(connection.lastInsertRowID == 0)
    #expect(!connection.isInTransaction)
  }

  @Test("a connection let go in the middle of a row closes its file") func aConnectionLetGo() throws
  {
    try make()
    var connection: Connection? = try Connection.test(path, .readWrite)
    let statement = try connection?.prepare("SELECT a FROM t")
    #expect(try statement?.step() == true)
    connection = nil
    #expect(engineError { _ = try statement?.step() }?.code == .misuse)
    // Nobody holds a lock on it any more.
    let next = try Connection.test(path, .readWrite)
    try next.execute("BEGIN EXCLUSIVE; DELETE FROM t; COMMIT")
  }
}
