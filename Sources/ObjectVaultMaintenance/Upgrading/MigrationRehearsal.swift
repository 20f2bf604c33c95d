import Foundation
public import ObjectVaultDriver
import ObjectVaultEngine
public import ObjectVaultFile
import ObjectVaultKeys
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// The result of upgrading a copy of a vault to the classes of a program.
///
/// ```swift
/// let rehearsal = try vault.rehearseMigration(of: [Student.self])
/// if let refusal = rehearsal.refusal { print(refusal) }
/// ```
public struct MigrationRehearsal: Sendable {
  /// The contents of one class in the file.
  public struct Content: Sendable, Hashable {
    /// The name of the class.
    public let name: String
    /// The name of its table.
    public let table: String
    /// The number of objects.
    public let rows: Int
    /// The SHA-256 digest, in hexadecimal, of all property values in insertion order.
    ///
    /// Equal digests show that the upgrade changed no value of the class.
    public let digest: String
  }

  /// The statements that create the tables, indexes, triggers and views of the file, by type and
  /// name.
  public let schemaBefore: [String]
  /// The statements after the upgrade; equal to `schemaBefore` if the upgrade was refused.
  public let schemaAfter: [String]
  /// The contents before the upgrade, for each class that the file describes, by table.
  public let before: [Content]
  /// The contents after the upgrade.
  public let after: [Content]
  /// The error with which the upgrade would be refused: the loss and the first objects concerned.
  ///
  /// `nil` if the upgrade would succeed.
  public let refusal: VaultError?
  /// The time that the upgrade of the copy took.
  public let duration: Duration
}

extension Vault {
  /// Upgrades a temporary copy of the vault to the given classes and returns the result.
  ///
  /// The vault itself is not changed. The copy is encrypted with a random key that is never
  /// disclosed, and is removed afterwards. It is made in the vault's folder, or in the folder for
  /// temporary files if the vault is in memory; that folder must have room for it. The schema of
  /// the configuration is applied too, with its steps and the migrations of the classes. They
  /// receive the copy.
  ///
  /// - Parameter classes: The classes whose stores the program will open.
  /// - Returns: The result, also if the library refuses the upgrade: see
  ///   ``MigrationRehearsal/refusal``.
  /// - Throws: ``VaultError`` if the copy cannot be made, or inside a transaction or read scope of
  ///   the vault; any error that a migration of the application throws.
  public func rehearseMigration(
    of classes: [any StoredObject.Type] = []
  ) throws -> MigrationRehearsal {
    try rehearse(classes.map { ClassDeclaration($0) })
  }

  /// Upgrades a temporary copy of the vault to classes described at run time and returns the
  /// result.
  ///
  /// - Parameter descriptions: The classes whose stores the program will open.
  /// - Returns: The result, also if the library refuses the upgrade.
  /// - Throws: The errors of `rehearseMigration(of:)` for types.
  public func rehearseMigration(of descriptions: [ClassDescription]) throws -> MigrationRehearsal {
    try rehearse(descriptions.map { ClassDeclaration($0) })
  }

  private func rehearse(_ declarations: [ClassDeclaration]) throws -> MigrationRehearsal {
    let original = try readingAsItIs()
    defer { if original !== self { original.close() } }
    if try original.file().sessions.isInScope {
      throw VaultError(
        .invalidArgument,
        "A migration of '\(path)' cannot be rehearsed inside one of its own transactions or read "
          + "scopes. End them first.")
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
        database: upgraded, opened: upgraded.opened(),
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
    try file().read { session in
      try session.with(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
      ) { statement in
        var statements: [String] = []
        while try statement.step() { statements.append(statement.row.text(at: 0) ?? "") }
        return statements
      }
    }
  }

  private func contents() throws -> [MigrationRehearsal.Content] {
    try file().read { session in
      try SystemTables(session).descriptions().map { description in
        var digest = try ContentDigest()
        var rows = 0
        let table = SQL.quoted(description.table)
        let columns = try TableSQL(description, dialect: SQLiteDialect()).readColumns
        let order = try Schema(on: session).insertionOrder(of: description)
        let statement = try session.engine.prepare(
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

/// The copy that a migration is rehearsed on, `.NAME.rehearsing-ID`, in the folder of the vault.
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
    configuration.upgradeBackup = nil
    configuration.hooks = ConnectionHooks()
    self.configuration = configuration
    try vault.backup(to: path, key: key)
    // The lock is a separate file: closing its descriptor must not drop a lock of the engine.
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

  /// Removes the copies of processes that ended during a rehearsal.
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
