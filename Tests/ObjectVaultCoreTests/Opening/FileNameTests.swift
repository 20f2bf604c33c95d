import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("The length of the name of a vault")
struct FileNameTests {
  private func vault(_ length: Int, in folder: TemporaryFolder) throws -> Vault {
    try Vault(at: folder.file(String(repeating: "n", count: length)), key: .ofTests)
  }

  @Test("is rejected before a file is created if the engine's files would have too long names")
  func tooLong() throws {
    let folder = try TemporaryFolder()
    for length in [248, 251, 252, 255] {
      let error = #expect(throws: VaultError.self) { try vault(length, in: folder).open() }
      #expect(error?.code == .invalidArgument, "\(length)")
      #expect(error?.message.contains("at most 247") == true, "\(length)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    let longest = try vault(247, in: folder)
    try longest.execute(["CREATE TABLE t (x)", "INSERT INTO t VALUES (1)"])
    #expect(try longest.rows("SELECT x FROM t").count == 1)
  }

  @Test("can be too long for the copy that replaces the file, which stays unchanged")
  func copies() throws {
    let folder = try TemporaryFolder()
    let long = try vault(239, in: folder)
    try long.execute(["CREATE TABLE t (x)", "INSERT INTO t VALUES (1)"])
    let error = #expect(throws: VaultError.self) { _ = try long.compact() }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("248 bytes") == true)
    #expect(try long.rows("SELECT x FROM t").count == 1)
    let short = try vault(238, in: folder)
    try short.execute(["CREATE TABLE t (x)", "INSERT INTO t VALUES (1)"])
    _ = try short.compact()
    #expect(try short.rows("SELECT x FROM t").count == 1)
  }
}
