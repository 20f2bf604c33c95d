import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

@testable import ObjectVaultStores

/// What is stored stands in no file in clear: not in the vault, its log or its journal, not in
/// temporary files, neither while the work goes on nor afterwards nor after a crash. The same
/// search finds it where the connection has no key.
@Suite struct FileSecrecyTests {
  static let marker = "Xyzzy-MARKER-4711"
  /// Another one where it must be found: tests of one process see each other's files.
  static let control = "Plover-CONTROL-0042"

  @Test("No kind of work leaves a stored value in any file that the process has open")
  func vaultWork() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    let watch = FileWatch(folder: folder.path, marker: Self.marker)
    do {
      var configuration = VaultConfiguration()
      configuration.writerCache = .mebibytes(1)
      configuration.readerCache = .mebibytes(1)
      let vault = try Vault(at: path, key: .ofTests, configuration: configuration)
      try work(on: vault, watch)
      watch.look()
      #expect(watch.saw("/v") && watch.saw("/v-wal"))
      #expect(watch.count > 50, "\(watch.count)")
    }
    #expect(watch.filesHolding.isEmpty, "\(watch.filesHolding)")
    #expect(try FileScan.filesHolding(Self.marker, in: folder.path).isEmpty)
  }

  @Test("Nor does it with a rollback journal, while it is made and where the file was foreign")
  func rollbackJournal() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    let watch = FileWatch(folder: folder.path, marker: Self.marker)
    _ = try CipherShell.run(
      path,
      try CipherShell.open(passphrase) + [
        "CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT NOT NULL);"
      ])
    do {
      var configuration = VaultConfiguration()
      configuration.writerCache = .mebibytes(1)
      let vault = try Vault(at: path, key: .passphrase(passphrase), configuration: configuration)
      let store = try vault.store(named: "t")
      try watched(vault, watch)
      try store.insert(contentsOf: (0..<5000).map { try row($0, of: store) })
      try vault.transaction {
        try store.where("id > 10").remove()
        try store.insert(contentsOf: (10_000..<13_000).map { try row($0, of: store) })
        watch.look()
      }
      watch.look()
      #expect(watch.saw("/v-journal"))
    }
    #expect(watch.filesHolding.isEmpty, "\(watch.filesHolding)")
    #expect(try FileScan.filesHolding(Self.marker, in: folder.path).isEmpty)
  }

  private func row(_ number: Int, of store: ObjectStore<DynamicObject>) throws -> DynamicObject {
    var object = try DynamicObject(of: store.classDescription)
    try object.set("id", to: .integer(Int64(number)))
    try object.set(
      "body", to: .text("\(Self.marker) \(number) " + String(repeating: "x", count: 300)))
    return object
  }

  private func watched(_ vault: Vault, _ watch: FileWatch) throws {
    try vault.file().join {
      $0.engine.setProgress(every: 5_000) {
        watch.look()
        return false
      }
    }
  }

  private func work(on vault: Vault, _ watch: FileWatch) throws {
    let store = try vault.store(of: MarkedObject.self)
    try watched(vault, watch)
    // More than the cache holds.
    try store.insert(contentsOf: (0..<5_000).map { MarkedObject(Self.marker, number: $0) })
    watch.look()
    // Savepoints, rolled back inside and outside.
    struct Undo: Error {}
    _ = try? vault.transaction {
      try store.insert(
        contentsOf: (20_000..<23_000).map { MarkedObject(Self.marker, number: $0) })
      _ = try? vault.transaction {
        try store.where("word CONTAINS %@", Self.marker).remove()
        watch.look()
        throw Undo()
      }
      watch.look()
      throw Undo()
    }
    // A statement that fails after many rows keeps what it must undo in a statement journal.
    let twice = (30_000..<33_000).map { MarkedObject(Self.marker, number: $0) }
    #expect(throws: VaultError.self) {
      try store.insert(contentsOf: twice + [MarkedObject(Self.marker, number: 1)])
    }
    // Sorts that no index serves, in a transaction, where the watched connection reads.
    try vault.transaction {
      let sorted = try store.query.sorted(by: .descending("text")).all()
      #expect(sorted.count == 5_000)
      // Lists longer than the engine can bind go through a temporary table.
      let words = (0..<40_000).map { "\(Self.marker) word \($0)" }
      let found = try store.where("word IN %@", words).count()
      #expect(found == 5_000)
      watch.look()
    }
    // Building an index sorts.
    try vault.file().join {
      try $0.execute("CREATE INDEX by_text ON MarkedObject(text, data, list)")
      try $0.execute("CREATE TEMP TABLE copy AS SELECT * FROM MarkedObject ORDER BY list")
      watch.look()
      try $0.execute("DROP TABLE temp.copy")
    }
    watch.look()
    try store.where("word ENDSWITH '7'").remove()
    watch.look()
    try store.removeAll()
  }

  /// The same work by SQL, on any connection.
  private func work(on connection: Connection, _ watch: FileWatch, rows: Int) throws {
    connection.setProgress(every: 5_000) {
      watch.look()
      return false
    }
    try connection.execute("CREATE TABLE m(id TEXT PRIMARY KEY NOT NULL, word TEXT)")
    try connection.execute("BEGIN")
    let insert = try connection.prepare("INSERT INTO m VALUES(?1, ?2)")
    for number in 0..<rows {
      let binder = insert.binder
      binder.bind(text: "\(Self.control) id \(number)", at: 0)
      binder.bind(
        text: "\(Self.control) word \(number)" + String(repeating: "x", count: 200), at: 1)
      try insert.run()
    }
    try connection.execute("COMMIT")
    watch.look()
    try connection.execute("CREATE INDEX by_word ON m(word)")
    try connection.execute("CREATE TEMP TABLE copy AS SELECT * FROM m ORDER BY word DESC")
    try connection.execute(
      "BEGIN; DELETE FROM m WHERE rowid % 2 = 0; UPDATE m SET word = word || 'y'")
    watch.look()
    try connection.execute("COMMIT")
    watch.look()
    connection.setProgress(every: 0, nil)
  }

  @Test(
    "The control: the search finds the value in the files of a connection without a key",
    arguments: ["wal", "delete"])
  func controlOfFiles(journal: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("plain")
    let watch = FileWatch(folder: folder.path, marker: Self.control)
    var options = ConnectionOptions()
    options.cacheKiB = 100
    let connection = try Connection.plain(path: path, mode: .create, options: options)
    try connection.setPragma("journal_mode", to: journal, expecting: journal)
    try work(on: connection, watch, rows: 4000)
    #expect(watch.filesHolding.contains(path))
    #expect(watch.filesHolding.contains(path + (journal == "wal" ? "-wal" : "-journal")))
    try connection.close()
    #expect(try FileScan.filesHolding(Self.control, in: folder.path) == ["plain"])
  }

  #if os(Linux)
    @Test(
      "The control: the search finds the value in temporary files where those are not kept in memory"
    )
    func controlOfTemporaryFiles() throws {
      let folder = try TemporaryFolder()
      let watch = FileWatch(folder: folder.path, marker: Self.control)
      var options = ConnectionOptions()
      options.cacheKiB = 100
      let connection = try Connection.plain(
        path: folder.file("plain"), mode: .create, options: options)
      try connection.setPragma("temp_store", to: "FILE", expecting: "1")
      // More than sorting and temporary tables keep in memory by themselves.
      try work(on: connection, watch, rows: 20_000)
      #expect(watch.filesHolding.contains { $0.hasSuffix(" (deleted)") }, "\(watch.filesHolding)")
      try connection.close()
    }
  #endif

  @Test("A process killed in the middle of a transaction leaves no stored value in any file")
  func crash() throws {
    let folder = try TemporaryFolder()
    let child = try ChildProcess.run("vault-crash", folder.file("v"), Self.marker, "2000", "6000")
    #expect(!child.exited && child.status == SIGKILL)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["v", "v-shm", "v-wal"])
    // It had to write uncommitted pages: they fit no cache of 1 MiB.
    #expect(try bytes(folder.file("v-wal")).count > 2 << 20)
    #expect(try FileScan.filesHolding(Self.marker, in: folder.path).isEmpty)
  }

  @Test("Every connection of a vault overwrites what is removed and keeps temporary data in memory")
  func settings() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("v"), key: .ofTests)
    let file = try vault.file()
    for use in [file.read, file.withWriter]
      as [((Session) throws -> Void) throws -> Void]
    {
      try use { connection in
        let settings = [
          try connection.engine.pragma("secure_delete"), try connection.engine.pragma("temp_store"),
        ]
        #expect(settings == ["1", "2"])
        // And nobody can change that by SQL.
        #expect(throws: DriverError.self) { try connection.execute("PRAGMA temp_store = FILE") }
        #expect(throws: DriverError.self) {
          try connection.execute("ATTACH '\(folder.file("other"))' AS other")
        }
      }
    }
  }
}
