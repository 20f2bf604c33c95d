import ObjectVaultCondition
package import ObjectVaultEngine

extension ConditionSQL {
  /// Puts the lists into their temporary tables, which are kept in memory and never reach a file.
  ///
  /// Call it before the statement is made, which needs the tables to be there.
  package func fillLists(on connection: Connection) throws(EngineError) {
    for list in lists {
      let table = "temp.\(SQLIdentifier(list.table))"
      try connection.execute(TemporaryTables.makeList(list.table))
      // Outside a transaction every row would otherwise be a transaction of its own.
      try connection.execute("SAVEPOINT ov_fill")
      do {
        try connection.execute("DELETE FROM \(table)")
        let insert = try connection.prepare("INSERT INTO \(table) VALUES (?)")
        for value in list.values {
          value.bind(to: insert.binder, at: 0)
          try insert.run()
        }
        try connection.execute("RELEASE ov_fill")
      } catch {
        // An interrupted insertion has ended it already. What is left in the table is deleted before
        // its next use.
        try? connection.execute("RELEASE ov_fill")
        throw error
      }
    }
  }

  /// Empties the tables of the lists, which would otherwise keep their values in memory.
  package func emptyLists(on connection: Connection) throws(EngineError) {
    for list in lists {
      try connection.execute("DELETE FROM temp.\(SQLIdentifier(list.table))")
    }
  }
}
