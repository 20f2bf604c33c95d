import ObjectVaultDriver

extension Removal {
  /// Returns a join of the deleted rows, as `g`, with the rows that refer to them, as `c`.
  func referringRows(_ key: ForeignKey, gone: String) -> String {
    guard let target = tables[key.target] else { return "" }
    let child = SQL.quoted(key.table)
    let join = catalog.orderedJoin
    if key.targetColumns.count == 1, target.rowIDAlias == key.targetColumns[0] {
      return "\(gone) AS g \(join) \(child) AS c ON c.\(SQL.quoted(key.columns[0])) = g.k0"
    }
    let isMeant = zip(target.key, target.key.indices).map { "p.\($0) = g.k\($1)" }
      .joined(separator: " AND ")
    return "\(gone) AS g \(join) \(SQL.quoted(key.target)) AS p ON \(isMeant) "
      + "\(join) \(child) AS c ON \(refers(key, to: "p"))"
  }

  /// Returns the condition that a row, as `c`, refers to a row of `target`.
  ///
  /// It compares as the engine does: with the collations and affinities of the referenced columns.
  /// An expression has neither, but cannot use an index.
  func refers(_ key: ForeignKey, to target: String) -> String {
    zip(key.columns, key.targetColumns).map { column, targetColumn in
      let (child, parent) = ("c.\(SQL.quoted(column))", "\(target).\(SQL.quoted(targetColumn))")
      let equal = "\(parent) = \(child)"
      return catalog.typesColumns ? equal : "\(equal) AND \(parent) = +\(child)"
    }.joined(separator: " AND ")
  }
}
