import ObjectVaultEngine
import Testing

@Suite struct `Opening a connection` {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func `a new file is written encrypted and opens again with its key`() throws {
    let path = folder.file("new.db")
    let connection = try Connection.test(path)
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES('hello')")
    try connection.proveEncrypted()
    try connection.close()
    let again = try Connection.test(path, .readWrite)
    #expect(try again.text("SELECT a FROM t") == "hello")
    let header = try again.readRaw(offset: 0, count: 16)
    #expect(!header.elementsEqual("SQLite format 3\0".utf8))
  }
}
