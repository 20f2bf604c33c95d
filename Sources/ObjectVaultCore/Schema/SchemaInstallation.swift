import Logging

/// Has a file keep the objects of classes: makes the tables that are missing, and brings those that
/// are there to the classes' form, all in one transaction.
struct SchemaInstallation {
  let vault: Vault
  let file: VaultFile
  let declarations: [ClassDeclaration]

  /// - Throws: `.schemaMismatch` where a table cannot keep the objects and is not to be changed;
  ///   `.upgradeRefused` where changing it would lose something; `.upgradeInTransaction` where that
  ///   cannot be inside the transaction of this thread; `.invalidClass` where it is that of another
  ///   class; `.newerSchema` where a newer version of the class wrote the file; `.noSuchClass` where it is missing and the file is open for reading only.
  func install() throws {
    try file.read { try checkTargets(on: $0) }
    if file.isReadOnly {
      try file.read { connection in
        for declaration in declarations { try checkReadable(declaration, on: connection) }
      }
      return
    }
    // Nothing is written, and no lock taken, where the file is as it must be.
    let upgrade = try file.read { try SchemaUpgrade(declarations, on: $0) }
    if upgrade.isEmpty { return }
    let isForeign = try !file.read { try SystemTables($0).isVault() }
    var needsRebuild = upgrade.needsRebuild
    // Another process may have changed the file in the meantime.
    while try !run(rebuilding: needsRebuild) { needsRebuild = true }
    if isForeign, !file.isInTransaction {
      try file.withWriter { try SystemTables($0).enterWriteAheadLog() }
    }
  }

  /// - Returns: Whether it is done; `false` where a table must be made anew and `rebuilding` is not
  ///   set.
  private func run(rebuilding: Bool) throws -> Bool {
    try file.transaction(upgrading: rebuilding) { connection in
      let upgrade = try SchemaUpgrade(declarations, on: connection)
      if upgrade.isEmpty { return true }
      guard !upgrade.needsRebuild || file.isUpgrading else { return false }
      if !upgrade.changedTables.isEmpty || !upgrade.renamedTables.isEmpty {
        try file.keepPreimage(vault.configuration)
      }
      try SystemTables(connection).create(vaultID: file.keyringVaultID)
      try upgrade.run(on: connection)
      let schema = Schema(on: connection)
      for table in upgrade.changedTables {
        file.noteChange(ofTable: table, columns: try schema.names(of: table))
      }
      for table in upgrade.renamedTables { file.noteRemoval(ofTable: table) }
      try upgrade.migrate(MigrationContext(vault: vault, file: file), on: connection)
      for name in upgrade.changedClasses {
        file.afterCommit { [path = file.path, logger = file.settings.logger] in
          logger?.info("class upgraded", metadata: ["path": "\(path)", "class": "\(name)"])
        }
      }
      return true
    }
  }

  /// What is only read needs neither indexes nor a description.
  private func checkReadable(
    _ declaration: ClassDeclaration, on connection: VaultConnection
  ) throws {
    let description = declaration.description
    guard try Schema(on: connection).tableName(like: description.table) != nil else {
      throw VaultError(
        .noSuchClass,
        "'\(file.path)' has no table '\(description.table)' for class '\(description.name)', and is "
          + "open for reading only. Open it for writing once.")
    }
    let upgrade = try ClassUpgrade(declaration, on: connection)
    try TableComparison(
      description: description, columns: upgrade.table?.columns ?? [], isForReading: true
    ).check()
    if upgrade.sharesOtherwise {
      throw TableComparison.mismatch(
        description, ["other properties are shared, which opening it for writing once changes"])
    }
  }

  /// Sees that tables which are referred to, and not about to be made, are in the file.
  private func checkTargets(on connection: VaultConnection) throws {
    let declared = Set(declarations.map(\.description.table))
    let schema = Schema(on: connection)
    for description in declarations.map(\.description) {
      for reference in description.references where !declared.contains(reference.target) {
        guard try schema.hasTable(reference.target) else {
          throw description.invalid(
            "reference '\(reference.name)' is one to table '\(reference.target)', which is not stored",
            remedy: "Store the class referred to first, or give its description too.")
        }
        let key = try schema.primaryKey(of: reference.target)
        if key != reference.targetColumns {
          throw description.invalid(
            "reference '\(reference.name)' is one to "
              + reference.targetColumns.map { "'\($0)'" }.joined(separator: ", ")
              + " of table '\(reference.target)', whose objectID is "
              + key.map { "'\($0)'" }.joined(separator: ", "),
            remedy: "Refer to the objectID as the file has it.")
        }
      }
    }
  }
}
