import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultFile
import TestSupport
import Testing

@Suite("A rekey")
struct RekeyTests {
  private let folder: TemporaryFolder
  private let path: String
  private let old = VaultKey.raw(hex: String(repeating: "5a", count: 32))
  private let new = VaultKey.raw(hex: String(repeating: "a5", count: 32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
  }

  private func made(_ count: Int = 300, key: VaultKey? = nil) throws -> Vault {
    let vault = try Vault(at: path, key: key ?? old)
    try vault.store(of: Person.self).insert(
      contentsOf: (0..<count).map { Person(name: "marker \($0)", age: $0) })
    return vault
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("lets the new key open the file and the old one no longer, with every object in it")
  func keys() throws {
    let before = try made().store(of: Person.self).all()
    try DatabaseFile(at: path, key: old).rekey(to: new)
    #expect(try refusal(path, old) == .wrongKey)
    let vault = try Vault(at: path, key: new)
    #expect(try vault.store(of: Person.self).all() == before)
    vault.close()
    #expect(try files() == ["school.vault"])
    #expect(try bytes(path).range(of: Data("marker".utf8)) == nil)
  }

  @Test("goes from any kind of key to any other")
  func kinds() throws {
    try made(key: .passphrase("first words")).close()
    let keys: [VaultKey] = [
      .passphrase("first words"), .raw(hex: String(repeating: "5a", count: 32)),
      .raw(hex: String(repeating: "b6", count: 48)), .passphrase("other words"),
      .passphrase("other words"),
    ]
    for (from, to) in zip(keys, keys.dropFirst()) {
      let salt = try bytes(path).prefix(16)
      try DatabaseFile(at: path, key: from).rekey(to: to)
      #expect(try bytes(path).prefix(16) != salt)
      #expect(try refusal(path, to) == nil)
    }
    // The salt given with a raw key of 48 bytes is the file's.
    try DatabaseFile(at: path, key: keys[4]).rekey(to: keys[2])
    #expect(try bytes(path).prefix(16) == Data(repeating: 0xb6, count: 16))
  }

  @Test("of an open vault lets it, its stores and other handles go on working")
  func openVault() throws {
    let vault = try made()
    let store = try vault.store(of: Person.self)
    let other = try Vault(at: path, key: old)
    let otherStore = try other.store(of: Person.self)
    var readOnly = VaultConfiguration()
    readOnly.isReadOnly = true
    let reader = try Vault(at: path, key: old, configuration: readOnly)
    let readingStore = try reader.store(of: Person.self)
    #expect(try readingStore.count() == 300)

    try vault.rekey(to: new)
    try store.insert(Person(name: "after"))
    try otherStore.insert(Person(name: "after that"))
    #expect(try store.count() == 302)
    #expect(try readingStore.count() == 302)
    #expect(try Vault(at: path, key: new).store(of: Person.self).count() == 302)
    let late = try Vault(at: path, key: old)
    #expect(code { try late.open() } == .wrongKey)
    try vault.removeStore(of: Person.self)
    #expect(code { _ = try otherStore.count() } == .invalidated)
    for handle in [vault, other, reader, late] { handle.close() }
    #expect(try refusal(path, old) == .wrongKey)
    #expect(try refusal(path, new) == nil)
  }

  @Test("of an open vault leaves a write-ahead log in use, and commits survive in it")
  func writeAheadLogReturns() throws {
    let vault = try made()
    try vault.rekey(to: new)
    try vault.store(of: Person.self).insert(Person(name: "late"))
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    vault.close()
    #expect(try Vault(at: path, key: new).store(of: Person.self).count() == 301)
  }

  @Test("inside a transaction or a read scope is refused, and a read-only handle cannot")
  func inside() throws {
    let vault = try made()
    try vault.transaction { #expect(code { try vault.rekey(to: new) } == .invalidArgument) }
    try vault.read { #expect(code { try vault.rekey(to: new) } == .invalidArgument) }
    var readOnly = VaultConfiguration()
    readOnly.isReadOnly = true
    let reader = try Vault(at: path, key: old, configuration: readOnly)
    #expect(code { try reader.rekey(to: new) } == .readOnly)
    #expect(try refusal(path, old) == nil)
  }

  @Test("waits for an iteration in this process and gives up after the busy timeout")
  func iteration() throws {
    var configuration = VaultConfiguration()
    configuration.busyTimeout = .seconds(0.1)
    try made().close()
    let vault = try Vault(at: path, key: old, configuration: configuration)
    let store = try vault.store(of: Person.self)
    do {
      let cursor = try store.query.cursor()
      _ = try cursor.next()
      #expect(code { try vault.rekey(to: new) } == .busy)
      #expect(try cursor.next() != nil)
    }
    try vault.rekey(to: new)
    #expect(try store.count() == 300)
  }

  @Test("of a file that this process has open as a vault is refused")
  func openElsewhere() throws {
    let vault = try made()
    #expect(code { try DatabaseFile(at: path, key: old).rekey(to: new) } == .busy)
    withExtendedLifetime(vault) {}
  }

  @Test("with a wrong key, or to one that cannot be one, touches nothing")
  func wrongKeys() throws {
    let vault = try made()
    #expect(code { try vault.rekey(to: .passphrase("")) } == .noKey)
    #expect(code { try vault.rekey(to: .raw([1, 2, 3])) } == .invalidKey)
    vault.close()
    let before = try contents(of: folder)
    #expect(code { try DatabaseFile(at: path, key: new).rekey(to: old) } == .wrongKey)
    #expect(code { try DatabaseFile(at: path, key: old).rekey(to: .passphrase("")) } == .noKey)
    #expect(code { try DatabaseFile(at: path + "x", key: old).rekey(to: new) } == .noSuchFile)
    #expect(try contents(of: folder) == before)
  }

  @Test("that is ended by its progress, at any report of it, leaves the file under the old key")
  func endedByProgress() throws {
    struct Enough: Error {}
    let vault = try made(20_000)
    // The number of reports depends on time, so this ends rekeys until one has fewer reports.
    var ended = 0
    var finished = false
    while !finished {
      var seen = 0
      do {
        try vault.rekey(to: new) { _ in
          seen += 1
          if seen > ended { throw Enough() }
        }
        finished = true
      } catch is Enough {
        ended += 1
        #expect(try refusal(path, new) == .wrongKey)
      }
      #expect(try vault.store(of: Person.self).count() == 20_000)
      #expect(try files().contains(".school.vault.copying") == false)
    }
    #expect(ended > 5)
    vault.close()
    #expect(try refusal(path, new) == nil)
    #expect(try refusal(path, old) == .wrongKey)
  }

  @Test("reports each phase once it begins, in order, and its pages up to the last")
  func progress() throws {
    let vault = try made(20_000)
    var reports: [RekeyProgress] = []
    try vault.rekey(to: new) { reports.append($0) }
    var phases: [RekeyProgress.Phase] = []
    for report in reports where phases.last != report.phase { phases.append(report.phase) }
    #expect(phases == RekeyProgress.Phase.allCases)
    for phase in [RekeyProgress.Phase.copying, .verifying, .comparing, .replacing] {
      let last = try #require(reports.last { $0.phase == phase })
      #expect(last.done == last.total)
    }
    let pages = try #require(reports.last { $0.phase == .copying })
    #expect(pages.total * pages.pageSize == (try bytes(path).count))
    // Both files are read, and each page that was read counts.
    let compared = reports.filter { $0.phase == .comparing }
    #expect(compared.allSatisfy { $0.total == 2 * pages.total })
    #expect(compared.map(\.done) == compared.map(\.done).sorted())
    #expect(compared.contains { $0.done > 0 && $0.done < $0.total })
  }

  @Test("can be awaited, and cancelled without harm")
  func asynchronous() async throws {
    let vault = try made(20_000)
    let (key, task) = (new, Locked<Task<Void, any Error>?>(nil))
    let started = Task {
      try await vault.rekey(to: key) { report in
        if report.phase == .copying { task.withLock { $0?.cancel() } }
      }
    }
    task.withLock { $0 = started }
    await #expect(throws: VaultError.self) { try await started.value }
    #expect(try await vault.store(of: Person.self).count() == 20_000)
    try await vault.rekey(to: new)
    #expect(try await vault.store(of: Person.self).count() == 20_000)
    vault.close()
    #expect(try refusal(path, new) == nil)
  }

  @Test("keeps the rights of the file, follows a symbolic link, and refuses a second name")
  func names() throws {
    try made().close()
    #expect(chmod(path, 0o640) == 0)
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try DatabaseFile(at: link, key: old).rekey(to: new)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(
      try FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType
        == .typeSymbolicLink)
    #expect(try refusal(link, new) == nil)
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("second"))
    let before = try bytes(path)
    #expect(code { try DatabaseFile(at: path, key: new).rekey(to: old) } == .invalidArgument)
    #expect(try bytes(path) == before)
  }

  @Test("removes what an earlier one left that ended in the middle, and respects one at work")
  func leftovers() throws {
    try made().close()
    let copy = folder.file(".school.vault.copying")
    try write(Data("unfinished".utf8), to: copy)
    let lock = try #require(HeldLock(of: copy))
    #expect(code { try DatabaseFile(at: path, key: old).rekey(to: new) } == .busy)
    #expect(try bytes(copy) == Data("unfinished".utf8))
    lock.release()
    try DatabaseFile(at: path, key: old).rekey(to: new)
    #expect(try files() == ["school.vault"])
  }

  @Test(
    "of a file by another program keeps its format, its page size and all that is in it",
    arguments: [
      "format1-512.db", "format2-1024.db", "format3-1024.db", "format4-1024.db", "shapes.db",
      "format1-1024-by-4.db", "format2-1024-by-4.db", "format3-1024-by-4.db", "hot-wal.db",
      "hot-journal.db",
    ])
  func foreignFiles(name: String) throws {
    let path = try fixture(name, in: folder)
    for suffix in ["-wal", "-journal"] {
      _ = try? fixture(name + suffix, in: folder)
    }
    let key: VaultKey = name.hasPrefix("format") ? .passphrase(passphrase) : .raw(1...32)
    let facts: CipherInfo
    do {
      facts = try DatabaseFile(
        at: path, key: key, cipherFormat: name.hasPrefix("format1") ? 1 : nil
      ).rekey(to: .passphrase("quite other words"))
    } catch let error as VaultError where error.code == .newerCipherFormat {
      #expect(name.hasPrefix("format4"))
      return
    } catch let error as VaultError where error.code == .engineRefused {
      // What SQLCipher 4 reserves of a page is more than these have to spare.
      #expect(name == "format1-512.db")
      #expect(try Engine.prove().cipherMajor >= 4)
      #expect(try refusal(path, key) == .unauthenticated)
      return
    }
    #expect(try refusal(path, key) == .wrongKey)
    if name == "format1-1024-by-4.db" {
      // It goes on leaving room for authentication codes.
      let file = try DatabaseFile(
        at: path, key: .passphrase("quite other words"), cipherFormat: 1)
      #expect(try file.cipherInfo() == facts)
      #expect(try file.verify().isSound)
      return
    }
    var configuration = VaultConfiguration()
    configuration.minimumCipherFormat = 1
    let vault = try Vault(
      at: path, key: .passphrase("quite other words"), configuration: configuration)
    #expect(try vault.cipherInfo() == facts)
    for found in try vault.classes() { _ = try vault.store(named: found.name).all() }
  }

  @Test("keeps the journal mode of a file, also of another program's")
  func journalModes() throws {
    for mode in ["WAL", "DELETE"] {
      let path = folder.file(mode)
      let made = try CipherShell.run(
        path,
        [
          "PRAGMA key=\"x'\(String(repeating: "5a", count: 32))'\";",
          "PRAGMA journal_mode=\(mode);",
          "CREATE TABLE t(a); INSERT INTO t VALUES('kept');",
        ])
      #expect(made.contains(mode.lowercased()))
      try DatabaseFile(at: path, key: old).rekey(to: new)
      let read = try CipherShell.run(
        path,
        [
          "PRAGMA key=\"x'\(String(repeating: "a5", count: 32))'\";", "SELECT a FROM t;",
          "PRAGMA journal_mode;",
        ])
      #expect(read.contains("kept\n\(mode.lowercased())"))
      #expect(!(try files().contains("\(mode)-wal")))
    }
  }

  @Test("that was cut off leaves a copy that the next open removes, unless somebody is at work")
  func cutOff() throws {
    try made().close()
    let copy = folder.file(".school.vault.copying")
    try write(Data("unfinished".utf8), to: copy)
    let lock = try #require(HeldLock(of: copy))
    #expect(try refusal(path, old) == nil)
    #expect(FileManager.default.fileExists(atPath: copy))
    lock.release()
    #expect(try refusal(path, old, isReadOnly: true) == nil)
    #expect(FileManager.default.fileExists(atPath: copy))
    #expect(try refusal(path, old) == nil)
    #expect(!FileManager.default.fileExists(atPath: copy))
  }

  @Test("An old file that the process replacing it still has open is not removed")
  func openOldFile() throws {
    try made().close()
    let copy = folder.file(".school.vault.copying")
    try FileOperation.compact.makeFile(at: copy)
    let holder = try HoldingChild("file-hold", FileOperation.compact.rawValue, copy, "locked")
    #expect(code { try DatabaseFile(at: path, key: old).rekey(to: new) } == .busy)
    #expect(try refusal(path, old) == nil)
    #expect(FileManager.default.fileExists(atPath: copy))
    _ = try holder.end()
    try DatabaseFile(at: path, key: old).rekey(to: new)
    #expect(try files() == ["school.vault"])
  }

  @Test("A copy that was removed is not completed, and another one at its path stays")
  func removedCopy() throws {
    let copy = folder.file(".school.vault.copying")
    let work = try CopyInWork(of: path)
    unlink(copy)
    try write(Data("another copy".utf8), to: copy)
    #expect(code { try work.settle(like: nil) } == .busy)
    work.discard()
    #expect(try bytes(copy) == Data("another copy".utf8))
  }

  @Test("An encryption that was cut off leaves no readable content after the next open")
  func cutOffEncryption() throws {
    try made().close()
    let (plain, copy) = (folder.file("plain.db"), folder.file(".school.vault.copying"))
    try DatabaseFile(at: path, key: old).decrypt(to: plain)
    let count = try bytes(plain).count
    try FileManager.default.moveItem(atPath: plain, toPath: copy)
    let file = try #require(FileHandle(forReadingAtPath: copy))
    defer { try? file.close() }
    let lock = try #require(HeldLock(of: copy))
    #expect(try refusal(path, old) == nil)
    #expect(try bytes(copy).range(of: Data("marker".utf8)) != nil)
    lock.release()
    #expect(try refusal(path, old) == nil)
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try file.readToEnd() == Data(count: count))
  }

  @Test("A file in plaintext under the name of a copy is not overwritten if it has another name")
  func secondName() throws {
    try made().close()
    let (plain, copy) = (folder.file("plain.db"), folder.file(".school.vault.copying"))
    try DatabaseFile(at: path, key: old).decrypt(to: plain)
    let before = try bytes(plain)
    try FileManager.default.linkItem(atPath: plain, toPath: copy)
    #expect(try refusal(path, old) == nil)
    #expect(try files() == ["plain.db", "school.vault"])
    #expect(try bytes(plain) == before)
    try FileManager.default.createSymbolicLink(atPath: copy, withDestinationPath: plain)
    try CopyInWork.eraseUnencrypted(copy)
    #expect(try bytes(plain) == before)
    try CopyInWork.eraseUnencrypted(plain)
    #expect(try bytes(plain) == Data(count: before.count))
  }

  @Test("An unencrypted file is not decrypted")
  func decryptingPlaintext() throws {
    try made().close()
    let (plain, second) = (folder.file("plain.db"), folder.file("second"))
    try DatabaseFile(at: path, key: old).decrypt(to: plain)
    #expect(code { try DatabaseFile(at: plain, key: nil).decrypt(to: second) } == .notEncrypted)
    #expect(!FileManager.default.fileExists(atPath: second))
  }

  @Test("An encryption in place overwrites the old file, which only its owner can read by then")
  func oldFileOfEncryption() throws {
    let vault = try made()
    try vault.execute("CREATE TABLE large (content BLOB)")
    try vault.execute("INSERT INTO large VALUES (randomblob(1500000))")
    vault.close()
    let (plain, second) = (folder.file("plain.db"), folder.file("second"))
    try DatabaseFile(at: path, key: old).decrypt(to: plain)
    chmod(plain, 0o644)
    let count = try bytes(plain).count
    #expect(count > 1_500_000)
    try DatabaseFile(at: plain, key: nil).encrypt(with: new) {
      if $0.phase == .replacing, $0.done == 0 { link(plain, second) }
    }
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(plain) == 0o644)
    #expect(try mode(second) == 0o600)
    #expect(try bytes(second) == Data(count: count))
    #expect(try refusal(plain, new) == nil)
  }

  @Test("A decryption that is stopped overwrites the plaintext that it wrote")
  func stoppedDecryption() throws {
    try made().close()
    let (plain, copy) = (folder.file("plain.db"), folder.file(".plain.db.copying"))
    var file: FileHandle?
    #expect(throws: CancellationError.self) {
      try DatabaseFile(at: path, key: old).decrypt(to: plain) { progress in
        guard progress.phase == .comparing else { return }
        file = FileHandle(forReadingAtPath: copy)
        throw CancellationError()
      }
    }
    let content = try #require(try file?.readToEnd())
    #expect(content.count > 4096 && content.allSatisfy { $0 == 0 })
    #expect(try files() == ["school.vault"])
  }

  @Test("of an open vault is finished before another thread opens a handle on the new file")
  func openedMeanwhile() throws {
    let vault = try made()
    let other = try Vault(at: path, key: new)
    let opened = DispatchSemaphore(value: 0)
    var wasEarly = false
    try vault.rekey(to: new) { report in
      guard report.phase == .replacing, report.done == 1 else { return }
      Thread.detachNewThread {
        try? other.open()
        opened.signal()
      }
      wasEarly = opened.wait(timeout: .now() + 0.3) == .success
    }
    #expect(!wasEarly)
    if !wasEarly { opened.wait() }
    #expect(try vault.file() === other.file())
  }
}
