import Foundation
import ObjectVaultEngine
import ObjectVaultKeys

/// What bringing a vault to the classes of a program would do, as it was found out on a copy.
public struct MigrationRehearsal: Sendable {
  /// What a class has in the file.
  public struct Content: Sendable, Hashable {
    /// The name of the class.
    public let name: String
    /// The name of its table.
    public let table: String
    /// How many objects there are.
    public let rows: Int
    /// SHA-256 in hexadecimal of all values of its properties, in the order of insertion. Equal ones
    /// mean that nothing of the class was changed.
    public let digest: String
  }

  /// The statements that make the tables, indexes, triggers and views of the file, by type and name.
  public let schemaBefore: [String]
  /// The same afterwards; that before where the upgrade was refused.
  public let schemaAfter: [String]
  /// The classes that the file describes, by table.
  public let before: [Content]
  /// The same afterwards.
  public let after: [Content]
  /// Why the upgrade would be refused: what would be lost, and the first objects concerned. `nil` where
  /// it would be done.
  public let refusal: VaultError?
  /// How long it took.
  public let duration: Duration
}

extension Vault {
  /// Brings a copy of the vault to classes, and tells what came of it. The vault is not changed.
  ///
  /// The copy is made in the vault's own folder, or the one for temporary files where the vault is in
  /// memory, which must have room for it, under a key that nobody is told, and is removed afterwards. The schema of the configuration is followed too, with its steps
  /// and the migrations of the classes, which are given the copy.
  ///
  /// - Parameter classes: The classes whose stores the program will ask for.
  /// - Throws: ``VaultError`` where the copy cannot be made; whatever a migration of the application's
  ///   throws. What the library refuses is no error but ``MigrationRehearsal/refusal``.
  public func rehearseMigration(
    of classes: [any StoredObject.Type] = []
  ) throws -> MigrationRehearsal {
    try rehearse(classes.map { ClassDeclaration($0) })
  }

  /// Brings a copy of the vault to classes described at run time; see ``rehearseMigration(of:)-([StoredObject.Type])``.
  public func rehearseMigration(of descriptions: [ClassDescription]) throws -> MigrationRehearsal {
    try rehearse(descriptions.map { ClassDeclaration($0) })
  }

  private func rehearse(_ declarations: [ClassDeclaration]) throws -> MigrationRehearsal {
    let original = try readingAsItIs()
    defer { if original !== self { original.close() } }
    if try original.file().isInScope {
      throw VaultError(
        .invalidArgument,
        "A migration of '\(path)' cannot be rehearsed inside one of its own transactions or read "
          + "scopes.")
    }
    for declaration in declarations { try declaration.validate() }
    let rehearsal = try RehearsalCopy(of: original)
    defer { rehearsal.remove() }
    let plain = try rehearsal.open(schema: nil)
    let (schemaBefore, before) = try (plain.schemaStatements(), plain.contents())
    plain.close()
    let start = ContinuousClock.now
    var refusal: VaultError?
    do {
      let upgraded = try rehearsal.open(schema: configuration.schema)
      defer { upgraded.close() }
      try SchemaInstallation(
        vault: upgraded, file: upgraded.file(),
        declarations: declarations + declarations.flatMap(\.referenced)
      ).install()
    } catch let error as VaultError
      where [.upgradeRefused, .schemaMismatch, .newerSchema, .invalidClass].contains(error.code)
    {
      refusal = error
    }
    let duration = ContinuousClock.now - start
    let last = try rehearsal.open(schema: nil)
    defer { last.close() }
    return try MigrationRehearsal(
      schemaBefore: schemaBefore, schemaAfter: last.schemaStatements(), before: before,
      after: last.contents(), refusal: refusal, duration: duration)
  }

  private func schemaStatements() throws -> [String] {
    try file().read { connection in
      try connection.with(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
      ) { statement in
        var statements: [String] = []
        while try statement.step() { statements.append(statement.row.text(at: 0) ?? "") }
        return statements
      }
    }
  }

  private func contents() throws -> [MigrationRehearsal.Content] {
    try file().read { connection in
      try SystemTables(connection).descriptions().map { description in
        var digest = try ContentDigest()
        var rows = 0
        let table = SQL.quoted(description.table)
        let columns = TableSQL(description).readColumns
        let order = try Schema(on: connection).insertionOrder(of: description)
        let statement = try connection.engine.prepare(
          "SELECT \(columns.joined(separator: ", ")) FROM \(table) "
            + "ORDER BY \(order.joined(separator: ", "))", persistent: false)
        while try statement.step() {
          rows += 1
          for position in columns.indices {
            digest.update(statement.row.storageClass(at: position))
            statement.row.withBytes(at: position) { bytes in
              digest.update(bytes.count)
              digest.update(bytes)
            }
          }
        }
        return MigrationRehearsal.Content(
          name: description.name, table: description.table, rows: rows,
          digest: SQL.hexadecimal(try digest.finish()))
      }
    }
  }
}

/// The copy that a migration is rehearsed on: `.NAME.rehearsing` and a number, beside the vault.
private struct RehearsalCopy {
  private let path: String
  private let key: VaultKey
  private let configuration: VaultConfiguration
  private let lock: Int32

  init(of vault: Vault) throws {
    let url = URL(fileURLWithPath: vault.path)
    let folder =
      vault.isInMemory ? FileManager.default.temporaryDirectory : url.deletingLastPathComponent()
    let prefix = ".\(url.lastPathComponent).rehearsing"
    Self.removeAbandoned(in: folder, prefix)
    path = folder.appendingPathComponent("\(prefix)-\(UUID().uuidString.prefix(8))").path
    key = .raw(try Secret.random(count: 32))
    var configuration = vault.configuration
    configuration.creation = .never
    configuration.isReadOnly = false
    configuration.keepsPreimage = false
    configuration.hooks = ConnectionHooks()
    self.configuration = configuration
    try vault.backup(to: path, key: key)
    // Beside the file, not on it: closing this descriptor must drop none of the engine's locks.
    lock = Foundation.open(path + ".lock", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    _ = flock(lock, LOCK_EX | LOCK_NB)
  }

  func open(schema: VaultSchema?) throws -> Vault {
    var configuration = configuration
    configuration.schema = schema
    return try Vault(at: path, key: key, configuration: configuration)
  }

  func remove() {
    Self.remove(path)
    if lock >= 0 { close(lock) }
  }

  private static func remove(_ path: String) {
    for suffix in ["-journal", "-wal", "-shm", "", ".lock"] { unlink(path + suffix) }
  }

  /// Removes what a process left that ended during a rehearsal.
  private static func removeAbandoned(in folder: URL, _ prefix: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(".lock") {
      let path = folder.appendingPathComponent(name).path
      let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(String(path.dropLast(5))) }
      close(descriptor)
    }
  }
}
