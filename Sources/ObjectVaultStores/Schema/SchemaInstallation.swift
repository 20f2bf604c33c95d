import Logging
import ObjectVaultDriver
import ObjectVaultModel
package import ObjectVaultSchema
import ObjectVaultSession

/// The preparation of a file for storing classes, in one transaction.
///
/// Missing tables are created. Existing tables are upgraded to the current form of their classes.
package struct SchemaInstallation {
  let database: any Database
  let opened: any OpenDatabase
  let declarations: [ClassDeclaration]

  package init(database: any Database, opened: any OpenDatabase, declarations: [ClassDeclaration]) {
    self.database = database
    self.opened = opened
    self.declarations = declarations
  }

  /// Creates and upgrades the tables if necessary.
  ///
  /// - Throws: `.schemaMismatch` if a table cannot store the objects and must not be changed;
  ///   `.upgradeRefused` if changing it would lose information; `.upgradeInTransaction` if the
  ///   upgrade cannot run inside the current transaction of this thread; `.invalidClass` if the
  ///   table belongs to another class; `.newerSchema` if a newer version of the class wrote the
  ///   file; `.noSuchClass` if the table is missing and the file is open for reading only.
  package func install() throws { try change()?() }

  /// Compares the classes with one snapshot of the file.
  ///
  /// - Returns: The change that ``install()`` makes, or `nil` if the file needs none: nothing is
  ///   written then and no lock is acquired.
  /// - Throws: As ``install()``.
  func change() throws -> (() throws -> Void)? {
    try opened.readSnapshot { session -> (() throws -> Void)? in
      try checkCapabilities(of: session.connection.catalog)
      try checkTargets(on: session)
      if opened.isReadOnly {
        for declaration in declarations { try checkReadable(declaration, on: session) }
        try checkOrders(on: session)
        return nil
      }
      let upgrade = try SchemaUpgrade(declarations, on: session)
      if upgrade.isEmpty { return nil }
      let (isForeign, mustRebuild) = (try !SystemTables(session).isVault(), upgrade.needsRebuild)
      return {
        var needsRebuild = mustRebuild
        // Another process may have changed the file since the comparison.
        while try !run(rebuilding: needsRebuild) { needsRebuild = true }
        if isForeign, !opened.sessions.isInTransaction {
          try opened.withWriter { try opened.allowReadersDuringWrites(on: $0) }
        }
      }
    }
  }

  private func checkCapabilities(of catalog: any Catalog) throws(VaultError) {
    for description in declarations.map(\.description) {
      var needed: [Capability] = []
      if description.search != nil { needed.append(.fullTextIndexes) }
      if !description.sharedPositions.isEmpty { needed.append(.sharedContents) }
      if description.options.history == .changes { needed.append(.histories) }
      try opened.dialect.check(description.name, needing: needed, catalog)
      try checkNames(of: description, catalog)
    }
  }

  /// Checks that the engine can store the names of a class.
  private func checkNames(
    of description: ClassDescription, _ catalog: any Catalog
  ) throws(VaultError) {
    let columns = description.rowColumns.map { ("column", $0) }
    for (kind, name) in [("table", description.table)] + columns {
      if let problem = catalog.problem(withName: name, ofColumn: kind == "column") {
        throw description.invalid(
          "the name of its \(kind) '\(name)' \(problem)",
          remedy: kind == "column"
            ? "Rename the property, or its column with `@Column`."
            : "Set another name of the table with `table:`.")
      }
      guard let limit = catalog.longestName, name.utf8.count > limit else { continue }
      throw description.invalid(
        "the name of its \(kind) '\(name)' has \(name.utf8.count) bytes, and "
          + "\(opened.dialect.engineName) stores at most \(limit)",
        remedy: "Choose a shorter name.")
    }
  }

  /// Creates and upgrades the tables in a transaction.
  ///
  /// - Returns: Whether the work is done; `false` if a table must be rebuilt and `rebuilding` is
  ///   `false`.
  private func run(rebuilding: Bool) throws -> Bool {
    func changed(_ session: Session) throws -> [String] {
      let upgrade = try SchemaUpgrade(declarations, on: session)
      return upgrade.changedTables + upgrade.renamedTables
    }
    // The snapshot of a transaction lacks the objects that others stored after it began.
    let mayMiss = opened.sessions.isInTransaction && !opened.transactionsExcludeWriters
    return try opened.upgrade(rebuilding: rebuilding, changing: changed) { session in
      let upgrade = try SchemaUpgrade(declarations, on: session)
      if upgrade.isEmpty { return true }
      if mayMiss, upgrade.changesObjects { throw opened.upgradeInTransaction("must be changed") }
      guard !upgrade.needsRebuild || opened.isUpgrading else { return false }
      if !upgrade.changedTables.isEmpty || !upgrade.renamedTables.isEmpty {
        try database.willUpgrade(on: session)
      }
      try SystemTables(session).create(vaultID: opened.requiredID)
      try upgrade.run(on: session) { try opened.recordedSealer(on: session) }
      let schema = Schema(on: session)
      for table in upgrade.changedTables {
        opened.noteChange(
          ofTable: table, columns: try upgrade.names(ofChanged: table, in: schema))
      }
      for table in upgrade.renamedTables { opened.noteRemoval(ofTable: table) }
      try upgrade.migrate(
        MigrationContext(DatabaseMigration(database: database, opened: opened)),
        rebuilding: opened.isUpgrading, on: session)
      for name in upgrade.changedClasses {
        opened.sessions.afterCommit { [path = opened.location, logger = opened.options.logger] in
          logger?.info("class upgraded", metadata: ["path": "\(path)", "class": "\(name)"])
        }
      }
      return true
    }
  }

  /// Checks that a class can be read.
  ///
  /// For reading, neither indexes nor a description are necessary.
  private func checkReadable(
    _ declaration: ClassDeclaration, on session: Session
  ) throws {
    let description = declaration.description
    guard try Schema(on: session).tableName(like: description.table) != nil else {
      throw VaultError(
        .noSuchClass,
        "'\(opened.location)' has no table '\(description.table)' for class '\(description.name)', and "
          + "is open for reading only. Open it for writing once.")
    }
    let upgrade = try ClassUpgrade(declaration, on: session)
    try TableComparison(
      description: description, columns: upgrade.table?.columns ?? [], isForReading: true
    ).check()
    if let name = upgrade.movedNames.first {
      throw TableComparison.mismatch(
        description,
        ["column '\(name)' gets other values; open the file for writing once to update it"])
    }
    if upgrade.sealsOtherwise {
      throw TableComparison.mismatch(
        description, ["its sealed properties differ; open the file for writing once to update them"]
      )
    }
    if upgrade.sharesOtherwise {
      throw TableComparison.mismatch(
        description, ["its shared properties differ; open the file for writing once to update them"]
      )
    }
  }

  /// Checks that the file has the positions of ordered objects.
  private func checkOrders(on session: Session) throws {
    let schema = Schema(on: session)
    for order in try ListOrder.all(of: declarations, on: session)
    where try !order.hasColumn(in: schema) {
      guard let child = declarations.first(where: { $0.description.table == order.table }) else {
        continue
      }
      throw TableComparison.mismatch(
        child.description,
        ["the order of its objects is not stored; open the file for writing once to update it"])
    }
  }

  /// Checks that the file has the referenced tables that are not about to be created.
  private func checkTargets(on session: Session) throws {
    let declared = Set(declarations.map(\.description.table))
    let schema = Schema(on: session)
    for description in declarations.map(\.description) {
      for reference in description.references where !declared.contains(reference.target) {
        guard try schema.hasTable(reference.target) else {
          throw description.invalid(
            "reference '\(reference.name)' refers to table '\(reference.target)', which is not "
              + "stored",
            remedy: "Store the referenced class first, or pass its description too.")
        }
        let key = try schema.primaryKey(of: reference.target)
        if key != reference.targetColumns {
          throw description.invalid(
            "reference '\(reference.name)' refers to "
              + reference.targetColumns.map { "'\($0)'" }.joined(separator: ", ")
              + " of table '\(reference.target)', but the object ID of that table is "
              + key.map { "'\($0)'" }.joined(separator: ", "),
            remedy: "Use the object ID of the file's table.")
        }
      }
    }
  }
}
