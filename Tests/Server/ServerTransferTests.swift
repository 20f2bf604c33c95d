import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultMaintenance
import ObjectVaultServer
import ObjectVaultSession
import Synchronization
import TestSupport
import Testing

@Suite("The transfer to a PostgreSQL server and back", .enabled(if: Server.address != nil))
struct ServerTransferTests {
  private let folder: TemporaryFolder
  private let vault: Vault

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
  }

  private static let page = ClassDescription(
    "Page",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("next", String?.self),
      PropertyDescription("price", Decimal?.self), PropertyDescription("open", Bool.self),
      PropertyDescription("ratio", Double.self), PropertyDescription("scan", Data?.self),
    ],
    objectID: ["name"],
    references: [
      ReferenceDescription("next", target: "Page", targetColumns: ["name"], onDelete: .nullify)
    ], options: TableOptions(insertionTime: true))

  /// Inserts objects of each kind of column, in another order than that of their IDs.
  private func fill() throws {
    let patients = try vault.store(of: Patient.self)
    try patients.insert(
      contentsOf: (0..<2500).map { Patient("P\($0)", "é\($0)", email: "\($0)@x") })
    try patients.remove(id: 2500)
    let pages = try vault.store(of: Self.page)
    for number in (0..<50).reversed() {
      var page = try DynamicObject(of: Self.page)
      try page.set("name", to: .text("p\(number)"))
      try page.set("next", to: number < 49 ? .text("p\(number + 1)") : .null)
      try page.set("price", to: .text("\(Decimal(number) / 8)"))
      try page.set("open", to: .integer(number.isMultiple(of: 2) ? 1 : 0))
      try page.set("ratio", to: .real(number == 0 ? -0.0 : Double(number) * 1e300))
      try page.set("scan", to: number == 1 ? .null : .blob([UInt8](repeating: 0, count: number)))
      try pages.insert(page)
    }
    // The first one refers to one that follows it.
    try pages.where("name == 'p49'").update(set: ["next": "p0"])
  }

  private func rows(_ vault: Vault) throws -> [String] {
    try ["Patient", "Page"].flatMap { table in
      try vault.rows(SQLStatement(unchecked: "SELECT * FROM \(table) ORDER BY rowid"))
        .map { "\($0)" }
    }
  }

  @Test("A vault that was sent and received is the same vault", .covers("T1")) func bothWays()
    throws
  {
    try fill()
    // The server has no sealing keys.
    let shared = try Server.vault()
    defer { shared.close() }
    let report = try ObjectTransfer(from: vault, to: shared).run()
    #expect(report.classes.map(\.count) == [50, 2499])
    let other = try Vault(
      at: folder.file("b.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
    try ObjectTransfer(from: shared, to: other).run()
    #expect(try rows(other) == rows(vault))
    #expect(try other.store(of: Patient.self).find(7)?.diagnosis == "é6")
    #expect(try other.store(of: Patient.self).insert(Patient("Q", "E")).objectID == 2501)
    #expect(try shared.store(of: Self.page).all().count == 50)
  }

  @Test("Whole numbers in columns of a decimal type are the same on a server", .covers("T1"))
  func numericColumns() throws {
    let description = ClassDescription(
      "Entry",
      properties: [
        PropertyDescription("number", Int.self).columnDefined(type: "DECIMAL(20,0)"),
        PropertyDescription("open", Bool.self).columnDefined(type: "BOOLEAN"),
        PropertyDescription("rate", Double.self).columnDefined(type: "NUMERIC"),
      ])
    func entry(_ number: Int64) throws -> DynamicObject {
      var entry = try DynamicObject(of: description)
      try entry.set("number", to: .integer(number))
      try entry.set("open", to: .integer(number & 1))
      try entry.set("rate", to: .real(number == 1 ? 2 : 0.5))
      return entry
    }
    func values(_ vault: some Database) throws -> [[StoredValue]] {
      try vault.store(of: description).all().map { entry in
        try ["number", "open", "rate"].map { try entry.value(of: $0) }
      }
    }
    let numbers: [Int64] = [0, 1, -7, .max, .min, (1 << 53) + 1]
    let entries = try numbers.map(entry)
    try vault.store(of: description).insert(contentsOf: entries)
    let shared = try Server.vault()
    defer { shared.close() }
    try ObjectTransfer(from: vault, to: shared).run()
    let stored = try values(vault)
    #expect(stored.count == 6)
    #expect(try values(shared) == stored)
    // Many objects are sent in another way.
    try shared.store(of: description).insert(contentsOf: entries)
    #expect(try values(shared) == stored + stored)
    #expect(try shared.store(of: description).where("open == TRUE AND number < 0").count() == 2)
  }

  @Test("The server continues the numbers of the vault", .covers("T1")) func numbers() throws {
    try fill()
    let schema = Server.newSchema()
    let shared = try Server.vault(schema)
    try ObjectTransfer(from: vault, to: shared).run()
    shared.close()
    let used = try Server.vault(schema, connection: "numbers", sealingKeys: .ofTests(1))
    defer { used.close() }
    let patients = try used.store(of: Patient.self)
    #expect(try patients.insert(Patient("Q", "E")).objectID == 2501)
    #expect(try patients.where("email == '77@x'").first()?.diagnosis == "é77")
  }

  @Test("A connection lost in a transaction ends the transfer, which then continues", .covers("T2"))
  func lost() throws {
    try fill()
    let shared = try Server.vault(connection: "ended_transfer")
    defer { shared.close() }
    let killer = try Server.vault(connection: "killer").opened()
    let isOver = Mutex(false)
    let error = try #require(throws: VaultError.self) {
      defer { isOver.withLock { $0 = true } }
      try ObjectTransfer(from: vault, to: shared).run { progress in
        guard progress.className == "Patient", progress.done == 1000 else { return }
        Thread.detachNewThread {
          while isOver.withLock({ !$0 }) {
            _ = try? killer.read { session in
              try session.with(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                  + "WHERE application_name = 'ended_transfer' AND state <> 'idle'"
              ) { try $0.count() }
            }
          }
        }
      }
    }
    #expect([.connectionLost, .commitUnknown].contains(error.code))
    // Connections that were lost while they were idle are replaced.
    let classes = try ObjectTransfer(from: vault, to: shared).run().classes
    #expect(classes.map(\.present).first == 50)
    #expect(classes.map(\.count) == [50, 2499])
    #expect((1000..<2499).contains(classes[1].present))
  }

  @Test("An error of the server in a group of classes is that of the server") func groupError()
    throws
  {
    let pages = try vault.store(of: Self.page)
    var page = try DynamicObject(of: Self.page)
    try page.set("name", to: .text("a\0b"))
    try page.set("open", to: .integer(1))
    try page.set("ratio", to: .real(1))
    try pages.insert(page)
    let shared = try Server.vault()
    defer { shared.close() }
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: vault, to: shared).run()
    }
    #expect(error.code == .invalidValue)
    #expect((error.underlying as? MissingCapability)?.capability == .textsWithNUL)
    #expect(!error.message.contains(vault.path))
    #expect(error.message.contains("column \"name\" of class 'Page'"), "\(error)")
  }

  @Test("A text with a NUL character is reported with its column and class") func nul() throws {
    let note = ClassDescription(
      "Note",
      properties: [
        PropertyDescription("title", String.self), PropertyDescription("z", String?.self),
      ])
    for text in ["plain", "a\0b"] {
      var object = try DynamicObject(of: note)
      try object.set("title", to: .text("x"))
      try object.set("z", to: .text(text))
      try vault.store(of: note).insert(object)
    }
    let shared = try Server.vault()
    defer { shared.close() }
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: vault, to: shared).run()
    }
    #expect(error.code == .invalidValue)
    #expect(error.message.contains("column \"z\" of class 'Note'"), "\(error)")
  }

  @Test("An object that another program stores during the transfer is a conflict")
  func storedMeanwhile() throws {
    let note = ClassDescription("Note", properties: [PropertyDescription("text", String.self)])
    var object = try DynamicObject(of: note)
    try object.set("text", to: .text("x"))
    try vault.store(of: note).insert(contentsOf: Array(repeating: object, count: 1001))
    let shared = try Server.vault()
    defer { shared.close() }
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: vault, to: shared).run { progress in
        guard progress.done == 1000 else { return }
        try shared.opened().withWriter {
          try $0.execute("INSERT INTO \"Note\" (\"objectID\", text) VALUES (1001, 'y')")
        }
      }
    }
    #expect(error.code == .conflict)
    #expect(error.message.contains("class 'Note'"), "\(error)")
  }

  @Test("A class that needs what the server lacks is refused before anything is sent")
  func refused() throws {
    try fill()
    var searched = ClassDescription(
      "Searched", properties: [PropertyDescription("text", String.self)])
    searched.search = SearchDescription(["text"])
    _ = try vault.store(of: searched)
    let shared = try Server.vault()
    defer { shared.close() }
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: vault, to: shared).run()
    }
    #expect(error.code == .invalidClass)
    #expect(error.message.contains("'Searched'"))
    #expect(try shared.classes().isEmpty)
  }
}

@Suite("objectvault send and receive", .enabled(if: Server.address != nil))
struct ServerTransferCommandTests {
  @Test("A vault is sent, and received into another file", .covers("T1")) func bothWays() throws {
    let folder = try TemporaryFolder()
    let schema = Server.newSchema()
    let keyFile = folder.file("key")
    try (String(repeating: "0b", count: 32) + "\n").write(
      toFile: keyFile, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
    let key = VaultKey.raw([UInt8](repeating: 11, count: 32))
    let note = ClassDescription("Note", properties: [PropertyDescription("text", String.self)])
    let vault = try Vault(at: folder.file("a.vault"), key: key)
    for number in 0..<1200 {
      var object = try DynamicObject(of: note)
      try object.set("text", to: .text("note \(number)"))
      try vault.store(of: note).insert(object)
    }
    vault.close()
    try Vault(at: folder.file("b.vault"), key: key).open()
    func run(_ command: String, _ name: String) throws -> ChildProcess {
      try SpawnedProgram.run(
        ChildProcess.path(of: "objectvault-server"),
        [
          command, folder.file(name), try #require(Server.address), "--schema", schema,
          "--key-file", keyFile, "--raw-key",
        ])
    }
    let sent = try run("send", "a.vault")
    #expect(sent.output == "Note: 1200 objects\n", "\(sent.errors)")
    #expect(try run("receive", "b.vault").output == "Note: 1200 objects\n")
    #expect(
      try run("receive", "b.vault").output
        == "Note: 1200 objects, 1200 of them were there before\n")
    let received = try Vault(at: folder.file("b.vault"), key: key)
    #expect(
      try received.store(of: note).all().map { try $0.value(of: "text") }
        == (0..<1200).map { .text("note \($0)") })
  }
  @Test("A missing schema cannot be received, and is not created") func missingSchema() throws {
    let tool = try TemporaryFolder()
    let (schema, keyFile) = (Server.newSchema(), tool.file("key"))
    _ = FileManager.default.createFile(
      atPath: keyFile, contents: Data((String(repeating: "0b", count: 32) + "\n").utf8),
      attributes: [.posixPermissions: 0o600])
    try Vault(
      at: tool.file("a.vault"), key: .raw([UInt8](repeating: 11, count: 32))
    ).open()
    // The functions of the library are there, as after any other use.
    let used = try Server.vault(connection: "used")
    defer { used.close() }
    let result = try SpawnedProgram.run(
      ChildProcess.path(of: "objectvault-server"),
      [
        "receive", tool.file("a.vault"), try #require(Server.address), "--schema", schema,
        "--key-file", keyFile, "--raw-key",
      ])
    #expect(result.status == 66, "\(result.output)")
    #expect(result.errors.contains("'\(schema)'"), "\(result.errors)")
    let count = try used.opened().withWriter { session in
      try session.with("SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'") {
        try $0.count()
      }
    }
    #expect(count == 0)
  }
}
