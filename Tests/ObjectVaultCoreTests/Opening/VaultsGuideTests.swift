import Foundation
import Synchronization
import TestSupport
import Testing

import ObjectVaultCore

/// The Swift of the guide "Opening a vault", line by line as it stands there.
@Suite("The guide to opening a vault") struct VaultsGuideTests {
  private let folder: TemporaryFolder
  private let key = VaultKey.raw([UInt8](1...32))

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.file("school.vault") }

  private static let student = ClassDescription(
    "Student", properties: [PropertyDescription("age", Int.self)])

  @Test("says of handles and settings what they do")
  func settings() throws {
    let vault = try Vault(at: path, key: key)
    try vault.open()
    print(vault.name, try vault.cipherInfo().format)
    #expect(vault.name == "school")
    _ = try vault.store(of: Self.student)
    vault.close()
    var configuration = VaultConfiguration()
    configuration.creation = .never
    configuration.isReadOnly = true
    let archive = try Vault(at: path, key: key, configuration: configuration)
    let students = try archive.store(named: "Student")
    let error = #expect(throws: VaultError.self) { try students.removeAll() }
    #expect(error?.code == .readOnly)
    let missing = try Vault(at: folder.file("none.vault"), key: key, configuration: configuration)
    let noFile = #expect(throws: VaultError.self) { try missing.open() }
    #expect(noFile?.code == .noSuchFile)
  }

  private struct Entry: StoredObject, GeneratesObjectID, Sendable {
    var objectID: Int64?
    var text: String

    init(text: String) { self.text = text }

    static let classDescription = ClassDescription(
      "Entry", properties: [PropertyDescription("text", String.self)])

    init(row: Row) throws {
      text = try row.value(at: 0)
      objectID = try row.value(at: 1)
    }

    func encode(into binder: Binder) throws { try binder.bind(text, at: 0) }
  }

  @Test("says how many small writers share commits")
  func manyWriters() async throws {
    var configuration = VaultConfiguration()
    configuration.durability = .powerFailure
    configuration.commitGrouping = .on
    let log = try Vault(at: path, key: key, configuration: configuration)
    let entries = try await log.store(of: Entry.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...100 {
        group.addTask { try await entries.insert(Entry(text: "entry \(number)")) }
      }
      try await group.waitForAll()
    }
    #expect(try await entries.count() == 100)
  }

  @Test("Vaults without a file of their own and checkpoints work as described")
  func withoutFile() throws {
    let cache = try Vault.inMemory()
    let scratch = try Vault.temporary()
    #expect(try cache.store(of: Self.student).count() == 0)
    #expect(try scratch.store(of: Self.student).count() == 0)
    #expect(FileManager.default.fileExists(atPath: scratch.path))
    let vault = try Vault(at: path, key: key)
    _ = try vault.store(of: Self.student)
    #expect(try folder.size(of: "school.vault-wal") > 0)
    try vault.checkpoint()
    #expect(try folder.size(of: "school.vault-wal") == 0)
  }

  @Test("says of hooks and the log what they are told")
  func hooks() throws {
    var li = try DynamicObject(of: Self.student)
    try li.set("age", to: .integer(20))
    try Vault(at: path, key: key).store(of: Self.student).insert(li)
    let lines = Mutex<[String]>([])
    var configuration = VaultConfiguration()
    configuration.hooks.didOpen = { connection in
      if connection.role == .reader { try connection.set(.cacheSize, to: 4) }
    }
    configuration.hooks.didReady = { connection in
      let found = try connection.rows("SELECT count(*) FROM Student WHERE age > ?", 18)
      print(connection.path, found)
    }
    configuration.hooks.didClose = { path in print("closed", path) }
    configuration.statementLog = StatementLog { text in lines.withLock { $0.append(text) } }
    let vault = try Vault(at: path, key: key, configuration: configuration)
    #expect(try vault.store(named: "Student").where("age > 7").count() == 1)
    vault.close()
    let asked = lines.withLock { $0.filter { $0.contains("\"age\" >") } }
    #expect(!asked.isEmpty && !asked.contains { $0.contains("7") })
  }

  @Test("says of events what is told")
  func events() throws {
    let vault = try Vault(at: path, key: key)
    try vault.open()
    let registration = vault.onEvent { event in
      switch event {
      case .removed: print("the file is gone")
      case .closed: print("this handle is closed")
      case .storeRemoved(let name): print("the table of \(name) is gone")
      }
    }
    vault.close()
    registration.cancel()
    try Vault.remove(at: path)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("Free space is reported and removed as described")
  func freeSpace() throws {
    var configuration = VaultConfiguration()
    configuration.compaction = .whenFree(.mebibytes(64), fraction: 0.5)
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let students = try vault.store(of: Self.student)
    let objects = try (0..<5_000).map { age in
      var student = try DynamicObject(of: Self.student)
      try student.set("age", to: .integer(Int64(age)))
      return student
    }
    try students.insert(contentsOf: objects)
    try students.removeAll()
    let report = try vault.sizeReport()
    print(report.bytes(ofClass: "Student"), report.freeBytes)
    #expect(report.bytes(ofClass: "Student") == 4096)
    #expect(report.freeBytes > 0)
    let result = try vault.compact()
    print(result.bytesFreed)
    #expect(result.bytesFreed == report.freeBytes)
  }

  @Test("A vault of an app group gets a plaintext header as described, on SQLCipher 4")
  func appGroup() throws {
    let container = folder.path
    let secret = [UInt8](1...32)
    var shared = VaultConfiguration()
    shared.fileHeader = .plaintext
    let inboxPath = container + "/inbox.vault"
    let inbox = try Vault(at: inboxPath, key: .keyring(.raw(secret)), configuration: shared)
    guard writesPlaintextHeaders else {
      let error = #expect(throws: VaultError.self) { try inbox.open() }
      #expect(error?.code == .unsupportedCipherSettings)
      return
    }
    _ = try inbox.store(of: Self.student)
    inbox.close()
    let closed = try DatabaseFile(at: inboxPath, key: .keyring(.raw(secret)))
    try closed.upgrade(header: .encrypted)
    #expect(try HeaderVault.header(of: inboxPath) == .encrypted)
    try closed.upgrade(header: .plaintext)
    #expect(try HeaderVault.header(of: inboxPath) == .plaintext)
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/Vaults.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Vaults.md").count > 25)
  }
}
