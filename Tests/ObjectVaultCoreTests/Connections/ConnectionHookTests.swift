import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Synchronization
import Testing
import TestSupport

import ObjectVaultFile

@Suite("The hooks of a vault's connections")
struct ConnectionHookTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("a.vault") }
  private static let key = VaultKey.raw(1...32)

  init() throws { folder = try TemporaryFolder() }

  /// What was told, in order.
  private final class Told: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private func hooks(_ told: Told) -> ConnectionHooks {
    var hooks = ConnectionHooks()
    hooks.didOpen = { told.add("open \($0.role)") }
    hooks.didReady = { told.add("ready \($0.role)") }
    hooks.willClose = { told.add("will close \($0.role)") }
    hooks.didClose = { told.add("closed \(($0 as NSString).lastPathComponent)") }
    return hooks
  }

  @Test("A restore waits for a vault of this process that is still closing")
  func restoreWhileClosing() throws {
    let backup = folder.file("backup.vault")
    let (isClosing, mayClose) = (Meeting(), Meeting())
    var configuration = VaultConfiguration()
    configuration.hooks.willClose = { connection in
      guard connection.role == .writer else { return }
      isClosing.reach()
      try? mayClose.wait()
    }
    let vault = try Vault(at: path, key: Self.key, configuration: configuration)
    try vault.store(of: MarkedObject.self).insert(MarkedObject("kept", number: 0))
    try vault.backup(to: backup)
    let closing = OnThread { vault.close() }
    try isClosing.wait()
    let impatient = try DatabaseFile(at: backup, key: Self.key, busyTimeout: .milliseconds(20))
    let error = #expect(throws: VaultError.self) {
      try impatient.restore(to: path, replacing: true)
    }
    #expect(error?.code == .busy)
    mayClose.reach()
    try closing.result()
    try impatient.restore(to: path, replacing: true)
    let restored = try Vault(at: path, key: Self.key)
    #expect(try restored.store(of: MarkedObject.self).count() == 1)
    restored.close()
  }

  private struct Refused: Error {}

  @Test(
    "are called in their order, with the upgrade of the schema in between", .covers("P16", "P18"))
  func order() throws {
    let told = Told()
    var configuration = VaultConfiguration()
    configuration.hooks = hooks(told)
    configuration.schema = VaultSchema(version: 1, classes: [MarkedObject.self])
      .creating { _ in told.add("creating") }
    do {
      let vault = try Vault(at: path, key: Self.key, configuration: configuration)
      #expect(told.all == [])
      try vault.open()
      let opening = told.all
      #expect(opening.first == "open writer")
      #expect(opening.count(where: { $0 == "ready writer" }) == 1)
      let creating = try #require(opening.firstIndex(of: "creating"))
      #expect(try creating < #require(opening.firstIndex(of: "ready writer")))
      #expect(opening.allSatisfy { !$0.hasPrefix("ready") || $0 == "ready writer" }, "\(opening)")
      #expect(try vault.store(of: MarkedObject.self).count() == 0)
      #expect(told.all.contains("ready reader"))
      // Another handle shares the connections.
      let other = try Vault(at: path, key: Self.key, configuration: configuration)
      #expect(try other.store(of: MarkedObject.self).count() == 0)
      other.close()
      #expect(!told.all.contains { $0.hasPrefix("closed") })
      vault.close()
    }
    let all = told.all
    for role in ["writer", "reader"] {
      #expect(
        all.filter { $0.hasSuffix(role) } == [
          "open \(role)", "ready \(role)", "will close \(role)",
        ],
        "\(all)")
    }
    #expect(all.count(where: { $0 == "closed a.vault" }) == 2)
    #expect(all.last == "closed a.vault")
  }

  @Test("A reader that 'didReady' rejects is closed, and the next read opens another")
  func rejectedReader() throws {
    let told = Told()
    var configuration = VaultConfiguration()
    configuration.hooks = hooks(told)
    configuration.hooks.didReady = { connection in
      guard connection.role == .reader else { return }
      told.add("ready reader")
      if told.all.count(where: { $0 == "ready reader" }) <= 3 { throw Refused() }
    }
    let vault = try Vault(at: path, key: Self.key, configuration: configuration)
    try vault.open()
    var codes: [VaultError.Code?] = []
    for _ in 0..<2 { codes.append(code { try vault.read {} }) }
    codes.append(code { _ = try vault.file().lease() })
    codes.append(code { try vault.read {} })
    #expect(codes == [.hookFailed, .hookFailed, .hookFailed, nil])
    let readers = told.all.filter { !$0.hasSuffix("writer") }
    let rejected = ["open reader", "ready reader", "will close reader", "closed a.vault"]
    #expect(readers == rejected + rejected + rejected + ["open reader", "ready reader"])
    vault.close()
  }

  @Test("A read whose connection 'didReady' rejects does not ask for a second one")
  func oneConnection() throws {
    let told = Told()
    var configuration = VaultConfiguration()
    configuration.hooks.didReady = { connection in
      guard connection.role == .reader else { return }
      told.add("ready")
      if told.all.contains("reject") { throw Refused() }
    }
    let vault = try Vault(at: path, key: Self.key, configuration: configuration)
    let store = try vault.store(of: MarkedObject.self)
    // This closes the readers, so that the next read opens one.
    let readers = try vault.file().sessions.readers
    try readers.suspend(within: .seconds(60))
    readers.resume()
    told.add("reject")
    #expect(code { _ = try store.count() } == .hookFailed)
    #expect(told.all.drop { $0 != "reject" } == ["reject", "ready"])
    vault.close()
  }

  @Test("can ask, and set what does not weaken the vault", .covers("P17"))
  func settings() throws {
    let told = Told()
    var configuration = VaultConfiguration()
    configuration.hooks.didOpen = { connection in
      try connection.set(.cacheSize, to: 3)
      try connection.set(.automaticIndexes, to: 0)
      try connection.set(.logSizeLimit, to: 65_536)
      told.add((connection.path as NSString).lastPathComponent)
    }
    configuration.hooks.didReady = { connection in
      let rows = try connection.rows(
        "SELECT ? || name FROM sqlite_master WHERE name = ?", "a ", "MarkedObject")
      if rows == [[.text("a MarkedObject")]] { told.add("found") }
    }
    configuration.schema = VaultSchema(version: 1, classes: [MarkedObject.self])
    let vault = try Vault(at: path, key: Self.key, configuration: configuration)
    let settings = try vault.file().withWriter { connection in
      try ["cache_size", "automatic_index", "journal_size_limit"].map {
        try connection.engine.pragma($0)
      }
    }
    #expect(settings == ["-3072", "0", "65536"])
    #expect(told.all.first == "a.vault")
    #expect(told.all.contains("found"))
  }

  @Test(
    "cannot change the file, its settings or its key", .covers("P17"),
    arguments: [
      "INSERT INTO objectvault_info VALUES ('a', 'b')", "DELETE FROM objectvault_info",
      "CREATE TABLE t (x)", "DROP TABLE objectvault_info", "PRAGMA journal_mode = DELETE",
      "PRAGMA key = 'x'", "PRAGMA user_version = 7", "BEGIN", "COMMIT", "ATTACH 'x.db' AS x",
      "VACUUM", "SELECT 1; DELETE FROM objectvault_info", "/* */ PRAGMA synchronous = OFF",
      "SELECT load_extension('x')", "WITH x AS (SELECT 1) DELETE FROM objectvault_info",
    ])
  func refused(_ sql: String) throws {
    try Vault(at: path, key: Self.key).open()
    var configuration = VaultConfiguration()
    configuration.hooks.didReady = { _ = try $0.rows(sql) }
    let vault = try Vault(at: path, key: Self.key, configuration: configuration)
    let error = #expect(throws: VaultError.self) { try vault.open() }
    #expect(error?.code == .hookFailed)
    #expect(error?.underlying is VaultError, "\(String(describing: error?.underlying))")
    let next = try Vault(at: path, key: Self.key)
    #expect(try next.file().read { try SystemTables($0).value("format_version") } == "1")
    #expect(try next.verify().isSound)
  }

  @Test("that fail close the vault, and leave no new file", .covers("P16"))
  func failing() throws {
    let told = Told()
    for place in 0..<2 {
      var configuration = VaultConfiguration()
      configuration.hooks = hooks(told)
      if place == 0 {
        configuration.hooks.didOpen = { _ in throw Refused() }
      } else {
        configuration.hooks.didReady = { _ in throw Refused() }
      }
      let vault = try Vault(at: path, key: Self.key, configuration: configuration)
      let error = #expect(throws: VaultError.self) { try vault.open() }
      #expect(error?.code == .hookFailed)
      #expect(error?.underlying is Refused)
      #expect(error?.message.contains(place == 0 ? "'didOpen'" : "'didReady'") == true)
      #expect(told.all.last == "closed a.vault")
      #expect(HandleRegistry.file(at: vault.path, isReadOnly: false) == nil)
      if place == 0 { #expect(!FileManager.default.fileExists(atPath: path)) }
      // It is tried again, and fails again.
      #expect(throws: VaultError.self) { _ = try vault.store(of: MarkedObject.self) }
    }
    #expect(try Vault(at: path, key: Self.key).store(of: MarkedObject.self).count() == 0)
  }

  @Test(
    "have a connection that is of no use after the call, and values within their ranges",
    .covers("P17"))
  func misuse() throws {
    let kept = Mutex<[String]>([])
    let leaked = Leak()
    var configuration = VaultConfiguration()
    configuration.hooks.didOpen = { connection in
      leaked.keep(connection)
      for (setting, value) in [
        (ConnectionHandle.Setting.cacheSize, 0), (.cacheSize, 65_537), (.automaticIndexes, 2),
        (.logSizeLimit, -2),
      ] {
        do {
          try connection.set(setting, to: value)
        } catch let error as VaultError {
          kept.withLock { $0.append(error.code.description) }
        }
      }
    }
    let vault = try Vault(at: path, key: Self.key, configuration: configuration)
    try vault.open()
    #expect(kept.withLock { $0.prefix(4) } == Array(repeating: "invalidArgument", count: 4)[...])
    let connection = try #require(leaked.first)
    let error = #expect(throws: VaultError.self) { _ = try connection.rows("SELECT 1") }
    #expect(error?.code == .invalidArgument)
    #expect(throws: VaultError.self) { try connection.set(.cacheSize, to: 1) }
  }

  /// Keeps what a hook was given for longer than it may.
  private final class Leak: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [ConnectionHandle] = []
    func keep(_ connection: ConnectionHandle) { lock.withLock { kept.append(connection) } }
    var first: ConnectionHandle? { lock.withLock { kept.first } }
  }

  @Test("are called for a vault that is open for reading only", .covers("P16"))
  func readOnly() throws {
    try Vault(at: path, key: Self.key).open()
    let told = Told()
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    configuration.hooks = hooks(told)
    let vault = try Vault(at: path, key: Self.key, configuration: configuration)
    try vault.open()
    #expect(told.all == ["open reader", "ready reader"])
    vault.close()
    #expect(told.all.last == "closed a.vault")
  }
}
