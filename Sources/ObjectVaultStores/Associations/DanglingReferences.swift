import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension StoreAccess {
  /// Returns the error for an object with a dangling reference, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - positions: The positions of the properties to check, or `nil` for all of them.
  ///   - session: The connection to use.
  ///   - bind: A function that binds the values of the object.
  /// - Returns: The error for the first dangling reference.
  /// - Throws: The errors of `bind` and of the check itself.
  func dangling(
    only positions: [Int]? = nil, on session: Session, _ bind: (Binder) throws -> Void
  ) throws -> VaultError? {
    guard !table.foreignKeys.isEmpty else { return nil }
    let columns = table.description.rowColumns
    return try session.with(table.sql.references) { statement in
      if let sealing = table.sealing {
        try sealing.bindUnsealed(to: statement.binder, bind)
      } else {
        try bind(statement.binder)
      }
      guard try statement.step() else { return nil }
      for (place, key) in table.foreignKeys.enumerated() {
        if let positions,
          !key.columns.contains(where: { column in
            positions.contains { columns[$0] == column }
          })
        {
          continue
        }
        if statement.row.integer(at: place) == 0 { return VaultError.dangling(key) }
      }
      return nil
    }
  }
}
