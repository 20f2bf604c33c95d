import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import Synchronization

extension Table {
  /// Returns whether the class fits the schema by which the session compiled its statements.
  ///
  /// After a change of the schema by another connection, this is `true` until a statement that
  /// writes was compiled again.
  @inline(__always)
  func isChecked(on session: Session) -> Bool {
    session.settledSchemaEpoch == checkedEpoch.load(ordering: .relaxed)
  }

  /// Compares the class with the file if the schema changed since the last comparison.
  ///
  /// Must be called inside a transaction, before an object is written.
  ///
  /// - Throws: `.newerSchema` if the file has a newer version of the class, `.schemaMismatch` if
  ///   its table stores other values.
  func checkSchema(on session: Session) throws {
    let epoch = try session.currentSchemaEpoch()
    if epoch == checkedEpoch.load(ordering: .relaxed) { return }
    do {
      try compareWithFile(on: session)
    } catch {
      noteMisfit()
      throw error
    }
    checkedEpoch.store(epoch, ordering: .relaxed)
  }

  private func compareWithFile(on session: Session) throws {
    let schema = Schema(on: session)
    let columns = try schema.columns(of: description.table)
    // If the table is missing, the statement itself reports it.
    if columns.isEmpty { return }
    let described = try SystemTables(session).described(ofTable: description.table)
    if let described { try description.checkVersion(inFile: described.description.version) }
    guard fits(try schema.names(of: description.table, columns, described)) else { throw changed }
    try TableComparison(description: description, columns: columns, isForWriting: true).check()
    try noteTriggers(on: session)
    guard let stored = described?.description else { return try noteKey(on: session) }
    if let moved = description.movedProperty(in: stored) {
      throw TableComparison.mismatch(
        description, ["column '\(moved.column)' has the values of another property in the file"])
    }
    let differences = description.properties.compactMap { property -> String? in
      guard let other = stored.properties.first(where: { $0.column == property.column }),
        other.type != property.type
      else { return nil }
      return
        "property '\(property.name)' has type \(other.type.rawValue) in the file, but "
        + "\(property.type.rawValue) in the class"
    }
    if !differences.isEmpty { throw TableComparison.mismatch(description, differences) }
  }
}
