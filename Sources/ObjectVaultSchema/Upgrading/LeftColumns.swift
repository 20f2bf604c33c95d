import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// The columns of a class's table that no property has any more.
///
/// They have the values of removed properties, of former object IDs, or of former orders.
package struct LeftColumns {
  /// The table of the class.
  package let table: String
  private let columns: [Schema.Column]
  private let removed: [FormerProperty]

  /// Finds the columns of a class, except for those of other programs and those with digests of
  /// shared contents.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - session: A session of its database.
  /// - Throws: The errors of reading the schema.
  package init(of description: ClassDescription, on session: Session) throws {
    let schema = Schema(on: session)
    table = description.table
    let removed = try SystemTables(session).described(ofTable: table)?.removed ?? []
    let known = Set(
      removed.map(\.property.column) + [ClassDescription.generatedIDColumn, InsertionTime.column])
    let shared = try SharedBlobs.columns(of: table, in: schema).map(\.column)
    let others = Set(description.rowColumns + shared)
    columns = try schema.columns(of: table).filter { column in
      !others.contains(column.name)
        && (known.contains(column.name) || column.name.hasBytePrefix(ListOrder.prefix))
    }
    let left = Set(columns.map(\.name))
    self.removed = removed.filter { left.contains($0.property.column) }
  }

  /// Returns whether the table of the same class in another database has the columns.
  package func isComplete(on session: Session) throws -> Bool { try missing(on: session).isEmpty }

  private func missing(on session: Session) throws -> [Schema.Column] {
    let present = Set(try Schema(on: session).columns(of: table).map(\.name))
    return columns.filter { !present.contains($0.name) }
  }

  /// Adds missing columns to the table of the same class in another database, and describes their
  /// properties as removed; inside a transaction.
  package func add(on session: Session) throws {
    let catalog = session.connection.catalog
    let missing = try missing(on: session)
    for column in missing {
      try session.execute(
        "ALTER TABLE \(SQL.quoted(table)) ADD COLUMN \(definition(of: column, catalog))")
    }
    let system = SystemTables(session)
    guard let (description, present) = try system.described(ofTable: table) else { return }
    let added = Set(missing.map(\.name))
    try system.describe(
      description, removed: present + removed.filter { added.contains($0.property.column) })
  }

  private func definition(of column: Schema.Column, _ catalog: any Catalog) -> String {
    removed.first { $0.property.column == column.name }?.property.removedColumn(catalog)
      ?? "\(SQL.quoted(column.name)) \(catalog.columnType(column.affinity))"
  }
}
