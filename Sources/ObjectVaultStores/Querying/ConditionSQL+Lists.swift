import ObjectVaultCondition
package import ObjectVaultDriver
import ObjectVaultSchema

extension ConditionSQL {
  /// Fills the temporary tables of the lists, which are in memory and never reach a file.
  ///
  /// Call this before you prepare the statement: preparing it requires the tables.
  package func fillLists(on connection: any DriverConnection) throws(DriverError) {
    for list in lists {
      let table = connection.catalog.temporary(list.table)
      try connection.execute(TemporaryTables.makeList(list.table, connection.catalog))
      // Without a savepoint, each insertion outside a transaction is a transaction of its own.
      try connection.execute("SAVEPOINT ov_fill")
      do {
        try connection.execute("DELETE FROM \(table)")
        let insert = try connection.prepare(
          "INSERT INTO \(table) VALUES (?)", persistent: true)
        for value in list.values {
          value.bind(to: insert.binder, at: 0)
          try insert.run()
        }
        try connection.execute("RELEASE ov_fill")
      } catch {
        // An interrupted insertion has already ended the savepoint. Rows left in the table are
        // deleted before its next use.
        try? connection.execute("RELEASE ov_fill")
        throw error
      }
    }
  }

  /// Empties the tables of the lists to release the memory of their values.
  package func emptyLists(on connection: any DriverConnection) throws(DriverError) {
    for list in lists {
      try connection.execute("DELETE FROM \(connection.catalog.temporary(list.table))")
    }
  }
}
