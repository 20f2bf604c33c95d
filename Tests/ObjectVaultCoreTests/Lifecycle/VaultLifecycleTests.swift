import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultSession
import ObjectVaultStores
import Synchronization
import Testing
import TestSupport

/// The events a handle reported, in order.
final class EventLog: Sendable {
  private let events = Mutex<[VaultEvent]>([])
  var all: [VaultEvent] { events.withLock { $0 } }

  /// Begins to listen; the registration must be kept.
  func listen(to vault: Vault) -> EventRegistration {
    vault.onEvent { [self] event in events.withLock { $0.append(event) } }
  }
}

@Suite("A vault's life") struct VaultLifecycleTests {
  @Test("making a handle touches no file; the first use makes it", .covers("S11", "A56"))
  func lazyCreation() throws {
    let test = try TestVault()
    #expect(!test.fileExists)
    _ = try test.vault.store(of: Person.self)
    #expect(test.fileExists)
  }

  @Test("opening at once makes the file and shows a wrong key there", .covers("S10", "S63"))
  func opening() throws {
    let test = try TestVault()
    try test.vault.open()
    #expect(test.fileExists)
    test.vault.close()
    let other = try Vault(at: test.vault.path, key: .passphrase("wrong"))
    #expect(code { try other.open() } == .wrongKey)
    #expect(code { _ = try Vault(at: test.vault.path, key: .passphrase("")) } == .noKey)
  }

  @Test("a file that must exist is not made", .covers("P14"))
  func neverCreate() throws {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    let test = try TestVault(configuration)
    #expect(code { try test.vault.open() } == .noSuchFile)
    #expect(!test.fileExists)
  }

  @Test("a named vault lies in the folder given", .covers("S12"))
  func named() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(named: "MyDatabase", in: folder.url, key: .passphrase("p"))
    try vault.open()
    #expect(FileManager.default.fileExists(atPath: folder.file("MyDatabase.vault")))
    #expect(vault.name == "MyDatabase")
    #expect(
      code { _ = try Vault(named: "a/b", in: folder.url, key: .passphrase("p")) }
        == .invalidArgument)
    #expect(Vault.defaultFolder.path.hasPrefix("/"))
  }

  @Test("settings reach the engine", .covers("S13"))
  func settings() throws {
    var configuration = VaultConfiguration()
    configuration.cipherFormat = .portable
    configuration.durability = .powerFailure
    configuration.writerCache = .mebibytes(8)
    let test = try TestVault(configuration)
    let info = try test.vault.cipherInfo()
    #expect(info.format == 3 && info.pageSize == 4096)
    let file = try test.vault.file()
    let names = [
      "journal_mode", "synchronous", "cache_size", "foreign_keys", "temp_store", "secure_delete",
    ]
    let writing = try file.join { connection in
      try names.map { try connection.engine.pragma($0) ?? "" }
    }
    #expect(writing == ["wal", "2", "-8192", "1", "2", "1"])
    let checkpoint = try file.read { try $0.engine.pragma("wal_autocheckpoint") }
    #expect(checkpoint == "0")
    var wrong = VaultConfiguration()
    wrong.maximumReaders = 0
    #expect(
      code { _ = try Vault(at: "/x", key: .passphrase("p"), configuration: wrong) }
        == .invalidArgument)
    #expect(code { _ = try Vault(at: "", key: .passphrase("p")) } == .invalidArgument)
  }

  @Test("a later handle can make commits survive a power failure", .covers("S13"))
  func raisedDurability() throws {
    let test = try TestVault()
    func synchronous() throws -> String? {
      try test.vault.file().withWriter { try $0.engine.pragma("synchronous") }
    }
    #expect(try synchronous() == "1")
    var configuration = VaultConfiguration()
    configuration.durability = .powerFailure
    let other = try test.another(configuration)
    try other.open()
    #expect(try synchronous() == "2")
    other.close()
    try test.vault.rekey(to: .raw(2...33))
    #expect(try synchronous() == "2")
    // One that is opened inside a transaction of the thread counts from the next one on.
    let second = try TestVault()
    try second.vault.transaction { try second.another(configuration).open() }
    let next = try second.vault.file().withWriter { try $0.engine.pragma("synchronous") }
    #expect(next == "2")
  }

  @Test("a later handle cannot distrust a file that is open without a check")
  func laterDistrust() throws {
    let test = try TestVault()
    try test.vault.open()
    var configuration = VaultConfiguration()
    configuration.isUntrusted = true
    #expect(code { try test.another(configuration).open() } == .invalidArgument)
    test.vault.close()
    let distrusting = try test.another(configuration)
    try distrusting.open()
    try test.another().open()
    distrusting.close()
  }

  @Test("a store may be made by one thread and used by another", .covers("S16", "X5"))
  func passing() async throws {
    let test = try TestVault()
    let people = try await test.vault.store(of: Person.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { try await people.insert(Person(name: "\(number)")) }
      }
      try await group.waitForAll()
    }
    #expect(try await people.count() == 20)
  }

  @Test(
    "removal deletes every file and makes every handle and store invalid",
    .covers("S49", "S50", "S52", "S68"))
  func removal() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(Person(name: "a"))
    let another = try test.another()
    let itsPeople = try another.store(of: Person.self)
    let unused = try test.another()
    let (log, itsLog) = (EventLog(), EventLog())
    let registrations = [log.listen(to: test.vault), itsLog.listen(to: another)]
    try Vault.remove(at: test.vault.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: test.folder.path).isEmpty)
    for vault in [test.vault, another, unused] {
      #expect(code { try vault.open() } == .invalidated)
      #expect(code { _ = try vault.store(of: Item.self) } == .invalidated)
      #expect(code { try vault.removeStore(of: Person.self) } == .invalidated)
    }
    for store in [people, itsPeople] {
      #expect(code { _ = try store.all() } == .invalidated)
      #expect(code { try store.insert(Person(name: "b")) } == .invalidated)
      #expect(code { _ = try store.where("age > 1").count() } == .invalidated)
    }
    #expect(log.all == [.removed] && itsLog.all == [.removed])
    #expect(!test.fileExists)
    withExtendedLifetime(registrations) {}
    // A new handle begins anew.
    #expect(try test.another().store(of: Person.self).count() == 0)
    #expect(code { try Vault.remove(at: test.folder.file("none.vault")) } == .noSuchFile)
  }

  @Test(
    "removing a store drops its table and makes its stores fail, without making it again",
    .covers("S47", "S48", "S54"))
  func storeRemoval() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    let items = try test.vault.store(of: Item.self)
    try people.insert(Person(name: "a"))
    let another = try test.another()
    let itsPeople = try another.store(of: Person.self)
    let log = EventLog()
    let registration = log.listen(to: another)
    try test.vault.removeStore(of: Person.self)
    #expect(code { _ = try people.all() } == .invalidated)
    #expect(code { try people.insert(Person(name: "b")) } == .invalidated)
    #expect(code { _ = try itsPeople.count() } == .invalidated)
    #expect(try test.vault.classes().map(\.name) == ["Item"])
    #expect(try items.count() == 0)
    #expect(log.all == [.storeRemoved("Person")])
    withExtendedLifetime(registration) {}
    #expect(code { try test.vault.removeStore(of: Person.self) } == .noSuchClass)
    #expect(try test.vault.store(of: Person.self).count() == 0)
  }

  // Between removal and remaking the old stores are not used: a missing table would show itself.
  @Test("stores of a removed table stay invalid when it is made anew", .covers("S48"))
  func storeRemovalAndRemaking() throws {
    let test = try TestVault()
    let another = try test.another()
    let old = [try test.vault.store(of: Person.self), try another.store(of: Person.self)]
    let query = old[1].where("age > 1")
    try test.vault.removeStore(of: Person.self)
    let new = try another.store(of: Person.self)
    try new.insert(Person(name: "new", age: 2))
    for store in old {
      #expect(code { _ = try store.all() } == .invalidated)
      #expect(code { try store.insert(Person(name: "old")) } == .invalidated)
      #expect(code { try store.removeAll() } == .invalidated)
    }
    #expect(code { _ = try query.count() } == .invalidated)
    #expect(try new.all().map(\.name) == ["new"])
  }

  @Test("removal takes along what a crash left beside the file", .covers("S49"))
  func removalAfterCrash() throws {
    let test = try TestVault()
    try test.vault.open()
    test.vault.close()
    try Data([0]).write(to: URL(fileURLWithPath: test.vault.path + "-wal"))
    try LogsAside(of: test.vault.path).moveAway()
    for suffix in ["-journal", "-wal", "-shm"] {
      try Data([0]).write(to: URL(fileURLWithPath: test.vault.path + suffix))
    }
    let copy = try writePlainCopy(in: test)
    try Data([0]).write(to: URL(fileURLWithPath: test.folder.file("test.vault-other")))
    try Vault.remove(at: test.vault.path)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: test.folder.path) == ["test.vault-other"])
    #expect(try copy.readToEnd() == Data(count: 122))
  }

  @Test("a new vault removes the copy in plaintext that an earlier one at its path left")
  func creationAfterCrash() throws {
    let test = try TestVault()
    let copy = try writePlainCopy(in: test)
    try test.vault.open()
    test.vault.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: test.folder.path) == ["test.vault"])
    #expect(try copy.readToEnd() == Data(count: 122))
  }

  /// Writes the original that a killed encryption leaves, and returns a handle that reads it.
  private func writePlainCopy(in test: TestVault) throws -> FileHandle {
    let path = test.folder.file(".test.vault.copying")
    let text = "SQLite format 3\0" + String(repeating: "\0", count: 100) + "secret"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return try #require(FileHandle(forReadingAtPath: path))
  }

  @Test("a new file says that it is a vault, and which", .covers("S10"))
  func marks() throws {
    func facts(_ vault: Vault) throws -> (mark: String?, id: String?, format: String?) {
      try vault.file().read {
        (
          try $0.engine.pragma("application_id"), try SystemTables($0).value("vault_id"),
          try SystemTables($0).value("format_version")
        )
      }
    }
    let (one, two) = (try TestVault(), try TestVault())
    let (first, second) = (try facts(one.vault), try facts(two.vault))
    // "OVLT" as a number.
    #expect(first.mark == "1331055700" && second.mark == "1331055700")
    #expect(first.format == "1")
    #expect(first.id.flatMap { UUID(uuidString: $0) } != nil)
    #expect(first.id != second.id)
    one.vault.close()
    #expect(try facts(one.another()).id == first.id)
  }

  @Test("closing makes a vault and its stores fail, and is announced", .covers("S51", "S53", "P15"))
  func closing() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    let log = EventLog()
    let registration = log.listen(to: test.vault)
    test.vault.close()
    test.vault.close()
    #expect(log.all == [.closed])
    #expect(code { _ = try people.all() } == .closed)
    #expect(code { try test.vault.open() } == .closed)
    withExtendedLifetime(registration) {}
    #expect(try FileManager.default.contentsOfDirectory(atPath: test.folder.path) == ["test.vault"])
  }

  @Test("the last reference to a vault closes it, and says so", .covers("S51", "S53"))
  func releasing() throws {
    let test = try TestVault()
    let log = EventLog()
    var registration: EventRegistration?
    do {
      let vault = try test.another()
      try vault.open()
      registration = log.listen(to: vault)
    }
    #expect(log.all == [.closed])
    withExtendedLifetime(registration) {}
    let files = try FileManager.default.contentsOfDirectory(atPath: test.folder.path)
    #expect(files == ["test.vault"])
  }

  @Test("The last reference to a vault that was never used closes it, too", .covers("S53"))
  func releasingUnused() throws {
    let test = try TestVault()
    let log = EventLog()
    let registration = log.listen(to: try test.another())
    #expect(log.all == [.closed])
    withExtendedLifetime(registration) {}
    #expect(!test.fileExists)
  }

  @Test("handles on one file share its connections", .covers("S56", "P9"))
  func sharing() throws {
    let test = try TestVault()
    let another = try test.another()
    #expect(try test.vault.file() === another.file())
    let stranger = try Vault(at: test.vault.path, key: .passphrase("wrong"))
    #expect(code { try stranger.open() } == .wrongKey)
    test.vault.close()
    #expect(try another.store(of: Person.self).count() == 0)
  }

  @Test("handles report what they stand for", .covers("S68"))
  func introspection() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    #expect(items.classDescription == Item.classDescription)
    #expect(try items.vault === test.vault)
    #expect(test.vault.name == "test")
  }

  @Test("the stream of events ends with the vault")
  func stream() async throws {
    let test = try TestVault()
    let events = test.vault.eventStream()
    _ = try await test.vault.store(of: Person.self)
    try await onOwnThread { try test.vault.removeStore(of: Person.self) }
    test.vault.close()
    var seen: [VaultEvent] = []
    for await event in events { seen.append(event) }
    #expect(seen == [.storeRemoved("Person"), .closed])
  }

  @Test("A stream of events that begins after the end is over at once", .timeLimit(.minutes(1)))
  func lateStream() async throws {
    let (closed, removed) = (try TestVault(), try TestVault())
    closed.vault.close()
    try await removed.vault.open()
    try await onOwnThread { try removed.vault.removeFile() }
    for vault in [closed.vault, removed.vault] {
      for await event in vault.eventStream() { Issue.record("\(event)") }
    }
  }

  @Test("a vault opened for reading only reads and refuses to write", .covers("J15", "P10", "P13"))
  func readOnly() throws {
    let test = try TestVault()
    try test.vault.store(of: Item.self).insert(Item("a"))
    test.vault.close()
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    let reader = try test.another(configuration)
    let items = try reader.store(of: Item.self)
    #expect(try items.all() == [Item("a")])
    #expect(code { try items.insert(Item("b")) } == .readOnly)
    #expect(code { try items.removeAll() } == .readOnly)
    #expect(code { try reader.transaction {} } == .readOnly)
    #expect(code { _ = try reader.store(of: Person.self) } == .noSuchClass)
  }
}
