import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("Raw bytes of the file") struct RawFileTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("test.db")
    let connection = try Connection.test(path)
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES('hello')")
    try connection.close()
  }

  private func contents() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test("are those on the disk, cut at the end of the file") func areThoseOnTheDiskCut() throws {
    let expected = try contents()
    let connection = try Connection.test(path, .readWrite)
    let size = try connection.fileSize
    #expect(size == Int64(expected.count))
    #expect(try connection.readRaw(offset: 0, count: expected.count) == expected)
    #expect(try connection.readRaw(offset: 16, count: 100) == Array(expected[16..<116]))
    #expect(try connection.readRaw(offset: size - 10, count: 100) == Array(expected.suffix(10)))
    #expect(try connection.readRaw(offset: size, count: 1) == [])
    #expect(try connection.readRaw(offset: size + 5_000, count: 1) == [])
    #expect(try connection.readRaw(offset: 0, count: 0) == [])
    #expect(engineError { _ = try connection.readRaw(offset: -1, count: 1) }?.code == .range)
    #expect(engineError { _ = try connection.readRaw(offset: 0, count: -1) }?.code == .range)
  }

  @Test("are read without a key, of any file, and nothing is written") func areReadWithoutAKey()
    throws
  {
    let expected = try contents()
    let raw = try Connection(looking: path)
    #expect(try raw.fileSize == Int64(expected.count))
    #expect(try raw.readRaw(offset: 0, count: 16) == Array(expected.prefix(16)))
    try raw.close()
    try Data("not a database".utf8).write(to: URL(fileURLWithPath: path))
    let other = try Connection(looking: path)
    #expect(try other.readRaw(offset: 0, count: 100) == Array("not a database".utf8))
    #expect(engineError { _ = try Connection(looking: folder.file("none")) }?.code == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
  }

  #if os(Linux)
    /// Another process takes the write-ahead log away when it believes itself the last one.
    private func logSurvives(_ look: () throws -> Void) throws -> Bool {
      let connection = try Connection.test(path, .readWrite)
      try connection.setPragma("journal_mode", to: "WAL", expecting: "wal")
      try connection.execute("INSERT INTO t VALUES('before')")
      try look()
      let child = try ChildProcess.run("engine-count", path, testKey)
      #expect(child.output == "tables 1\n")
      return FileManager.default.fileExists(atPath: path + "-wal")
    }

    @Test("D18 reading them keeps the engine's locks, which another descriptor drops")
    func d18ReadingThemKeepsTheEngines() throws {
      let engineOwn = try logSurvives {
        let raw = try Connection(looking: path)
        #expect(try raw.readRaw(offset: 0, count: 16).count == 16)
        try raw.close()
        let second = try Connection.test(path, .readWrite)
        #expect(try second.readRaw(offset: 0, count: 16).count == 16)
        try second.close()
      }
      #expect(engineOwn)
      // The control: the same look through a descriptor of the file itself.
      let ownDescriptor = try logSurvives {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var byte: UInt8 = 0
        #expect(read(descriptor, &byte, 1) == 1)
        close(descriptor)
      }
      // Since 3.51 SQLite notices that its locks are gone, and leaves the log.
      #expect(try ownDescriptor == (Engine.prove().sqliteVersionNumber >= 3_051_000))
    }
  #endif
}
