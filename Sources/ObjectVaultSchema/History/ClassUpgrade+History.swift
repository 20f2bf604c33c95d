import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

extension ClassUpgrade {
  private var historyStatements: [String: String] {
    description.options.history == .changes ? HistoryDefinition(description).statements : [:]
  }

  /// Whether the history triggers must change.
  var changesHistory: Bool { (history?.triggers ?? [:]) != historyStatements }

  /// Returns whether the history has every change so far.
  private func wasRecorded(on session: Session) throws -> Bool {
    guard table != nil else {
      return try ChangeHistory.isOver(forTable: description.table, on: session)
    }
    guard let described, described.options.history == .changes else { return false }
    return history?.triggers == HistoryDefinition(described).statements
  }

  /// Drops the triggers, so that the upgrade itself is not recorded as changes of objects.
  func suspendHistory(on session: Session) throws {
    for name in history?.triggers.keys.sorted() ?? [] {
      try session.execute("DROP TRIGGER \(SQL.quoted(name))")
    }
  }

  /// Creates the triggers again, after all other changes.
  ///
  /// A class begins again in the history if changes may be missing, or if its objects have other
  /// object IDs.
  func setHistory(on session: Session) throws {
    let hasHistory = try Schema(on: session).hasTable(ChangeHistory.table)
    if let table, isRenamed, hasHistory {
      try ChangeHistory.rename(table.name, to: description.table, on: session)
    }
    guard description.options.history == .changes else { return }
    try ChangeHistory.create(on: session)
    for sql in historyStatements.sorted(by: { $0.key < $1.key }).map(\.value) {
      try session.execute(sql)
    }
    if try changesID || !wasRecorded(on: session) {
      try ChangeHistory.record(.started, ofTable: description.table, on: session)
    }
  }
}
