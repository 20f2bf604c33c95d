import ObjectVaultDriver
package import ObjectVaultModel
import ObjectVaultSession

extension Schema {
  /// Drops columns of a class's table, by a rebuild if the engine cannot alter columns; inside a
  /// transaction, with foreign keys off for a rebuild.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns.
  ///   - description: The class.
  /// - Throws: `.upgradeRefused` if the table is virtual, or something of another program needs a
  ///   column.
  package func dropColumns(_ columns: [String], of description: ClassDescription) throws {
    try SharedBlobs.forget(columns, ofTable: description, on: session)
    for column in columns where column.hasBytePrefix(ListOrder.prefix) {
      let trigger =
        ListOrder.triggerPrefix(ofTable: description.table)
        + column.dropFirst(ListOrder.prefix.count)
      try session.execute(catalog.dropTrigger(trigger))
    }
    if catalog.altersColumns {
      try alterTable(of: description, dropping: columns)
    } else {
      try rebuildTable(of: description, without: columns)
    }
    try forgetRemoved(columns, ofTable: description.table)
  }

  private func rebuildTable(of description: ClassDescription, without columns: [String]) throws {
    try checkDependents(ofDropped: columns, of: description)
    let broken = try DependentObjects(on: session)
    let table = try PresentTable(description.table, in: self)
    let rebuild = try TableRebuild(table, without: columns, for: description)
    try TableRebuild.run([rebuild], for: [description], on: session)
    try ForeignKeyCheck.run(for: [description], on: session)
    try DependentObjects(on: session).check(before: broken.broken, for: description)
  }

  /// Drops columns by statements of the engine.
  ///
  /// The engine rejects the removal of a column that a view, a trigger or a reference of another
  /// table needs. It drops indexes and constraints with the column.
  private func alterTable(of description: ClassDescription, dropping columns: [String]) throws {
    let table = description.table
    let before = try indexesAndConstraints(of: table, except: columns)
    for column in columns {
      do {
        try session.execute(
          "ALTER TABLE \(SQL.quoted(table)) DROP COLUMN \(SQL.quoted(column))")
      } catch let error as DriverError where error.code == .sqlError {
        var refused = description.refusedUpgrade(
          "the engine does not drop column '\(column)' (\(error.message))",
          remedy: "Drop the views, triggers and references that need the column, with the program "
            + "that created them.")
        refused.engineCode = error.resultCode
        refused.underlying = error
        throw refused
      }
    }
    let lost = try before.subtracting(indexesAndConstraints(of: table, except: columns)).sorted()
    guard !lost.isEmpty else { return }
    throw description.refusedUpgrade(
      "\(lost.formattedList) would be dropped with the columns of removed properties",
      remedy: "Drop it first, with the program that created it.")
  }

  /// Returns the kinds and names of the indexes of a table, and of its constraints that have other
  /// columns than the given ones.
  private func indexesAndConstraints(
    of table: String, except columns: [String]
  ) throws -> Set<String> {
    let columns = Set(columns)
    let constraints = try constraints(of: table).filter { !columns.isSuperset(of: $0.columns) }
    return Set(
      try objects("index", of: table).map { "index '\($0.name)'" }
        + constraints.map { "constraint '\($0.name)'" })
  }

  /// Removes properties from those that the description of a class lists as removed.
  private func forgetRemoved(_ columns: [String], ofTable table: String) throws {
    let system = SystemTables(session)
    guard let (description, removed) = try system.described(ofTable: table) else { return }
    let dropped = Set(columns.map(\.asciiLowercased))
    let remaining = removed.filter { !dropped.contains($0.property.column.asciiLowercased) }
    if remaining != removed { try system.describe(description, removed: remaining) }
  }

  /// Removes what the library keeps of a dropped table: its full-text index, the contents that its
  /// rows shared, and the description of its class; inside a transaction.
  ///
  /// The history records the removal of the class.
  ///
  /// The triggers of the table were dropped with it.
  ///
  /// - Parameter table: The name of the table.
  /// - Throws: The errors of the statements.
  package func forget(table: String) throws {
    try dropSearch(of: table)
    try SharedBlobs.forget(table: table, on: session)
    try ChangeHistory.forget(table: table, on: session)
    if try hasTable("objectvault_classes") { try SystemTables(session).forget(table: table) }
  }
}

extension TableRebuild {
  /// Creates a plan that rebuilds a table without the given columns.
  fileprivate init(
    _ table: PresentTable, without columns: [String], for description: ClassDescription
  ) throws(VaultError) {
    guard var text = table.text else {
      throw description.refusedUpgrade(
        "table '\(table.name)' is virtual and cannot be changed",
        remedy: "Keep its columns.")
    }
    let dropped = Set(columns.map(\.asciiLowercased))
    text.columns.removeAll { dropped.contains($0.name.asciiLowercased) }
    // A constraint that covers only dropped columns is dropped too.
    text.constraints.removeAll { constraint in
      guard constraint.kind == .unique || constraint.kind == .foreignKey else { return false }
      return constraint.columns.allSatisfy { dropped.contains($0.asciiLowercased) }
    }
    self.init(unchanged: table, as: text)
  }
}
