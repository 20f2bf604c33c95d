import ObjectVaultCore
import ObjectVaultDriver
import Synchronization
import TestSupport
import Testing

@Suite("The comparison of a class with a file")
struct ClassComparisonTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Removes and returns the statements that read the schema, or begin or end a transaction.
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines.filter { line in
          ["BEGIN", "COMMIT", "sqlite_master", "table_info", "foreign_key_list", "objectvault_"]
            .contains(where: line.contains)
        }
      }
    }
  }

  private func loggedVault(
    _ test: TestVault, isReadOnly: Bool = false
  ) throws -> (Vault, Lines) {
    let lines = Lines()
    var configuration = VaultConfiguration()
    configuration.isReadOnly = isReadOnly
    configuration.statementLog = StatementLog { lines.add($0) }
    let vault = try test.another(configuration)
    try vault.open()
    return (vault, lines)
  }

  @Test("reads one snapshot of the file", arguments: [false, true])
  func snapshot(isReadOnly: Bool) throws {
    let test = try TestVault()
    let target = ClassDescription("Target", properties: [.init("name", String.self)])
    let referring = ClassDescription(
      "Referring", properties: [.init("target", Int64?.self)],
      references: [ReferenceDescription("target", target: "Target")])
    _ = try test.vault.store(of: referring, with: [target])
    test.vault.close()
    let (vault, lines) = try loggedVault(test, isReadOnly: isReadOnly)
    _ = lines.take()
    _ = try vault.store(of: referring)
    let read = lines.take()
    #expect(read.count > 5, "\(read)")
    #expect(read.first?.contains("BEGIN DEFERRED") == true, "\(read)")
    // Nothing about the class is read after the snapshot.
    let end = try #require(read.lastIndex { $0.contains("COMMIT") }, "\(read)")
    #expect(!read[end...].contains { $0.contains("PRAGMA") || $0.contains(" sql FROM") }, "\(read)")
    #expect(!read[end...].contains { $0.contains("objectvault_classes") }, "\(read)")
    #expect(read.filter { $0.contains("BEGIN") }.count == 1, "\(read)")
    _ = try vault.classes()
    let classes = lines.take()
    #expect(classes.first?.contains("BEGIN DEFERRED") == true, "\(classes)")
    #expect(classes.filter { $0.contains("BEGIN") }.count == 1, "\(classes)")
  }

  @Test("reads the description of the class once before the first write")
  func firstWrite() throws {
    let test = try TestVault()
    let description = ClassDescription("Item", properties: [.init("name", String.self)])
    _ = try test.vault.store(of: description)
    test.vault.close()
    let (vault, lines) = try loggedVault(test)
    let store = try vault.store(of: description)
    _ = lines.take()
    try vault.transaction {
      try store.insert(DynamicObject(of: description, ["name": .text("a")]))
    }
    let read = lines.take().filter { $0.contains("FROM objectvault_classes") }
    #expect(read.count == 1, "\(read)")
  }
  @Test("The classes are read once in a scope, and again after a class was described")
  func classesInScope() throws {
    let test = try TestVault()
    let (vault, lines) = try loggedVault(test)
    try vault.execute(
      """
      CREATE TABLE "Target" ("objectID" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL)
      """)
    let referring = try vault.store(
      of: ClassDescription(
        "Referring", properties: [.init("target", Int64?.self)],
        references: [ReferenceDescription("target", target: "Target")]))
    func count() throws -> Int {
      try vault.read {
        var count = 0
        for _ in 0..<20 { count += try referring.where("target.name == 'a'").count() }
        return count
      }
    }
    // The table of another program has no class yet.
    #expect(throws: VaultError.self) { try count() }
    let target = try vault.store(
      of: ClassDescription("Target", properties: [.init("name", String.self)]))
    try target.insert(
      DynamicObject(of: target.classDescription, ["name": .text("a")]))
    try referring.insert(
      DynamicObject(of: referring.classDescription, ["target": .integer(1)]))
    _ = lines.take()
    #expect(try count() == 20)
    #expect(lines.take().filter { $0.contains("objectvault_classes") }.count <= 1)
  }
}
