import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension ScreenedStatement {
  /// Rejects a statement of the application that would store plaintext in a sealed column, or change
  /// a column that sealed values are bound to.
  ///
  /// - Parameter session: The session that compiled the statement.
  /// - Throws: `.invalidArgument`, and the errors of reading the descriptions of classes.
  func checkSealing(on session: Session) throws {
    for table in writtenTables.sorted() {
      guard let stored = try SystemTables(session).sealedClass(ofTable: table) else { continue }
      let name = stored.description.name
      if insertedTables.contains(table), stored.description.hasSealed {
        throw VaultError(
          .invalidArgument,
          "Class '\(name)' has sealed properties, so SQL by hand cannot insert its objects. Insert "
            + "them by a store.")
      }
      let columns = SealingColumns(stored)
      for column in (updatedColumns[table] ?? []).sorted() {
        if columns.sealed.contains(column.asciiLowercased) {
          throw VaultError(
            .invalidArgument,
            "'\(column)' of class '\(name)' is sealed, so SQL by hand can neither read nor write it. "
              + "Use a store.")
        }
        if columns.binding.contains(column.asciiLowercased) {
          throw VaultError(
            .invalidArgument,
            "Sealed values of class '\(name)' are bound to '\(column)', so SQL by hand cannot change "
              + "it. Use a store.")
        }
      }
    }
  }
}

/// The columns of a table that sealed values are in or are bound to, in lower case.
private struct SealingColumns {
  let sealed: Set<String>
  let binding: Set<String>

  init(_ stored: SystemTables.DescribedClass) {
    let description = stored.description
    let all = (description.formerProperties + stored.removed).map(\.property)
      .filter { $0.sealing != nil }
    sealed = Set(all.map(\.column.asciiLowercased))
    let objectID = description.objectIDPositions.map { description.rowColumns[$0] }
    let keys = all.compactMap(\.sealing?.keyProperty)
    let bound = objectID + keys + [ScreenedStatement.rowNumber]
    binding = all.isEmpty ? [] : Set(bound.map(\.asciiLowercased))
  }
}
