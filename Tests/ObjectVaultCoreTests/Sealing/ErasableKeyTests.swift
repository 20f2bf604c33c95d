import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import TestSupport
import Testing

@testable import ObjectVaultFile
@testable import ObjectVaultMaintenance

@Suite("Erasable keys")
struct ErasableKeyTests {
  private let folder: TemporaryFolder
  private static let keyOfKeys = VaultKey.raw(hex: String(repeating: "3c", count: 32))
  private var path: String { folder.file("persons.keys") }

  init() throws { folder = try TemporaryFolder() }

  private func vault(_ keys: ErasableKeys?, _ name: String = "a.vault") throws -> Vault {
    try Vault(at: folder.file(name), key: .ofTests, configuration: try .erasing(keys))
  }

  private func bytes(_ key: ErasableKeys.Key) -> Data? {
    guard case .present(let secret) = key else { return nil }
    return secret.withUnsafeBytes { Data($0) }
  }

  /// The decrypted pages of the file and those in its log, also free ones.
  private func pages() throws -> Data {
    var all = Data()
    for usesLog in [true, false] {
      let pages = try storedPages(path, Self.keyOfKeys, usesJournal: usesLog)
      for number in pages.present {
        if case .content(let content) = try pages.state(of: number) { all += content }
      }
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      all += try Data(contentsOf: folder.url.appendingPathComponent(name))
    }
    return all
  }

  @Test("The bytes of a destroyed key are in no page, log or file", .covers("E12"))
  func secrecy() throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    var made: [Data] = []
    for number in 0..<400 {
      // Names of all lengths, in no order, so that pages are divided.
      let name = String(repeating: "\(number % 10)", count: 1 + number * 37 % 90) + "-\(number)"
      made.append(try #require(bytes(try keys.madeKey(name))))
      if number == 399 {
        keys.close()
        let stored = try pages()
        for key in made { #expect(stored.holds(key)) }
      }
    }
    #expect(Set(made).count == 400)
    let again = try ErasableKeys.ofTests(in: folder.url)
    for number in stride(from: 0, to: 400, by: 3) {
      let name = String(repeating: "\(number % 10)", count: 1 + number * 37 % 90) + "-\(number)"
      #expect(try again.destroy(name))
    }
    // The log is empty before the file is closed.
    let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    #expect(log ?? 0 == 0)
    again.close()
    let stored = try pages()
    for (number, key) in made.enumerated() {
      #expect(stored.holds(key) == (number % 3 != 0), "\(number)")
    }
  }

  @Test("A destroyed key is never made again", .covers("E12"))
  func marks() throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let first = try #require(bytes(try keys.madeKey("ada")))
    #expect(bytes(try keys.madeKey("ada")) == first)
    #expect(bytes(try keys.key("ada")) == first)
    #expect(try !keys.isDestroyed("ada"))
    #expect(try keys.destroy("ada"))
    #expect(try !keys.destroy("ada"))
    guard case .destroyed = try keys.madeKey("ada") else { throw CocoaError(.featureUnsupported) }
    #expect(try keys.isDestroyed("ada"))
    #expect(try !keys.destroy(7))
    #expect(try keys.isDestroyed("7"))
    let id = UUID()
    try keys.destroy(id)
    #expect(try keys.isDestroyed(id.uuidString))
    guard case .missing = try keys.key("bob") else { throw CocoaError(.featureUnsupported) }
  }

  @Test("A missing key, file of keys or setting is an error", .covers("E12"))
  func missing() throws {
    #expect(code { _ = try vault(nil).store(of: Donor.self) } == .noKey)
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let first = try vault(keys)
    let donors = try first.store(of: Donor.self)
    try donors.insert(Donor("ada", iban: "CH1"))
    first.close()
    #expect(code { _ = try vault(nil).store(of: Donor.self) } == .noKey)
    // Other classes need no erasable keys.
    let unused = try vault(
      try ErasableKeys(at: folder.file("no.keys"), key: Self.keyOfKeys, creation: .never))
    try unused.store(of: Patient.self).insert(Patient("Ada", "gout"))
    unused.close()
    let other = try vault(nil)
    #expect(try other.classes().count == 2)
    other.close()
    let wrong = try ErasableKeys(at: folder.file("wrong.keys"), key: Self.keyOfKeys)
    #expect(code { _ = try vault(wrong).store(of: Donor.self) } == .wrongKey)
    let badKey = try ErasableKeys(at: folder.file("wrong.keys"), key: .ofTests)
    #expect(code { _ = try vault(badKey).store(of: Donor.self) } == .wrongKey)
    let never = try ErasableKeys(
      at: folder.file("no.keys"), key: Self.keyOfKeys, creation: .never)
    #expect(code { _ = try vault(never).store(of: Donor.self) } == .noSuchFile)
    keys.close()
    // A row that another program removed is no mark.
    let file = try Vault(at: path, key: Self.keyOfKeys)
    try file.execute("DELETE FROM ErasableKey")
    file.close()
    let again = try vault(.ofTests(in: folder.url))
    #expect(code { _ = try again.store(of: Donor.self).all() } == .wrongKey)
    again.close()
  }

  @Test(
    "Keys in the file of the vault, and a transaction on their file, are rejected", .covers("E12"))
  func placement() throws {
    let same = try ErasableKeys(at: folder.file("a.vault"), key: .ofTests)
    #expect(code { _ = try vault(same).store(of: Donor.self) } == .invalidArgument)
    // A handle that shares the file of the keys cannot weaken, hold back or undo their destruction.
    let shared = try Vault(at: path, key: Self.keyOfKeys)
    try shared.open()
    let keys = try ErasableKeys.ofTests(in: folder.url)
    try keys.destroy("ada")
    let settings = try shared.file().withWriter { session in
      try ["synchronous", "secure_delete"].map { try session.connection.setting($0) }
    }
    #expect(settings == ["2", "1"])
    #expect(code { _ = try shared.transaction { try keys.destroy("bob") } } == .invalidArgument)
    #expect(code { _ = try shared.read { try keys.isDestroyed("ada") } } == .invalidArgument)
    #expect(try !keys.isDestroyed("bob"))
    shared.close()
  }

  @Test(
    "A destruction that cannot empty the log says so, and is completed later",
    .covers("E12"))
  func blockedLog() throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let key = try #require(bytes(try keys.madeKey("ada")))
    let reader = try Vault(at: path, key: Self.keyOfKeys)
    var cursor: ObjectCursor? = try reader.store(named: "ErasableKey").query.cursor()
    _ = try cursor?.next()
    let error = #expect(throws: VaultError.self) { try keys.destroy("ada") }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("The key is destroyed") == true)
    #expect(try keys.isDestroyed("ada"))
    cursor = nil
    try keys.destroy("ada")
    reader.close()
    keys.close()
    #expect(try !pages().holds(key))
  }

  @Test("A destruction that waits in vain for another writer destroys nothing", .covers("E12"))
  func blockedWriter() throws {
    var configuration = VaultConfiguration()
    configuration.busyTimeout = .zero
    let keys = try ErasableKeys(at: path, key: Self.keyOfKeys, configuration: configuration)
    let key = try #require(bytes(try keys.madeKey("ada")))
    let other = try Vault(at: path, key: Self.keyOfKeys, configuration: VaultConfiguration())
    let holder = try other.file().withOpened {
      try $0.connect(.writer, path: path, settings: configuration)
    }
    try holder.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: VaultError.self) { try keys.destroy("ada") }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("destroyed") == false)
    #expect(try !keys.isDestroyed("ada"))
    #expect(bytes(try keys.key("ada")) == key)
    try holder.execute("ROLLBACK")
    #expect(try keys.destroy("ada"))
  }

  @Test("A file of keys is opened with its configuration", .covers("E12"))
  func configured() throws {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    #expect(
      code {
        _ = try ErasableKeys(at: path, key: Self.keyOfKeys, configuration: configuration)
          .isDestroyed("ada")
      } == .noSuchFile)
    let made = try ErasableKeys.ofTests(in: folder.url)
    try made.destroy("ada")
    made.close()
    configuration.isReadOnly = true
    let keys = try ErasableKeys(at: path, key: Self.keyOfKeys, configuration: configuration)
    #expect(try keys.isDestroyed("ada"))
    #expect(code { _ = try keys.destroy("bob") } == .readOnly)
  }

  @Test("A key is destroyed without blocking the caller's thread", .covers("E11"))
  func asynchronous() async throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let vault = try vault(keys)
    let donors = try await vault.store(of: Donor.self)
    try await donors.insert(Donor("ada", iban: "CH1"))
    #expect(try await vault.read { try !keys.isDestroyed("ada") })
    #expect(try await vault.transaction { try keys.destroy("ada") })
    #expect(try await vault.read { try keys.isDestroyed("ada") })
    #expect(try await donors.all().map(\.iban) == [nil])
  }

  @Test("A transaction that is rolled back does not restore a key that it destroyed")
  func rolledBack() async throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let vault = try vault(keys)
    let donors = try await vault.store(of: Donor.self)
    try await donors.insert(Donor("ada", iban: "CH1"))
    struct Undone: Error {}
    await #expect(throws: Undone.self) {
      try await vault.transaction {
        try donors.query.remove()
        #expect(try keys.destroy("ada"))
        throw Undone()
      }
    }
    #expect(try await donors.all().map(\.iban) == [nil])
  }

  @Test("Threads that need a key at the same time get the same one", .covers("E12"))
  func threads() async throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let vault = try vault(keys)
    let donors = try await vault.store(of: Donor.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          try await onOwnThread {
            for number in 0..<25 {
              try donors.insert(
                Donor("\(worker)-\(number)", key: "k\(number)", iban: "CH\(worker)"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await donors.all().count { $0.iban != nil } == 100)
  }

  @Test(
    "Processes that need a key at the same time get the same one, and see it destroyed",
    .covers("E11", "E12"))
  func processes() throws {
    let path = folder.url.path
    let runs = Locked<[ChildProcess]>([])
    DispatchQueue.concurrentPerform(iterations: 3) { worker in
      if let run = try? ChildProcess.run("erasable", path, "\(worker)", "40") {
        runs.withLock { $0.append(run) }
      }
    }
    #expect(runs.withLock { $0.map(\.status) } == [0, 0, 0], "\(runs.withLock { $0 })")
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let vault = try vault(keys)
    let donors = try vault.store(of: Donor.self)
    #expect(try donors.all().count { $0.iban == "CH\($0.name)" } == 120)
    let before = try ChildProcess.run("erasable", path, "3", "0")
    #expect(before.output == "120 of 120\n")
    try keys.destroy("k7")
    let after = try ChildProcess.run("erasable", path, "3", "0")
    #expect(after.output == "117 of 120\n")
  }

  @Test(
    "A process that has a key open does not read values after another one destroyed it",
    .covers("E11"))
  func otherProcess() throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let vault = try vault(keys)
    let donors = try vault.store(of: Donor.self)
    try donors.insert(Donor("ada", iban: "CH1"))
    #expect(try donors.all().map(\.iban) == ["CH1"])
    let child = try ChildProcess.run("destroy-erasable", folder.url.path, "ada")
    #expect(child.status == 0, "\(child.errors)")
    #expect(try donors.all().map(\.iban) == [nil])
    #expect(code { try donors.insert(Donor("bob", key: "ada", iban: "CH2")) } == .keyDestroyed)
  }

  @Test(
    "A key whose process ends before the value is stored is used by the next value",
    .covers("E12"))
  func crash() throws {
    let child = try ChildProcess.run("erasable-crash", folder.url.path)
    #expect(!child.exited)
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let key = try #require(bytes(try keys.key("ada")))
    let donors = try vault(keys).store(of: Donor.self)
    #expect(try donors.count() == 0)
    try donors.insert(Donor("ada", iban: "CH1"))
    #expect(try donors.all().map(\.iban) == ["CH1"])
    #expect(bytes(try keys.key("ada")) == key)
  }
}
