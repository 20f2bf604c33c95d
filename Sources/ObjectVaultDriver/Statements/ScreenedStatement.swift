/// A compiled statement of the application, and its effects on the schema.
@usableFromInline
package struct ScreenedStatement {
  /// The name of the row number of a table without a column for it.
  package static let rowNumber = "ROWID"

  package let statement: Statement
  /// The tables that the statement drops.
  package let droppedTables: [String]
  /// The tables that the statement alters, by their old names.
  package let alteredTables: [String]
  /// The tables that the statement, or a trigger of the application, inserts into.
  package let insertedTables: Set<String>
  /// The columns that the statement, or a trigger of the application, updates, by table.
  ///
  /// The row number is named ``rowNumber`` unless a column has it.
  package let updatedColumns: [String: Set<String>]
  /// The tables that the statement or a trigger deletes from, except those of the engine.
  package let emptiedTables: Set<String>
  /// Whether the statement creates, changes or drops a table, an index, a view or a trigger, or
  /// sets `user_version`.
  package let changesSchema: Bool
  /// Whether the engine reported no action of the statement.
  ///
  /// A `DROP … IF EXISTS` of a missing object and a `CREATE INDEX IF NOT EXISTS` of an existing one
  /// do nothing, whereas `VACUUM` writes the whole file.
  package let isSilent: Bool
  /// Whether the statement is a pragma that only returns a setting.
  ///
  /// The engine treats `PRAGMA journal_mode` as a statement that writes, even without a value.
  package let tellsOnly: Bool

  package init(
    statement: Statement, droppedTables: [String], alteredTables: [String],
    insertedTables: Set<String>, updatedColumns: [String: Set<String>],
    emptiedTables: Set<String>, changesSchema: Bool, isSilent: Bool, tellsOnly: Bool
  ) {
    self.statement = statement
    self.droppedTables = droppedTables
    self.alteredTables = alteredTables
    self.insertedTables = insertedTables
    self.updatedColumns = updatedColumns
    self.emptiedTables = emptiedTables
    self.changesSchema = changesSchema
    self.isSilent = isSilent
    self.tellsOnly = tellsOnly
  }

  /// The statement without effects on the schema, for `EXPLAIN`.
  ///
  /// The engine reports the actions of the statement that is explained.
  package var explained: ScreenedStatement {
    ScreenedStatement(
      statement: statement, droppedTables: [], alteredTables: [], insertedTables: [],
      updatedColumns: [:], emptiedTables: [], changesSchema: false, isSilent: false,
      tellsOnly: false)
  }

  /// The tables that the statement, or a trigger of the application, inserts into or updates.
  package var writtenTables: Set<String> { insertedTables.union(updatedColumns.keys) }
}
