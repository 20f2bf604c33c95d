import Logging
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
package import ObjectVaultSession

/// The upgrade of a vault to the version of its schema when it is opened, in one transaction.
package struct DatabaseUpgrade {
  let database: any Database
  let opened: any OpenDatabase
  let schema: VaultSchema

  package init(database: any Database, opened: any OpenDatabase, schema: VaultSchema) {
    self.database = database
    self.opened = opened
    self.schema = schema
  }

  /// The key of `objectvault_info` under which the version is stored.
  package static let key = "schema_version"

  /// Returns the version that a database records, if any.
  ///
  /// - Parameters:
  ///   - opened: The database.
  ///   - session: A session of the database.
  /// - Returns: The version, from 1.
  /// - Throws: `.damaged` if it records something else.
  package static func recordedVersion(
    of opened: any OpenDatabase, on session: Session
  ) throws -> Int? {
    guard let text = try SystemTables(session).value(key) else { return nil }
    guard let version = Int(text), version >= 1 else {
      throw VaultError(
        .damaged,
        "'\(opened.location)' records a schema version that is not a number from 1. Another program "
          + "changed it. Restore the database from a backup.")
    }
    return version
  }

  private var declarations: [ClassDeclaration] {
    schema.classes + schema.classes.flatMap(\.referenced)
  }

  /// Upgrades the vault if necessary.
  ///
  /// - Throws: `.newerSchema` if the vault is newer and opened for writing; `.damaged` if it records
  ///   no possible version; `.upgradeInTransaction` inside a transaction or a read scope on the file;
  ///   any error that the steps and the upgrades of the classes throw. Nothing is changed then.
  package func run() throws {
    if opened.isReadOnly { return }
    let plan = try opened.readSnapshot(plan)
    if plan.isEmpty { return }
    try checkIsPossible(plan)
    let isForeign = try !opened.read { try SystemTables($0).isVault() }
    var upgrading = plan.needsUpgrade
    // Another process may have changed the file since the plan was made.
    while try !run(upgrading: upgrading) { upgrading = true }
    if isForeign { try opened.withWriter { try opened.allowReadersDuringWrites(on: $0) } }
  }

  /// The work of an upgrade.
  private struct Plan {
    /// The version of the vault; 0 for a new vault.
    var stored: Int
    var pending: [Int]
    var classes: SchemaUpgrade
    var isEmpty: Bool
    /// Whether foreign keys must be off.
    var needsUpgrade: Bool { !pending.isEmpty || classes.needsRebuild }
  }

  /// Throws inside a transaction that cannot contain the upgrade, and inside a read scope, which
  /// would not see it.
  private func checkIsPossible(_ plan: Plan) throws(VaultError) {
    let scope: String
    if opened.sessions.isInTransaction {
      guard plan.needsUpgrade, !opened.isUpgrading else { return }
      scope = "transaction"
    } else {
      guard opened.sessions.currentScope != nil else { return }
      scope = "read scope"
    }
    throw VaultError(
      .upgradeInTransaction,
      "The vault '\(opened.location)' must be upgraded to version \(schema.version) of its schema, "
        + "which is not possible inside a \(scope). Open the handle with the schema before the "
        + "\(scope) begins.")
  }

  private func plan(_ session: Session) throws -> Plan {
    let noted = try Self.recordedVersion(of: opened, on: session)
    let stored = try noted ?? unnotedVersion(session)
    if stored > schema.version {
      throw VaultError(
        .newerSchema,
        "The vault '\(opened.location)' has schema version \(stored), but this program has version "
          + "\(schema.version) and must not write to it. Use the newer program, or open the vault "
          + "for reading only.")
    }
    let versions = stored..<schema.version
    let pending = stored == 0 ? [] : schema.steps.keys.filter { versions.contains($0) }.sorted()
    // The results of the steps are examined after the steps.
    let classes = try SchemaUpgrade(declarations, on: session)
    return Plan(
      stored: stored, pending: pending, classes: classes,
      isEmpty: noted == schema.version && classes.isEmpty)
  }

  /// Returns the version of a vault that records none: 0 if the vault is empty.
  private func unnotedVersion(_ session: Session) throws -> Int {
    if schema.mirrorsUserVersion, let text = try session.connection.setting("user_version"),
      let version = Int(text), version > 0
    {
      return version
    }
    return try Schema(on: session).tables().isEmpty ? 0 : 1
  }

  /// Performs the upgrade inside a transaction.
  ///
  /// - Returns: Whether the upgrade is done; `false` if foreign keys must be off and are on.
  private func run(upgrading: Bool) throws -> Bool {
    // Only files have versions of their schema.
    try opened.upgrade(rebuilding: upgrading, changing: { _ in [] }) { session in
      let plan = try plan(session)
      if plan.isEmpty { return true }
      guard !plan.needsUpgrade || opened.isUpgrading else { return false }
      // If classes change, their installation makes the copy. A new version number alone needs
      // none.
      if !plan.pending.isEmpty { try database.willUpgrade(on: session) }
      let system = SystemTables(session)
      try system.create(vaultID: opened.requiredID)
      let context = MigrationContext(DatabaseMigration(database: database, opened: opened))
      for version in plan.pending { try schema.steps[version]?(context) }
      try SchemaInstallation(database: database, opened: opened, declarations: declarations)
        .install()
      if plan.stored == 0 { try schema.creation?(context) }
      try system.restore(Self.key, String(schema.version))
      if schema.mirrorsUserVersion {
        let version = String(schema.version)
        try session.connection.set("user_version", to: version, expecting: version)
      }
      if opened.isUpgrading { try ForeignKeyCheck.run(for: [], all: true, on: session) }
      opened.sessions.afterCommit {
        [path = opened.location, logger = opened.options.logger, schema] in
        logger?.info(
          "vault upgraded",
          metadata: ["path": "\(path)", "from": "\(plan.stored)", "to": "\(schema.version)"])
      }
      return true
    }
  }
}
