import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

extension ClassUpgrade {
  /// Checks that a table of another program has no UUID in lower case.
  ///
  /// Such a value can be read, but lookups, conditions and references compare it with text in upper
  /// case and do not find it.
  ///
  /// - Throws: `.schemaMismatch` with the columns.
  static func checkUUIDs(of description: ClassDescription, on session: Session) throws {
    let table = SQL.quoted(description.table)
    let columns = try description.properties.filter { $0.type == .uuid }.filter { property in
      let column = SQL.quoted(property.column)
      // `replace` compares bytes, whatever the collation of the column is.
      return try session.with(
        "SELECT 1 FROM \(table) WHERE replace(\(column), upper(\(column)), '') <> '' LIMIT 1"
      ) { try $0.step() }
    }.map(\.column)
    if columns.isEmpty { return }
    throw TableComparison.mismatch(
      description,
      columns.map {
        "column '\($0)' has UUIDs in lower case, which no statement would find: set them to "
          + "upper(\(SQL.quoted($0))), or declare the property as String"
      })
  }
}
