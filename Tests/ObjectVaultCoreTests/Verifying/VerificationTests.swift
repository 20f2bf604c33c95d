import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import TestSupport
import Testing

@testable import ObjectVaultFile
@testable import ObjectVaultMaintenance

@Suite("The check of a whole file")
struct VerificationTests {
  private let folder: TemporaryFolder
  private let path: String
  private let key = VaultKey.raw([UInt8](repeating: 7, count: 32))
  private let frozenKey = VaultKey.raw(Array(1...32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
  }

  private func made(_ count: Int = 2000) throws -> Vault {
    let vault = try Vault(at: path, key: key)
    try vault.store(of: Person.self).insert(
      contentsOf: (0..<count).map { Person(name: "number \($0)", age: $0) })
    return vault
  }

  private func verified(
    _ path: String? = nil, _ key: VaultKey? = nil
  ) throws -> VerificationReport {
    try DatabaseFile(at: path ?? self.path, key: key ?? self.key).verify()
  }

  /// Changes bytes of the file at the path.
  private func change(_ body: (inout Data) -> Void) throws {
    var data = try bytes(path)
    body(&data)
    try write(data, to: path)
  }

  @Test("of an open vault finds it sound while others write to it")
  func whileWriting() async throws {
    let vault = try made()
    let store = try await vault.store(of: Person.self)
    let isDone = Locked(false)
    let writing = Task.detached {
      var number = 0
      while !isDone.withLock({ $0 }), number < 300 {
        try await store.insert(
          contentsOf: (0..<50).map { Person(name: "later \(number) \($0)", age: $0) })
        number += 1
      }
    }
    for _ in 0..<6 {
      let report = try await vault.verify()
      #expect(report.isSound, "\(report)")
    }
    isDone.withLock { $0 = true }
    try await writing.value
    let log = try await vault.verify().log
    guard case .writeAheadLog(let pages)? = log else {
      Issue.record("no log")
      return
    }
    #expect(pages > 0)
  }

  @Test("The file is sound if its write-ahead log is started again during the check")
  func restartedLog() throws {
    try made().close()
    let (opened, writer) = try OpenedFile.open(path, key: key, settings: VaultConfiguration())
    let engine = try #require(writer).engine
    func change() throws { try engine.execute("UPDATE \"Person\" SET \"age\" = \"age\" + 1") }
    try change()
    // The whole log is in the file now, so that the next change starts it again.
    _ = try engine.pragma("wal_checkpoint")
    let pages = try storedPages(path, key)
    var isStartedAgain = false
    let report = try DatabaseFile(at: path, key: key).verify { progress in
      guard progress.phase == .verifying, !isStartedAgain else { return }
      isStartedAgain = true
      try change()
    }
    #expect(isStartedAgain && report.isSound, "\(report)")
    guard case .writeAheadLog(let count)? = report.log, count > 10 else {
      Issue.record("no log")
      return
    }
    // These pages were opened before, and the engine may also cut the log off.
    for _ in 0..<2 {
      #expect(try pages.present.allSatisfy { try pages.state(of: $0).isContent })
      let size = try SizeReport(pages)
      #expect(size.bytes(of: .unknown) == 0 && size.bytes(ofClass: "Person") > 40_000)
      #expect(truncate(path + "-wal", 32 + 24 + 100) == 0)
    }
    try? engine.close()
    opened.close()
  }

  @Test("inside a transaction is refused, in a read scope it is not")
  func scopes() throws {
    let vault = try made(10)
    try vault.transaction { #expect(code { _ = try vault.verify() } == .invalidArgument) }
    let isSound = try vault.read { try vault.verify().isSound }
    #expect(isSound)
    #expect(code { _ = try verified() } == .busy)
    vault.close()
    #expect(try verified().isSound)
  }

  @Test("reports the begin of each phase")
  func progress() throws {
    try made().close()
    var reports: [RekeyProgress] = []
    _ = try DatabaseFile(at: path, key: key).verify { reports.append($0) }
    for phase in [RekeyProgress.Phase.preparing, .verifying, .comparing] {
      let first = try #require(reports.first { $0.phase == phase })
      #expect(first.done == 0)
    }
  }

  @Test("is ended by what its progress throws")
  func ended() throws {
    try made().close()
    struct Enough: Error {}
    for phase in [RekeyProgress.Phase.preparing, .verifying, .comparing] {
      #expect(throws: Enough.self) {
        try DatabaseFile(at: path, key: key).verify { report in
          if report.phase == phase { throw Enough() }
        }
      }
    }
  }

  @Test("names every bad page with its class, also where page 1 is among them")
  func badPages() throws {
    try made().close()
    let sound = try bytes(path)
    let pageCount = sound.count / 4096
    try change { data in
      for page in [1, 9, pageCount - 1] { data[(page - 1) * 4096 + 500] ^= 1 }
    }
    let report = try verified()
    #expect(report.badPages.map(\.number) == [1, 9, pageCount - 1])
    #expect(report.badPages[0].owner == .schema)
    #expect(!report.structureProblems.isEmpty)
    // Without the list of tables it cannot be told whose the others are; with it, it can.
    try change { $0[500] ^= 1 }
    let second = try verified()
    #expect(second.badPages.map(\.number) == [9, pageCount - 1])
    #expect(second.badPages.allSatisfy { $0.owner == .objects(of: "Person") })
    try write(sound, to: path)
    #expect(try verified().isSound)
  }

  @Test("finds pages that are zero, that changed places, or that the file ends before")
  func otherDefects() throws {
    try made().close()
    let sound = try bytes(path)
    let pageCount = sound.count / 4096
    func page(_ number: Int) -> Range<Int> { (number - 1) * 4096..<number * 4096 }
    try change { $0.replaceSubrange(page(8), with: Data(count: 4096)) }
    var report = try verified()
    #expect(report.badPages.map(\.number) == [8])
    #expect(report.badPages.first?.defect == .misplaced)
    #expect(report.badPages.first?.owner == .objects(of: "Person"))

    var swapped = sound
    swapped.replaceSubrange(page(8), with: sound[page(9)])
    swapped.replaceSubrange(page(9), with: sound[page(8)])
    try write(swapped, to: path)
    #expect(try verified().badPages.map(\.number) == [8, 9])

    try write(sound.dropLast(2 * 4096 + 100), to: path)
    report = try verified()
    #expect(report.badPages.map(\.number) == [pageCount - 2, pageCount - 1, pageCount])
    #expect(report.badPages.allSatisfy { $0.defect == .missing })
    #expect(report.pageCount == pageCount)
  }

  @Test("finds every page that was overwritten with zeros, also the end of a long value")
  func zeroPages() throws {
    let vault = try Vault(at: path, key: key)
    let store = try vault.store(of: Person.self)
    try store.insert(contentsOf: (0..<3).map { Person(name: "\($0)" + longText, age: $0) })
    vault.close()
    let sound = try bytes(path)
    let pageCount = sound.count / 4096
    #expect(pageCount > 9)
    for number in 2...pageCount {
      var data = sound
      data.replaceSubrange((number - 1) * 4096..<number * 4096, with: Data(count: 4096))
      try write(data, to: path)
      let report = try verified()
      #expect(report.badPages.map(\.number) == [number])
      #expect(report.badPages.map(\.defect) == [.misplaced])
      #expect(!report.isSound, "page \(number)")
    }
  }

  @Test("finds a file sound whose free pages were never written")
  func freeZeroPages() throws {
    let vault = try made(2_000)
    try vault.store(of: Person.self).removeAll()
    vault.close()
    let free = try freePages()
    #expect(free.count > 3)
    try change { data in
      for page in free {
        data.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
      }
    }
    #expect(try verified().isSound)
    do {
      try DatabaseFile(at: path, key: key).rekey(to: frozenKey)
      #expect(try verified(nil, frozenKey).isSound)
    } catch let error as VaultError {
      // SQLCipher 4 does not read pages of zeros. The rekey fails, and the file is unchanged.
      #expect(try Engine.prove().cipherMajor == 4)
      #expect(error.code == .damaged)
      #expect(try verified().isSound)
    }
  }

  private var longText: String { String(repeating: "long ", count: 2_000) }

  /// The pages that the free list contains, without those that hold the list.
  private func freePages() throws -> [Int] {
    let (held, _) = try HeldFile.acquire(path, readOnly: true, creating: false)
    defer { held.release() }
    let encryption = try FileEncryption(
      examining: path, held: held, key: key.resolve(besideVault: path),
      recogniser: FormatRecogniser())
    return try encryption.pages(of: path, held: held, usesJournal: false).freePages().leaves
      .map(Int.init)
  }

  @Test("finds bytes after the last page, which the engine does not look at")
  func bytesAfterEnd() throws {
    try made(10).close()
    try change { $0 += Data("garbage".utf8) }
    let report = try verified()
    #expect(report.bytesAfterEnd == 7)
    #expect(report.badPages.isEmpty && report.structureProblems.isEmpty)
    #expect(!report.isSound)
  }

  @Test("tells a damaged salt where the key can be proved without it")
  func salt() throws {
    try made().close()
    try change { $0[3] ^= 1 }
    let report = try verified()
    #expect(report.badPages.map(\.defect) == [.salt])
    #expect(report.badPages.map(\.number) == [1])
    try change { $0[9] ^= 1 }
    #expect(code { _ = try verified() } == .damaged)
    let salted = VaultKey.raw([UInt8](repeating: 7, count: 32) + [UInt8](repeating: 9, count: 16))
    let other = folder.file("salted.vault")
    try Vault(at: other, key: salted).open()
    var data = try bytes(other)
    for index in 0..<16 { data[index] = 0 }
    try write(data, to: other)
    #expect(try verified(other, salted).badPages.map(\.defect) == [.salt])
  }

  @Test("reads a log that was left in place of the file's pages, and plays it into nothing")
  func leftLog() throws {
    let path = try fixture("hot-wal.db", in: folder)
    _ = try fixture("hot-wal.db-wal", in: folder)
    let (file, log) = (try bytes(path), try bytes(path + "-wal"))
    let report = try verified(path, frozenKey)
    #expect(report.isSound, "\(report)")
    guard case .writeAheadLog = report.log else {
      Issue.record("\(report)")
      return
    }
    #expect(try bytes(path) == file)
    #expect(try bytes(path + "-wal") == log)
  }

  @Test("says of a journal that was left that the pages are sound and the structure is unchecked")
  func leftJournal() throws {
    let path = try fixture("hot-journal.db", in: folder)
    _ = try fixture("hot-journal.db-journal", in: folder)
    let before = try contents(of: folder)
    let report = try verified(path, frozenKey)
    guard case .rollbackJournal = report.log else {
      Issue.record("\(report)")
      return
    }
    #expect(report.badPages.isEmpty)
    #expect(report.verdict == .soundPages && !report.isSound, "\(report)")
    #expect(try contents(of: folder) == before)
    try Vault(at: path, key: frozenKey).open()
    let after = try DatabaseFile(at: path, key: frozenKey)
    #expect(try after.verify().isSound)
  }

  #if os(Linux)
    @Test(
      "reports a log or journal that claims 4 billion pages, in little time and memory",
      arguments: ForgedLog.allCases)
    func forgedLog(log: ForgedLog) throws {
      let vault = try Vault(at: path, key: .ofTests)
      try vault.store(of: Person.self).insert(Person(name: "Ada"))
      vault.close()
      try write(Data(log.bytes), to: path + log.suffix)
      let child = try SpawnedProgram.run("vaultchild", ["verify-limited", path])
      #expect(child.exited && child.status == 0, "\(child.output)\(child.errors)")
      // The first thousand missing pages, and the page in the log.
      #expect(child.output == "\(1_000 + log.pageCount)\n")
    }
  #endif

  @Test("finds references to objects that are not there")
  func references() throws {
    let other = folder.file("foreign.db")
    _ = try CipherShell.run(
      other,
      [
        "PRAGMA key='\(passphrase)';", "CREATE TABLE a(id INTEGER PRIMARY KEY);",
        "CREATE TABLE b(a REFERENCES a(id));", "INSERT INTO b VALUES(5);",
      ])
    let report = try verified(other, .passphrase(passphrase))
    #expect(report.brokenReferences == ["b"])
    #expect(!report.isSound)
  }

  @Test("says whether the keyring is the file's, and finds the file by it when its salt is damaged")
  func keyring() throws {
    let slot = SlotKey.raw([UInt8](repeating: 5, count: 32))
    let vault = try Vault(at: path, key: .keyring(slot))
    _ = try vault.store(of: Person.self)
    #expect(try vault.verify().keyring == .matches)
    vault.close()
    #expect(try verified(nil, .keyring(slot)).keyring == .matches)
    try change { data in for index in 0..<16 { data[index] ^= 0xFF } }
    let report = try verified(nil, .keyring(slot))
    #expect(report.badPages.map(\.defect) == [.salt])
    #expect(report.keyring == .matches)

    let other = folder.file("other.vault")
    try Vault(at: other, key: key).open()
    try FileManager.default.copyItem(atPath: path + ".keyring", toPath: other + ".keyring")
    let leftOver = try verified(other)
    #expect(leftOver.keyring == .leftOver)
    #expect(!leftOver.isSound)
  }

  @Test(
    "finds every file that other programs made sound, in each format",
    arguments: PageReadingTests.files)
  func frozen(file: PageReadingTests.Frozen) throws {
    let path = try fixture(file.name, in: folder)
    let before = try contents(of: folder)
    // A format without page authentication must be named.
    let named = file.name.hasPrefix("format1-") ? 1 : nil
    let report = try DatabaseFile(at: path, key: file.key, cipherFormat: named).verify()
    #expect(report.badPages.isEmpty, "\(report)")
    #expect(try contents(of: folder) == before)
    let newest = try Engine.prove().newestCipherFormat
    if let format = report.cipher?.format, format > newest {
      // Its pages can be checked all the same.
      #expect(report.verdict == .soundPages && report.uncheckedReason != nil, "\(report)")
      #expect(report.structureProblems.isEmpty)
    } else {
      #expect(report.isSound, "\(report)")
    }
  }
}

extension StoredPages.State {
  fileprivate var isContent: Bool { if case .content = self { true } else { false } }
}
