import Foundation
public import ObjectVaultDriver
import ObjectVaultEngine
public import ObjectVaultFile
import ObjectVaultKeys
public import ObjectVaultModel
package import ObjectVaultSchema
import ObjectVaultSession
package import ObjectVaultStores

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
  /// The statements after the upgrade.
  ///
  /// If the upgrade was refused, they are those after the upgrade to
  /// ``VaultConfiguration/schema``, which comes before; without one they are equal to
  /// ``schemaBefore``.
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

  package init(
    schemaBefore: [String], schemaAfter: [String], before: [Content], after: [Content],
    refusal: VaultError?, duration: Duration
  ) {
    (self.schemaBefore, self.schemaAfter) = (schemaBefore, schemaAfter)
    (self.before, self.after) = (before, after)
    self.refusal = refusal
    self.duration = duration
  }

  /// Returns the error with which the library refuses an upgrade; `nil` if `upgrade` ends.
  ///
  /// - Throws: Every other error of `upgrade`.
  package static func refusal(of upgrade: () throws -> Void) throws -> VaultError? {
    do {
      try upgrade()
      return nil
    } catch let error as VaultError
      where [.upgradeRefused, .schemaMismatch, .newerSchema, .invalidClass].contains(error.code)
    {
      return error
    }
  }
}

extension Vault {
  /// Upgrades a temporary copy of the vault to the given classes and returns the result.
  ///
  /// The vault itself, which must exist, is not changed: the expiry rules, the history limit and
  /// the compaction rule of its configuration are not applied. The copy is encrypted with a random
  /// key that is never disclosed, and is removed afterwards. It is made in the vault's folder, or
  /// in the folder for temporary files if the vault is in memory; that folder must have room for
  /// it. The schema of the configuration is applied to the copy, with its steps and the migrations
  /// of the classes. They receive the copy.
  ///
  /// - Parameter classes: The classes whose stores the program will open.
  /// - Returns: The result, also if the library refuses the upgrade: see
  ///   ``MigrationRehearsal/refusal``.
  /// - Throws: ``VaultError`` if the vault is missing, if the copy cannot be made, or inside a
  ///   transaction or read scope of the vault; any error that a migration of the application
  ///   throws.
  @available(*, noasync, message: "It blocks its thread. Run it on a thread of its own.")
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
  @available(*, noasync, message: "It blocks its thread. Run it on a thread of its own.")
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
    let (schemaBefore, before) = try (plain.schemaStatements(), plain.rehearsedContents())
    plain.close()
    let start = ContinuousClock.now
    let refusal = try MigrationRehearsal.refusal {
      let upgraded = try rehearsal.open(schema: configuration.schema)
      defer { upgraded.close() }
      try upgraded.rehearseInstallation(of: declarations)
    }
    let duration = ContinuousClock.now - start
    let last = try rehearsal.open(schema: nil)
    defer { last.close() }
    return try MigrationRehearsal(
      schemaBefore: schemaBefore, schemaAfter: last.schemaStatements(), before: before,
      after: last.rehearsedContents(), refusal: refusal, duration: duration)
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
}

extension Database {
  /// Upgrades the database to classes and those that they refer to.
  package func rehearseInstallation(of declarations: [ClassDeclaration]) throws {
    try SchemaInstallation(
      database: self, opened: opened(),
      declarations: declarations + declarations.flatMap(\.referenced)
    ).install()
  }

  /// Returns the contents of all classes that the database describes.
  package func rehearsedContents() throws -> [MigrationRehearsal.Content] {
    let opened = try opened()
    return try opened.read { session in
      try SystemTables(session).descriptions().map { description in
        let rows = RowBatches(
          of: description.table,
          columns: try TableStatements(description, dialect: opened.dialect).readColumns,
          order: try Schema(on: session).insertionOrder(of: description), size: 1000)
        var digest = try ContentDigest()
        var count = 0
        try rows.forEach(on: session) { rows in
          count += rows.count
          for row in rows {
            for value in row.values { digest.update(value) }
          }
        }
        return MigrationRehearsal.Content(
          name: description.name, table: description.table, rows: count,
          digest: SQL.hexadecimal(try digest.finish()))
      }
    }
  }
}

/// The copy that a migration is rehearsed on.
private struct RehearsalCopy {
  private let key: VaultKey
  private let configuration: VaultConfiguration
  private let copies: RehearsalCopies
  private let reservation: RehearsalCopies.Reservation

  /// Creates the copy in the folder of the vault, or in the folder for temporary files if the vault
  /// is in memory.
  init(of vault: Vault) throws {
    copies = RehearsalCopies(
      ofVaultAt: vault.isInMemory
        ? FileManager.default.temporaryDirectory.appendingPathComponent(vault.path).path
        : vault.path)
    copies.removeAbandoned()
    key = .raw(try Secret.random(count: 32))
    var configuration = vault.configuration.forContentsAsTheyAre
    configuration.isReadOnly = false
    configuration.hooks = ConnectionHooks()
    // The copy has no keyring.
    configuration.sealingKeys = try vault.file().sealingKeys
    self.configuration = configuration
    reservation = try copies.reserve()
    do {
      try vault.backup(to: reservation.path, key: key, omittingSealingKeys: true)
    } catch {
      copies.end(reservation)
      throw error
    }
  }

  func open(schema: VaultSchema?) throws -> Vault {
    var configuration = configuration
    configuration.schema = schema
    return try Vault(at: reservation.path, key: key, configuration: configuration)
  }

  func remove() { copies.end(reservation) }
}
