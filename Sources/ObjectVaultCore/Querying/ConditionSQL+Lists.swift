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
      try connection.execute("DELETE FROM \(table)")
      let insert = try connection.prepare("INSERT INTO \(table) VALUES (?)")
      for value in list.values {
        value.bind(to: insert.binder, at: 0)
        try insert.run()
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
