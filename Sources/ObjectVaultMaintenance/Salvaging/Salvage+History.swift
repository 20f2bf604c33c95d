import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension Salvage {
  /// Creates the tables and triggers of histories, if the file's list of tables does not contain
  /// them.
  mutating func addHistory(of descriptions: [ClassDescription]) throws {
    let recorded = descriptions.filter { $0.options.history == .changes }
    guard !recorded.isEmpty else { return }
    try ChangeHistory.create(on: Session(target))
    for description in recorded {
      looseIndexes += HistoryDefinition(description).statements.sorted { $0.key < $1.key }.map {
        StoredSchema.Entry(
          type: "trigger", name: $0.key, table: description.table, root: 0, sql: $0.value)
      }
    }
    guard !salvaged.contains(where: { $0.target.name == ChangeHistory.table }) else { return }
    let made = try SalvageTarget(
      ChangeHistory.table, on: target, hasRowIDs: true, encoding: pages.encoding)
    unplaced.append(TableSalvage(made, title: ChangeHistory.table))
  }

  /// Records that changes of the classes with a history may be missing.
  ///
  /// The history does not contain the removal of lost objects.
  func restoreHistory() throws {
    let session = Session(target)
    let schema = Schema(on: session)
    // An unreadable description is reported with its table.
    for description in (try? SystemTables(session).descriptions()) ?? []
    where try description.options.history == .changes && schema.hasTable(description.table) {
      try ChangeHistory.create(on: session)
      try ChangeHistory.record(.started, ofTable: description.table, on: session)
    }
  }
}
