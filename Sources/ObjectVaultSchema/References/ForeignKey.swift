import ObjectVaultDriver
package import ObjectVaultModel

/// A foreign key in the file, from the columns of a table to columns of another or the same table.
package struct ForeignKey: Sendable, Hashable {
  /// The action of SQLite on a row if the referenced row is deleted.
  enum Action: String, Sendable {
    case cascade = "CASCADE"
    case setNull = "SET NULL"
    case setDefault = "SET DEFAULT"
    case restrict = "RESTRICT"
    case noAction = "NO ACTION"
  }

  package let table: String
  package let columns: [String]
  package let target: String
  package let targetColumns: [String]
  let action: Action
  /// The name of the class, or of the table if the file has no description of it.
  package var className: String
  /// The name of the reference, or of the columns if the file has no description of it.
  package var name: String
  /// Whether the delete rule of the referring class is `deny`, which SQL does not have, or
  /// `RESTRICT`.
  package var denies: Bool
}

extension Schema {
  /// Returns the foreign keys of a table.
  ///
  /// The class description in the file provides their names and the `deny` rule.
  package func foreignKeys(of table: String, _ description: ClassDescription?) throws
    -> [ForeignKey]
  {
    try named(foreignKeys(of: table), of: table, description)
  }

  /// Returns foreign keys of a table with their names; see ``foreignKeys(of:_:)``.
  func named(
    _ keys: [TableForeignKey], of table: String, _ description: ClassDescription?
  ) throws -> [ForeignKey] {
    // The engine lists the last declared key first.
    try keys.reversed().map { key in
      let target = try spelled(key.table)
      // Without target columns, the key refers to the target's primary key.
      let to = key.targetColumns.isEmpty ? try primaryKey(of: target) : key.targetColumns
      let reference = description?.references.first {
        $0.target.asciiLowercased == target.asciiLowercased
          && description?.columns(of: $0.properties) == key.columns
      }
      let action = ForeignKey.Action(rawValue: key.onDelete) ?? .noAction
      return ForeignKey(
        table: table, columns: key.columns, target: target, targetColumns: to, action: action,
        className: description?.name ?? table,
        name: reference?.name ?? key.columns.joined(separator: ", "),
        denies: reference?.onDelete == .deny || action == .restrict)
    }
  }

  /// Returns the name of the target table of a foreign key as the file spells it.
  private func spelled(_ target: String) throws -> String {
    if case .inOneStatement = catalog.foreignKeys { return target }
    return try tableName(like: target) ?? target
  }

  /// Returns the columns of a table's primary key, in order.
  package func primaryKey(of table: String) throws -> [String] {
    try columns(of: table).primaryKey.map(\.name)
  }
}
