import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// A read-only check that the triggers of all classes with a history exist.
struct HistoryCheck {
  private let session: Session

  init(on engine: Connection) { session = Session(engine) }

  /// Returns the names of the classes whose changes are not recorded completely.
  ///
  /// The list is empty if damaged pages, which are reported separately, prevent the check.
  func findings() throws -> [String] {
    do {
      let schema = Schema(on: session)
      return try SystemTables(session).descriptions().filter { description in
        try description.options.history == .changes && schema.hasTable(description.table)
          && PresentHistory(ofTable: description.table, in: schema).triggers
            != HistoryDefinition(description).statements
      }.map(\.name)
    } catch let error as DriverError {
      guard error.isDamage else { throw error }
      return []
    } catch is VaultError {
      return []
    }
  }
}
