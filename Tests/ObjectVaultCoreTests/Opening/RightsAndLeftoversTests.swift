import Foundation
import Logging
import ObjectVaultCore
import ObjectVaultEngine
import Synchronization
import TestSupport
import Testing

@Suite struct RightsAndLeftoversTests {
  @Test(
    "Only the owner may read a vault and its log, whatever the mask of the process",
    arguments: ["0", "022", "077", "0777"])
  func modes(mask: String) throws {
    let folder = try TemporaryFolder()
    let child = try ChildProcess.run("vault-modes", folder.file("v"), mask)
    #expect(child.output == "600 600 600\n")
  }

  @Test("A file that others may read or change is logged, and no other one")
  func loggedModes() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try Vault(at: path, key: .ofTests).open()
    for (mode, isLogged) in [(0o600, false), (0o700, false), (0o604, true), (0o620, true)] {
      chmod(path, mode_t(mode))
      let log = KeptLog()
      var configuration = VaultConfiguration()
      configuration.logger = Logger(label: "test") { _ in KeptLog.Handler(log: log) }
      try Vault(at: path, key: .ofTests, configuration: configuration).open()
      let lines = log.lines.withLock { $0.filter { $0.contains("other users can read") } }
      #expect(lines.count == (isLogged ? 1 : 0), "\(String(mode, radix: 8)): \(lines)")
    }
  }

  #if os(Linux)
    /// What a user who owns nothing can do, with the mode of the file and of its folder.
    @Test(
      "Missing rights are told apart from missing files", .covers("P13"),
      .enabled(if: geteuid() == 0, "only root can become a user without rights"),
      arguments: [
        (0o600, 0o777, "write", "cannotOpen"), (0o600, 0o777, "read", "cannotOpen"),
        (0o444, 0o777, "write", "objects 100 then readOnly"), (0o444, 0o777, "read", "objects 100"),
        (0o666, 0o555, "write", "cannotOpen readOnly"),
        (0o666, 0o777, "write", "objects 100 then inserted"),
        (0o644, 0o700, "read", "noSuchFile cannotOpen"),
        // In a folder like /tmp, the handle stays usable.
        (0o666, 0o1777, "remove", "objects 100 then cannotOpen then objects 100"),
      ])
    func rights(file: Int, folderMode: Int, access: String, expected: String) throws {
      let folder = try TemporaryFolder()
      let path = folder.file("v")
      try makeVault(path, key: .ofTests)
      let before = try contents(of: folder)
      chmod(path, mode_t(file))
      chmod(folder.path, mode_t(folderMode))
      let child = try ChildProcess.run("vault-as-nobody", path, access)
      let outcome = child.output.prefix { $0 != ":" && $0 != "\n" }
      #expect(
        expected == outcome || expected.split(separator: " ").contains(outcome), "\(child.output)")
      #expect(try contents(of: folder)["v"] == before["v"])
    }

    @Test(
      "A vault that may only be read opens again and again, and is written once its mode allows it",
      .enabled(if: geteuid() == 0, "only root can become a user without rights"),
      arguments: [0o400, 0o440, 0o444])
    func readAgain(mode: Int) throws {
      let folder = try TemporaryFolder()
      let path = folder.file("v")
      try makeVault(path, key: .ofTests)
      chown(path, 65534, 65534)
      chmod(path, mode_t(mode))
      chmod(folder.path, 0o777)
      for _ in 0..<3 {
        let child = try ChildProcess.run("vault-as-nobody", path, "read")
        #expect(child.output == "objects 100\n")
        for suffix in ["-wal", "-shm"] {
          let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
          guard let found = attributes?[.posixPermissions] as? Int else { continue }
          // Nobody but the owner gets more permissions.
          #expect(found == mode | 0o600)
        }
      }
      chmod(path, 0o600)
      let child = try ChildProcess.run("vault-as-nobody", path, "write")
      #expect(child.output == "objects 100 then inserted\n")
      #expect(try contents(of: folder).keys.sorted() == ["v"])
    }
  #endif

  @Test(
    "What a killed process had committed is there afterwards, and nothing of its last transaction")
  func leftWriteAheadLog() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    let child = try ChildProcess.run("vault-crash", path, "kept", "300", "5000")
    #expect(!child.exited && child.status == SIGKILL)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    let left = try contents(of: folder)
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    do {
      let vault = try Vault(at: path, key: .ofTests, configuration: configuration)
      #expect(try vault.store(of: MarkedObject.self).count() == 300)
      #expect(try vault.store(of: MarkedObject.self).find("kept id 299") != nil)
    }
    #expect(try contents(of: folder)["v"] == left["v"], "reading must not checkpoint")
    let vault = try Vault(at: path, key: .ofTests)
    #expect(try vault.store(of: MarkedObject.self).count() == 300)
  }

  @Test(
    "A journal left by a killed process is played back by a writer; a reader says that it is needed"
  )
  func leftRollbackJournal() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    _ = try CipherShell.run(
      path,
      try CipherShell.open(passphrase) + [
        "CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT);",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<400) "
          + "INSERT INTO t SELECT i, 'body '||i||hex(zeroblob(400)) FROM n;",
      ])
    let whole = try bytes(path)
    let child = try ChildProcess.run("journal-crash", path, passphrase)
    #expect(!child.exited && child.status == SIGKILL)
    #expect(try bytes(path + "-journal").count > 4096)
    #expect(try bytes(path) != whole)
    let left = try contents(of: folder)
    #expect(try refusal(path, isReadOnly: true) == .readOnly)
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    let reader = try Vault(at: path, key: .passphrase(passphrase), configuration: configuration)
    let error = #expect(throws: VaultError.self) { try reader.open() }
    #expect(error?.message.contains("left a rollback journal") == true, "\(error as Any)")
    #expect(error?.message.contains("Open the file for writing once.") == true)
    #expect(try contents(of: folder) == left)
    // Not with a wrong key.
    #expect(try refusal(path, .passphrase("other")) == .wrongKey)
    #expect(try contents(of: folder) == left)
    let vault = try Vault(at: path, key: .passphrase(passphrase))
    let store = try vault.store(named: "t")
    #expect(try store.count() == 400)
    #expect(try store.where("body BEGINSWITH 'body '").count() == 400)
  }

  @Test("Removing a vault removes what belongs to it; nothing of it comes back")
  func removal() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    _ = try ChildProcess.run("vault-crash", path, "gone", "300", "10")
    try write(Data("left".utf8), to: path + "-journal")
    try write(Data("kept".utf8), to: folder.file("other"))
    try Vault.remove(at: path)
    #expect(try contents(of: folder).keys.sorted() == ["other"])
    let vault = try Vault(at: path, key: .passphrase(passphrase))
    #expect(try vault.store(of: MarkedObject.self).count() == 0)
    try vault.removeFile()
    #expect(try contents(of: folder).keys.sorted() == ["other"])
    let error = #expect(throws: VaultError.self) { try vault.store(of: MarkedObject.self) }
    #expect(error?.code == .invalidated)
  }

  @Test("A folder and a missing file cannot be removed as vaults")
  func impossibleRemoval() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: VaultError.self) { try Vault.remove(at: folder.file("v")) }
    #expect(missing?.code == .noSuchFile)
    let refused = #expect(throws: VaultError.self) { try Vault.remove(at: folder.path) }
    #expect(refused?.code == .cannotOpen)
    #expect(FileManager.default.fileExists(atPath: folder.path))
  }
}
