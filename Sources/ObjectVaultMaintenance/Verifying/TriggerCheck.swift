import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// A read-only check that the triggers of all classes with histories and ordered lists exist.
///
/// The results are empty if damaged pages, which are reported separately, prevent the check.
struct TriggerCheck {
  private let session: Session

  init(on engine: Connection) { session = Session(engine) }

  /// Returns the names of the classes whose changes are not recorded completely.
  func classesWithIncompleteHistory() throws -> [String] {
    try names { description, _, schema in
      try description.options.history == .changes
        && PresentHistory(ofTable: description.table, in: schema).triggers
          != HistoryDefinition(description).statements
    }
  }

  /// Returns the names of the classes whose order in the lists of their owners is not maintained.
  func classesWithIncompleteOrder() throws -> [String] {
    try names { description, all, schema in
      try ListOrder.all(in: all)
        .contains { try $0.table == description.table && !$0.isComplete(in: schema) }
    }
  }

  /// Returns the names of the classes with a table for which `isIncomplete` returns `true`.
  private func names(
    where isIncomplete: (ClassDescription, [ClassDescription], Schema) throws -> Bool
  ) throws -> [String] {
    do {
      let schema = Schema(on: session)
      let all = try SystemTables(session).descriptions()
      return try all.filter { try schema.hasTable($0.table) && isIncomplete($0, all, schema) }
        .map(\.name)
    } catch let error as DriverError {
      guard error.isDamage else { throw error }
      return []
    } catch is VaultError {
      return []
    }
  }
}
