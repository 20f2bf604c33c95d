import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// The stock shell has a file open while it gets another key.
@Suite("A file that the stock shell has open") struct StockShellBystanderTests {
  private let folder: TemporaryFolder
  private let path: String
  private let old = VaultKey.passphrase("old words")
  private let new = VaultKey.raw([UInt8](repeating: 0x0B, count: 32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("foreign.db")
  }

  /// A shell that has read the file.
  private func shell(_ mode: String) throws -> ShellSession {
    let shell = try ShellSession(
      path, "PRAGMA key='old words';", "PRAGMA journal_mode=\(mode);",
      "CREATE TABLE t(a);", "INSERT INTO t VALUES('first');")
    #expect(try shell.run("SELECT count(*) FROM t;") == "1\n")
    return shell
  }

  private func file(_ key: VaultKey) throws -> DatabaseFile {
    try DatabaseFile(at: path, key: key, busyTimeout: .seconds(0))
  }

  private func rows(_ key: String) throws -> String {
    try CipherShell.run(path, ["PRAGMA key=\(key);", "SELECT a FROM t;"])
  }

  private var newKey: String { "\"x'\(String(repeating: "0b", count: 32))'\"" }

  @Test("refuses what that shell writes after a rekey, and loses nothing")
  func idle() throws {
    let shell = try shell("DELETE")
    try file(old).rekey(to: new)
    let answer = try shell.run("INSERT INTO t VALUES('too late');")
    #expect(answer.contains("not a database") || answer.contains("malformed"), "\(answer)")
    #expect(try !shell.run("SELECT a FROM t;").contains("first"))
    try shell.end()
    let found = try rows(newKey)
    #expect(found.contains("first") && !found.contains("too late"), "\(found)")
    #expect(try file(new).verify().isSound)
  }

  @Test(
    "takes no writing of that shell once another file stands at its path, whoever put it there",
    arguments: ["DELETE", "TRUNCATE", "PERSIST"])
  func moved(mode: String) throws {
    // As a process leaves it that is killed right after the rename, before the old pages are
    // destroyed.
    let shell = try shell(mode)
    let dead = folder.file("dead")
    try FileManager.default.copyItem(atPath: path, toPath: folder.file("copy"))
    #expect(link(path, dead) == 0)
    #expect(rename(folder.file("copy"), path) == 0)
    let before = try bytes(dead)
    let answer = try shell.run("INSERT INTO t VALUES('too late');")
    #expect(answer.contains("attempt to write a readonly database"), "\(answer)")
    try shell.end()
    #expect(try bytes(dead) == before)
  }

  @Test(
    "is not rekeyed while that shell may write at any moment, and is untouched",
    arguments: [("DELETE", "BEGIN IMMEDIATE;"), ("DELETE", "BEGIN; SELECT a FROM t;"), ("WAL", "")])
  func busy(mode: String, statement: String) throws {
    let shell = try shell(mode)
    _ = try shell.run(statement)
    let before = try bytes(path)
    #expect {
      try file(old).rekey(to: new)
    } throws: { error in
      (error as? VaultError)?.code == .busy
    }
    #expect(try bytes(path) == before)
    #expect(try shell.run("INSERT INTO t VALUES('in time');") == "")
    #expect(try shell.run("COMMIT;").isEmpty == (mode == "DELETE"))
    try shell.end()
    try file(old).rekey(to: new)
    let found = try rows(newKey)
    #expect(found.contains("first") && found.contains("in time"), "\(found)")
  }
}
