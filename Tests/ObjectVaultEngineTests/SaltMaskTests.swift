import ObjectVaultDriver
import TestSupport
import Testing

@testable import ObjectVaultEngine

@Suite("The mask of the salt") struct SaltMaskTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("new.db")
  }

  @Test("that another thread sets does not become that of a new file", .covers("D12"))
  func newFile() throws {
    let connection = try Connection.test(path, .create)
    try connection.writeFirstPage()
    try Self.whileAnotherIsSet(connection) {
      try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES('hello')")
    }
    try connection.close()
    let again = try Connection.test(path, .readWrite)
    #expect(try again.text("SELECT a FROM t") == "hello")
  }

  /// Calls `body` while the mask differs from the standard, if the engine has the setting.
  private static func whileAnotherIsSet(
    _ connection: Connection, _ body: () throws -> Void
  ) throws {
    var result: Result<Void, any Error>?
    do {
      try SaltMask.whileSet(0, by: connection, Engine.prove()) { result = Result { try body() } }
    } catch {
      // Newer engines have no such setting.
      guard error.code == .unsupportedSettings else { throw error }
    }
    if let result { try result.get() } else { try body() }
  }
}
