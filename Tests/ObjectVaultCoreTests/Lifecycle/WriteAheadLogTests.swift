import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

@Suite("The switch to a write-ahead log") struct WriteAheadLogTests {
  private let folder: TemporaryFolder
  private let reader: Connection
  private let writer: Connection

  init() throws {
    folder = try TemporaryFolder()
    reader = try Connection.plain(path: folder.file("a.db"), mode: .create)
    try reader.execute("CREATE TABLE a (b); BEGIN; SELECT * FROM a")
    writer = try Connection.plain(path: folder.file("a.db"), mode: .readWrite)
  }

  @Test("is tried again while somebody else reads the file")
  func again() throws {
    let attempts = Locked(0)
    writer.trace = { [reader] sql in
      guard sql.contains("WAL"),
        attempts.withLock({
          $0 += 1; return $0
        }) == 2
      else { return }
      try? reader.execute("COMMIT")
    }
    try SystemTables(Session(writer)).enterWriteAheadLog()
    #expect(attempts.withLock { $0 } == 2)
    #expect(try writer.pragma("journal_mode") == "wal")
    #expect(try writer.pragma("busy_timeout") == "5000")
  }

  @Test("fails as busy when nobody lets the file go in time")
  func inVain() throws {
    try writer.setPragma("busy_timeout", to: "20", expecting: "20")
    let error = #expect(throws: DriverError.self) {
      try SystemTables(Session(writer)).enterWriteAheadLog()
    }
    #expect(error?.code == .busy)
  }
}
