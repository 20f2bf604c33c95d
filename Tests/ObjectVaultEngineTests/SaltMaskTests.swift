import ObjectVaultEngine
import TestSupport
import Testing

@Suite("The mask of the salt") struct SaltMaskTests {
  @Test("that another thread sets does not become that of a new file", .covers("D12"))
  func newFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("new.db")
    #expect(try ChildProcess.run("engine-salt-mask", path, testKey).output == "created\n")
    let again = try Connection.test(path, .readWrite)
    #expect(try again.text("SELECT name FROM sqlite_master") == "t")
  }
}
