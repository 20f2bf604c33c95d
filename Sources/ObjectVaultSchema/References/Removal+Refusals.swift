import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

extension Removal {
  /// Returns the clauses, from `FROM` on, for remaining rows that refer to deleted rows.
  private func remaining(_ key: ForeignKey) -> String {
    let rows = "FROM \(referringRows(key, gone: set(key.target)))"
    guard let table = tables[key.table] else { return rows }
    let isMeant = zip(table.key, table.key.indices).map { "x.k\($1) = c.\($0)" }
      .joined(separator: " AND ")
    return rows + " WHERE NOT EXISTS (SELECT 1 FROM \(set(key.table)) AS x WHERE \(isMeant))"
  }

  /// Returns the number of remaining rows that refer to deleted rows.
  package func countRemaining(_ key: ForeignKey) throws -> Int {
    try session.with("SELECT count(*) \(remaining(key))") { try $0.count() }
  }

  /// Returns the names of the first remaining rows that refer to deleted rows, or `nil` if the rows
  /// have no order.
  func firstRemaining(_ key: ForeignKey) throws -> String? {
    let table = try PresentTable(key.table, in: Schema(on: session))
    let order = table.order("o").joined(separator: ", ")
    guard !order.isEmpty else { return nil }
    let description = try session.referenceGraph().descriptions[key.table]
    let names = ObjectNames(
      table: table, areGenerated: description?.objectID == .generated, session: session)
    let rows = table.order("c").joined(separator: ", ")
    return try names.first(where: "(\(order)) IN (SELECT \(rows) \(remaining(key)))")
  }

  /// Checks that no remaining reference prevents the removal.
  ///
  /// - Parameter mayDangle: Whether a reference may be dangling until the commit.
  /// - Throws: `.removalDenied` if a remaining object's delete rule denies the removal,
  ///   `.danglingReference` if a reference would become dangling.
  func checkRefusals(mayDangle: Bool) throws {
    for key in scope.refusals where key.denies || !mayDangle {
      let count = try countRemaining(key)
      guard count > 0 else { continue }
      throw VaultError.refused(
        by: key, target: scope.className(of: key.target), count: count,
        names: try firstRemaining(key))
    }
  }
}

extension VaultError {
  /// Returns the error for remaining objects that refer to objects to be removed.
  static func refused(
    by key: ForeignKey, target: String, count: Int, names: String?
  ) -> VaultError {
    let which = names.map { " (\($0))" } ?? ""
    let (objects, refer) = count == 1 ? ("object", "refers") : ("objects", "refer")
    let remedy =
      "Remove \(count == 1 ? "it" : "them") first, or change the reference to another object."
    func error(_ code: Code, _ message: String) -> VaultError {
      var error = VaultError(code, message)
      error.className = key.className
      error.propertyNames = [key.name]
      return error
    }
    if key.denies {
      return error(
        .removalDenied,
        "An object of class '\(target)' cannot be removed: \(count) \(objects) of class "
          + "'\(key.className)'\(which) \(refer) to it by '\(key.name)', which has the delete rule "
          + "deny. Nothing was removed. \(remedy)")
    }
    return error(
      .danglingReference,
      "An object of class '\(target)' cannot be removed: \(count) \(objects) of class "
        + "'\(key.className)'\(which) \(refer) to it by '\(key.name)'. Nothing was removed. "
        + "\(remedy)"
    )
  }
}
