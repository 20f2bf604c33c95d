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

  /// Returns the names of the classes whose changes are not recorded completely, and of those whose
  /// order in the lists of their owners is not maintained.
  func findings() throws -> (histories: [String], orders: [String]) {
    do {
      let schema = Schema(on: session)
      let all = try SystemTables(session).descriptions()
      let orders = try ListOrder.all(in: all).filter { try !$0.isComplete(in: schema) }
      let stored = try all.filter { try schema.hasTable($0.table) }
      return (
        try stored.filter { try !hasHistory($0, in: schema) }.map(\.name),
        stored.filter { one in orders.contains { $0.table == one.table } }.map(\.name)
      )
    } catch let error as DriverError {
      guard error.isDamage else { throw error }
      return ([], [])
    } catch is VaultError {
      return ([], [])
    }
  }

  /// Returns whether the changes of a class are recorded, if it wants that.
  private func hasHistory(_ description: ClassDescription, in schema: Schema) throws -> Bool {
    try description.options.history != .changes
      || PresentHistory(ofTable: description.table, in: schema).triggers
        == HistoryDefinition(description).statements
  }
}
