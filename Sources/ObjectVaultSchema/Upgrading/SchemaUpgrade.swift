import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// The changes that a file needs so that it can store the objects of some classes.
package struct SchemaUpgrade {
  /// The classes that need a change.
  let classes: [ClassUpgrade]
  /// The orders of owned objects that the file lacks.
  private let orders: [ListOrder]

  package init(_ declarations: [ClassDeclaration], on session: Session) throws {
    var tables: Set<String> = []
    var all =
      try declarations
      .filter { tables.insert($0.description.table.asciiLowercased).inserted }
      .map { try ClassUpgrade($0, on: session) }
    for upgrade in all { try upgrade.checkVersion() }
    try Self.checkTables(of: all)
    try Self.checkRenamed(all, on: session)
    let names = all.compactMap(\.newNames)
    for index in all.indices { all[index].redirect(to: names) }
    classes = try Self.following(all, on: session).filter { !$0.isComplete }
    let schema = Schema(on: session)
    let declared = try ListOrder.all(of: declarations, on: session)
    try Self.checkOrders(declared, of: all.map(\.description), on: session)
    orders = try declared.filter { try !$0.isComplete(in: schema) }
  }

  /// Checks that no two classes have the same table of the file.
  ///
  /// - Throws: `.invalidClass` if a class names the table of another one in `renamedFrom`.
  private static func checkTables(of all: [ClassUpgrade]) throws(VaultError) {
    var owners: [[UInt8]: ClassUpgrade] = [:]
    for upgrade in all {
      guard let table = upgrade.table?.name else { continue }
      guard let other = owners.updateValue(upgrade, forKey: table.asciiLowercasedUTF8) else {
        continue
      }
      let (former, owner) = upgrade.isRenamed ? (upgrade, other) : (other, upgrade)
      throw former.description.invalid(
        "it names table '\(table)' in `renamedFrom`, which class '\(owner.description.name)' has",
        remedy: "Remove the name from `renamedFrom` of the class that did not have the table.")
    }
  }

  /// Whether the file needs no change.
  package var isEmpty: Bool { classes.isEmpty && orders.isEmpty }

  /// Whether a table must be rebuilt.
  package var needsRebuild: Bool { classes.contains(where: \.needsRebuild) }

  /// The changed tables that existed before and keep their names.
  package var changedTables: [String] { classes.filter { !$0.isRenamed }.compactMap(\.table?.name) }

  /// Returns the names of a changed table that statements of older stores can use.
  ///
  /// They lack the names of columns that have the values of other properties now.
  ///
  /// - Parameters:
  ///   - table: One of ``changedTables``.
  ///   - schema: The schema after the upgrade.
  /// - Returns: The names, as ``Schema/names(of:)`` returns them.
  /// - Throws: The errors of the statements.
  package func names(ofChanged table: String, in schema: Schema) throws -> Set<String> {
    let upgrade = classes.first { $0.table?.name == table }
    return try schema.names(of: table).subtracting(upgrade?.movedNames ?? [])
  }

  /// The former names of the renamed tables.
  package var renamedTables: [String] { classes.filter(\.isRenamed).compactMap(\.table?.name) }

  /// Whether stored objects are changed: by a migration of the program, by other columns, by other
  /// sealing, or by the time of the upgrade as their insertion time.
  package var changesObjects: Bool {
    classes.contains { upgrade in
      let isMigrated =
        upgrade.declaration.type != nil && upgrade.version != upgrade.description.version
      return upgrade.table != nil
        && (isMigrated || upgrade.changesTable || upgrade.sealsOtherwise
          || upgrade.addsInsertionTime)
    }
  }

  /// The names of the classes that get new or rebuilt columns.
  package var changedClasses: [String] {
    classes.filter { $0.changesTable || !$0.added.isEmpty }.map(\.description.name)
  }

  /// Performs the upgrade.
  ///
  /// Must be called inside a transaction, with foreign keys off if a table must be rebuilt.
  ///
  /// - Throws: `.upgradeRefused` if information would be lost. The transaction must be rolled back
  ///   then.
  package func run(
    on session: Session, sealer: () throws -> any ValueSealer
  ) throws {
    let system = SystemTables(session)
    for upgrade in classes { try upgrade.checkSearchModule(on: session) }
    for upgrade in classes { try upgrade.checkSealing() }
    for upgrade in classes { try upgrade.checkRemovedReferences(on: session) }
    let tables = Set(classes.compactMap(\.table?.name.asciiLowercased))
    for upgrade in classes {
      try upgrade.checkReferences(outside: tables, in: Schema(on: session))
    }
    for upgrade in classes { try upgrade.checkDependents(on: session) }
    for upgrade in classes { try upgrade.suspendHistory(on: session) }
    for upgrade in classes { try upgrade.endSharing(on: session) }
    let broken = needsRebuild ? try DependentObjects(on: session).broken : []
    try createTables(on: session)
    if session.connection.catalog.altersColumns {
      var keys = KeyAlteration(classes, on: session)
      try keys.begin()
      for upgrade in classes { try upgrade.alter(on: session) }
      for upgrade in classes { try upgrade.addColumns(on: session) }
      try keys.finish()
      try addReferences(on: session)
    } else {
      for upgrade in classes where !upgrade.needsRebuild { try upgrade.addColumns(on: session) }
      try rebuild(on: session)
    }
    for upgrade in classes {
      try upgrade.seal(sealer, on: session)
      try upgrade.setIndexes(on: session)
      try upgrade.checkResult(on: session)
      try upgrade.setSearch(on: session)
      try upgrade.setSharing(on: session)
      try upgrade.setHistory(on: session)
      if upgrade.isRenamed, let former = upgrade.table?.name { try system.forget(table: former) }
      try system.describe(
        upgrade.description, removed: upgrade.change?.removed ?? [],
        ofNewTable: upgrade.table == nil)
    }
    if classes.contains(where: \.mustRecount) { try SharedBlobs.recount(on: session) }
    try redirectOthers(in: system)
    try describeRemovedReferences(on: session)
    try describeOwners(on: session)
    try setOrders(on: session)
    if needsRebuild { try check(brokenBefore: broken, on: session) }
  }

  /// The definitions of the missing tables.
  private var newTables: [TableDefinition] {
    classes.filter { $0.table == nil }.map { TableDefinition(description: $0.description) }
  }

  /// Creates the missing tables, without their foreign keys if their targets must exist.
  private func createTables(on session: Session) throws {
    let catalog = session.connection.catalog
    for definition in newTables {
      try definition.description.checkingDefinitions {
        try session.execute(
          definition.createTable(catalog, refersToTables: !catalog.needsReferencedTables))
      }
    }
  }

  /// Adds the foreign keys of the tables that were created without them: the changed tables have
  /// their new names and object IDs now.
  private func addReferences(on session: Session) throws {
    let catalog = session.connection.catalog
    guard catalog.needsReferencedTables else { return }
    for sql in newTables.flatMap({ $0.addReferences(catalog) }) { try session.execute(sql) }
  }

  /// Gives the targets in the descriptions of other classes their new names, which the foreign keys
  /// of these classes have.
  private func redirectOthers(in system: SystemTables) throws {
    let names = classes.compactMap(\.newNames)
      .filter { $0.former != $0.name || !$0.renamed.isEmpty }
    if names.isEmpty { return }
    let upgraded = Set(descriptions.map(\.table))
    for former in try system.descriptions() where !upgraded.contains(former.table) {
      var description = former
      for index in description.references.indices {
        let reference = description.references[index]
        guard let target = names.first(where: { $0.former == reference.target }) else { continue }
        description.references[index].target = target.name
        description.references[index].targetColumns = reference.targetColumns.map {
          target.renamed[$0.asciiLowercased] ?? $0
        }
      }
      for index in description.owned.indices {
        let owned = description.owned[index]
        guard let target = names.first(where: { $0.former == owned.target }) else { continue }
        description.owned[index].target = target.name
      }
      if description == former { continue }
      let removed = try system.described(ofTable: former.table)?.removed ?? []
      try system.describe(description, removed: removed)
    }
  }

  /// Drops the orders of owned objects that no class declares any more, and creates missing ones.
  private func setOrders(on session: Session) throws {
    let schema = Schema(on: session)
    let declared = ListOrder.all(in: try SystemTables(session).descriptions())
    for upgrade in classes where upgrade.table != nil {
      try schema.dropOrders(
        ofTable: upgrade.description.table, formerly: upgrade.table?.name, except: declared,
        areRenamed: !(upgrade.change?.renamed.isEmpty ?? true))
      for owned in upgrade.described?.owned ?? [] where owned.isOrdered {
        try schema.dropOrders(ofTable: owned.target, except: declared)
      }
    }
    for order in declared { try order.create(in: schema) }
  }

  private var descriptions: [ClassDescription] { classes.map(\.description) }

  private func check(brokenBefore: Set<String>, on session: Session) throws {
    try ForeignKeyCheck.run(
      for: descriptions, converted: classes.filter(\.convertsObjectID).map(\.description),
      on: session)
    try DependentObjects(on: session).check(
      before: brokenBefore,
      for: classes.first(where: \.needsRebuild)?.description ?? descriptions[0])
  }

  /// Calls the migrations of the classes that have another version than in the file.
  ///
  /// A class is migrated after the classes that it refers to.
  ///
  /// - Parameters:
  ///   - context: The context of the migrations.
  ///   - rebuilding: Whether foreign keys are off, so that they must be checked afterwards.
  ///   - session: The connection of the upgrade.
  /// - Throws: The errors of the migrations; `.upgradeRefused` if a reference is dangling.
  package func migrate(
    _ context: MigrationContext, rebuilding: Bool, on session: Session
  ) throws {
    let changed = ordered.filter { $0.version != $0.description.version }
    for upgrade in changed {
      try upgrade.declaration.migrate(context, upgrade.version, upgrade.description.version)
    }
    if !changed.isEmpty, rebuilding {
      try ForeignKeyCheck.run(for: descriptions, all: true, on: session)
    }
  }

  /// The classes, each after those that it refers to, except for cycles.
  private var ordered: [ClassUpgrade] {
    Self.ordered(classes) { $0.description.references }
  }

  /// Returns class upgrades, each after those that the given references lead to, except for cycles.
  static func ordered(
    _ classes: [ClassUpgrade], by references: (ClassUpgrade) -> [ReferenceDescription]
  ) -> [ClassUpgrade] {
    var left = classes
    var ordered: [ClassUpgrade] = []
    while !left.isEmpty {
      let waiting = Set(left.map(\.description.table))
      let index = left.firstIndex { upgrade in
        references(upgrade).allSatisfy {
          $0.target == upgrade.description.table || !waiting.contains($0.target)
        }
      }
      ordered.append(left.remove(at: index ?? 0))
    }
    return ordered
  }

  /// Rebuilds tables.
  ///
  /// All new tables are filled before the first old one is replaced.
  private func rebuild(on session: Session) throws {
    guard needsRebuild else { return }
    let conversions = try ValueConversions(on: session.connection)
    defer { conversions.end() }
    for upgrade in classes { try upgrade.checkLosses(conversions, on: session) }
    let rebuilds = try TableRebuild.all(of: classes, conversions, on: session)
    try TableRebuild.run(rebuilds, for: descriptions, on: session)
  }
}

extension ClassDescription {
  /// Calls `body`, which creates the table, and explains errors of the engine caused by the column
  /// definitions of the class.
  fileprivate func checkingDefinitions(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DriverError {
      guard error.code == .sqlError,
        properties.contains(where: { $0.definition != ColumnDefinition() })
      else { throw error }
      var refused = invalid(
        "the engine rejects the definitions of its columns (\(error.message))",
        remedy: "Correct the types and constraints.")
      refused.engineCode = error.resultCode
      refused.underlying = error
      throw refused
    }
  }
}

extension ClassUpgrade {
  /// Whether the class keeps insertion times and did not before.
  fileprivate var addsInsertionTime: Bool {
    description.options.keepsInsertionTime && described?.options.keepsInsertionTime == false
  }

  /// Adds the columns that need no rebuild of the table.
  fileprivate func addColumns(on session: Session) throws {
    guard let change else { return }
    for column in change.addedColumns(session.connection.catalog, except: followed.keys) {
      try session.execute(
        "ALTER TABLE \(SQL.quoted(description.table)) ADD COLUMN \(column.text)")
    }
    if addsInsertionTime {
      let column = InsertionTime.quotedColumn
      let catalog = session.connection.catalog
      try session.execute(
        "\(catalog.updating(description.table)) SET \(column) = \(catalog.now) "
          + "WHERE \(column) IS NULL")
    }
  }

  /// Drops the library's own indexes that the class no longer declares, and creates missing ones.
  fileprivate func setIndexes(on session: Session) throws {
    let schema = Schema(on: session)
    var present = Set(try schema.objects("index", of: description.table).map(\.name))
    for name in droppedIndexes where present.remove(name) != nil {
      try session.execute("DROP INDEX \(SQL.quoted(name))")
    }
    for index in TableDefinition(description: description).indexes(schema.catalog)
    where !present.contains(index.name) {
      do {
        try session.execute(index.statement)
      } catch let error as DriverError {
        if let refused = try duplicates(error, in: index.name, on: session) { throw refused }
        if let refused = try isTaken(index.name, in: schema) { throw refused }
        throw error
      }
    }
  }

  /// Returns an error that names the table with an index of a name, or `nil` if there is none.
  ///
  /// The name of an index is unique in the file.
  private func isTaken(_ name: String, in schema: Schema) throws -> VaultError? {
    guard
      let other = try schema.objects("index")
        .first(where: { $0.name.asciiLowercased == name.asciiLowercased })
    else { return nil }
    let tokens = SQLToken.tokens(of: other.sql).drop { $0.keyword != "on" }
    return description.invalid(
      "table '\(tokens.dropFirst().first?.name ?? "")' has an index with the name of its index "
        + "'\(name)'",
      remedy: "Set another name of the table with `table:`, or drop the other index.")
  }

  /// Returns an error that names the objects that violate a unique index, or `nil` for other
  /// errors.
  private func duplicates(
    _ error: DriverError, in name: String, on session: Session
  ) throws -> VaultError? {
    guard error.code == .constraintUnique else { return nil }
    let definition = TableDefinition(description: description)
    let indexes = definition.uniqueIndexes(session.connection.catalog)
    guard let index = indexes.first(where: { $0.name == name }) else { return nil }
    let table = try PresentTable(description.table, in: Schema(on: session))
    let areGenerated = description.objectID == .generated
    let names = ObjectNames(table: table, areGenerated: areGenerated, session: session)
    let columns = index.properties.compactMap { name in
      description.properties.first { $0.name == name }.map(description.indexedColumn)
    }
    guard let first = try names.first(whereEqual: columns) else { return nil }
    let properties = index.properties.map { "'\($0)'" }.formattedList
    return description.refusedUpgrade(
      "\(first) have the same value in \(properties), which must now be unique",
      remedy: "Correct the objects, or remove the unique index.")
  }

  /// Checks that the resulting table can store the class.
  ///
  /// - Throws: `.schemaMismatch` if it cannot.
  fileprivate func checkResult(on session: Session) throws {
    let columns = try Schema(on: session).columns(of: description.table)
    try TableComparison(description: description, columns: columns).check()
  }
}
