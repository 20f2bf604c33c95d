import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// A file that is opened while another process replaces it.
@Suite("A file that another process replaces while it is opened", .cheapSlots)
struct ReplacedWhileOpeningTests {
  enum Way: CaseIterable {
    case vault, untrustedVault, readOnlyVault, proof, verification, backup, rewriting, sizes
  }

  private static let operations = [FileOperation.compact, .rotate, .upgrade]

  @Test("is opened in its new state", arguments: Way.allCases, operations)
  func opened(way: Way, operation: FileOperation) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try operation.makeFile(at: path)
    let child = try HoldingChild("file-operation-slowly", operation.rawValue, path)
    // The other process has locked the file, and waits before it replaces it.
    try use(path, operation, way)
    #expect(try child.end() == "done\n")
    #expect(try operation.count(in: path) == 200)
  }

  private func use(_ path: String, _ operation: FileOperation, _ way: Way) throws {
    let key = try #require(operation.key)
    let file = try DatabaseFile(at: path, key: key)
    switch way {
    case .vault, .untrustedVault, .readOnlyVault:
      var configuration = VaultConfiguration()
      configuration.isUntrusted = way == .untrustedVault
      configuration.isReadOnly = way == .readOnlyVault
      let vault = try Vault(at: path, key: key, configuration: configuration)
      #expect(try vault.store(of: MarkedObject.self).count() == 200)
      vault.close()
    case .proof: try file.prove()
    case .verification: #expect(try file.verify().isSound)
    case .backup: try file.backup(to: path + ".copy", key: FileOperation.new)
    case .rewriting: try file.compact()
    case .sizes: #expect(try file.sizeReport().bytes(ofClass: "MarkedObject") > 0)
    }
  }
}

/// Another file that is moved to the path while an operation replaces the file there.
@Suite("A file that is moved to the path of a file being replaced") struct ReplacedMeanwhileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let other: String
  private let old = VaultKey.raw(hex: String(repeating: "5a", count: 32))
  private let new = VaultKey.raw(hex: String(repeating: "a5", count: 32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
    other = folder.file("moved")
    let vault = try Vault(at: path, key: old)
    try vault.store(of: Person.self).insert(Person(name: "Ada"))
    vault.close()
    try Data("another file".utf8).write(to: URL(fileURLWithPath: other))
  }

  /// Moves the other file to the path at the last moment that a caller can see.
  private func moving(_ progress: RekeyProgress) {
    if progress.phase == .replacing, progress.done == 0 { rename(other, path) }
  }

  private func expectOther(_ files: [String] = ["school.vault"]) throws {
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("another file".utf8))
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(found.sorted() == files)
  }

  @Test("stays where a closed file is rekeyed, upgraded or rotated")
  func closedFile() throws {
    let file = try DatabaseFile(at: path, key: old)
    #expect(code { try file.rekey(to: new) { moving($0) } } == .replaced)
    try expectOther()
  }

  @Test("is no finding about the file that was verified")
  func verified() throws {
    let file = try DatabaseFile(at: path, key: old)
    #expect(
      code {
        _ = try file.verify { if $0.phase == .comparing { rename(other, path) } }
      } == .replaced)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("another file".utf8))
  }

  @Test("stays where a file is brought to another page size")
  func upgrade() throws {
    let file = try DatabaseFile(at: path, key: old)
    #expect(code { try file.upgrade(pageSize: 8192) { moving($0) } } == .replaced)
    try expectOther()
  }

  @Test("stays where an open vault is rekeyed, and the vault says that it was replaced")
  func openVault() throws {
    let vault = try Vault(at: path, key: old)
    let store = try vault.store(of: Person.self)
    #expect(try store.count() == 1)
    #expect(code { try vault.rekey(to: new) { moving($0) } } == .replaced)
    #expect(code { try store.insert(Person(name: "lost")) } == .replaced)
    vault.close()
    try expectOther()
  }

  @Test("stays where a database in plaintext is encrypted")
  func encrypt() throws {
    let plain = folder.file("plain.db")
    try DatabaseFile(at: path, key: old).decrypt(to: plain)
    let other = other
    #expect(
      code {
        try DatabaseFile(at: plain, key: nil).encrypt(with: new) {
          if $0.phase == .replacing, $0.done == 0 { rename(other, plain) }
        }
      } == .replaced)
    #expect(try Data(contentsOf: URL(fileURLWithPath: plain)) == Data("another file".utf8))
  }

  @Test("stays where a backup is restored in the place of a vault")
  func restore() throws {
    let backup = folder.file("backup.vault")
    try DatabaseFile(at: path, key: old).backup(to: backup)
    #expect(
      code {
        try DatabaseFile(at: backup, key: old).restore(to: path, replacing: true) { moving($0) }
      } == .replaced)
    try expectOther(["backup.vault", "school.vault"])
  }

  #if os(Linux)
    private let operation = "rekey-delete"

    private func perform(
      _ operation: String,
      _ change: (_ calls: [CountedCall], _ rename: Int, inout [String: String]) throws -> Void
    ) throws -> (child: ChildProcess, work: TemporaryFolder) {
      let loop = try FaultLoop(#require(faultedOperation(named: operation)))
      let rename = try #require(loop.calls.firstIndex { $0.kind == "rename" })
      let work = try TemporaryFolder()
      let prepared = try SpawnedProgram.run("vaultchild", ["fault-prepare", operation, work.path])
      #expect(prepared.status == 0)
      var environment = try FaultInjector.shared.get().environment(folder: work.path)
      try change(loop.calls, rename, &environment)
      let child = try SpawnedProgram.run(
        "vaultchild", ["fault-perform", operation, work.path], environment: environment)
      return (child, work)
    }

    @Test("A file system without locks is named as the cause, and no copy is left")
    func withoutLocks() throws {
      let (child, work) = try perform(operation) { _, _, environment in
        environment["FAULTS_NO_LOCKS"] = "1"
      }
      #expect(child.exited && child.status == 70, "\(child.output)\(child.errors)")
      #expect(child.output.hasPrefix("inputOutput: Cannot lock"), "\(child.output)")
      #expect(child.output.contains("Use another file system."), "\(child.output)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: work.path) == ["parcels.vault"])
    }

    @Test("between the last look and the rename is put back")
    func race() throws {
      let (child, work) = try perform(operation) { _, rename, environment in
        // Right before the call that gives the copy the path.
        environment["FAULTS_AT"] = "\(rename + 1)"
        environment["FAULTS_ACTION"] = "move"
        environment["FAULTS_MOVED"] = other
        environment["FAULTS_TARGET"] = environment["FAULTS_FOLDER"].map { $0 + "/parcels.vault" }
      }
      #expect(child.exited && child.status == 70, "\(child.output)\(child.errors)")
      #expect(child.output.hasPrefix("replaced"), "\(child.output)")
      let found = try Data(contentsOf: URL(fileURLWithPath: work.file("parcels.vault")))
      #expect(found == Data("another file".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: work.path) == ["parcels.vault"])
    }

    @Test(
      "A rekey succeeds and leaves the copy that another process makes of the new file",
      arguments: ["moved", "move"])
    func otherCopy(action: String) throws {
      // Another process locks its copy.
      let lock = try #require(HeldLock(of: other))
      let (child, work) = try perform(operation) { calls, rename, environment in
        let sync = try #require(
          calls[rename...].firstIndex { $0.kind == "sync" && $0.file == "." })
        // Right after the call that gives the copy the path, or after the check that follows.
        environment["FAULTS_AT"] = "\((action == "moved" ? rename : sync) + 1)"
        environment["FAULTS_ACTION"] = action
        environment["FAULTS_MOVED"] = other
        environment["FAULTS_TARGET"] = environment["FAULTS_FOLDER"].map {
          $0 + "/.parcels.vault.copying"
        }
      }
      #expect(child.exited && child.status == 0, "\(child.output)\(child.errors)")
      let copy = work.file(".parcels.vault.copying")
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("another file".utf8))
      lock.release()
      unlink(copy)
      let operation = try #require(faultedOperation(named: operation))
      #expect(try operation.inspect(work.path, isThorough: true) == .after)
    }

    @Test(
      "A rekey whose rename cannot be brought to the disk fails and leaves the old file as it was",
      arguments: ["EIO", "ENOSPC"])
    func unsavedRename(action: String) throws {
      let (child, work) = try perform(operation) { calls, rename, environment in
        let sync = try #require(
          calls[rename...].firstIndex { $0.kind == "sync" && $0.file == "." })
        environment["FAULTS_AT"] = "\(sync + 1)"
        environment["FAULTS_ACTION"] = action
      }
      #expect(child.exited && child.status == 70, "\(child.output)\(child.errors)")
      let operation = try #require(faultedOperation(named: operation))
      #expect(try operation.inspect(work.path, isThorough: true) == .before)
    }

    @Test("An encryption that cannot overwrite the unencrypted file reports it")
    func failedOverwriting() throws {
      let (child, work) = try perform("encrypt") { calls, rename, environment in
        let write = try #require(calls[rename...].firstIndex { $0.kind == "write" })
        environment["FAULTS_AT"] = "\(write + 1)"
        environment["FAULTS_ACTION"] = "EIO"
      }
      #expect(child.exited && child.status == 70, "\(child.output)\(child.errors)")
      #expect(child.output.contains("could not be overwritten"), "\(child.output)")
      let operation = try #require(faultedOperation(named: "encrypt"))
      #expect(try operation.inspect(work.path, isThorough: true) == .after)
    }
  #endif
}
