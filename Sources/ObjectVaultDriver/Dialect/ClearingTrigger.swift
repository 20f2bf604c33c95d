/// A trigger that removes the value of a column from a row whose other columns change.
@usableFromInline
package struct ClearingTrigger {
  /// The name.
  package let name: String
  /// The table.
  package let table: String
  /// The columns of the primary key.
  package let key: [String]
  /// The column whose value is removed.
  package let cleared: String
  /// The columns that change.
  package let columns: [String]
  /// A condition on the rows `old` and `new`, which holds if the value shall be removed.
  package let condition: String

  package init(
    name: String, table: String, key: [String], cleared: String, columns: [String],
    condition: String
  ) {
    (self.name, self.table, self.key) = (name, table, key)
    (self.cleared, self.columns, self.condition) = (cleared, columns, condition)
  }

  /// The columns that change, quoted.
  package var list: String { columns.map(SQL.quoted).joined(separator: ", ") }

  /// The statement of SQLite that creates the trigger, which other engines keep to recognize it.
  package var definition: String {
    let table = SQL.quoted(table)
    let isChanged = columns.map(SQL.quoted)
      .map { "old.\($0) IS NOT new.\($0) COLLATE BINARY" }.joined(separator: " OR ")
    let isRow = key.map { "\(SQL.quoted($0)) = new.\(SQL.quoted($0))" }.joined(separator: " AND ")
    return "CREATE TRIGGER \(SQL.quoted(name)) AFTER UPDATE OF \(list) ON \(table) "
      + "WHEN (\(isChanged)) AND (\(condition)) "
      + "BEGIN UPDATE \(table) SET \(SQL.quoted(cleared)) = NULL WHERE \(isRow); END"
  }
}
