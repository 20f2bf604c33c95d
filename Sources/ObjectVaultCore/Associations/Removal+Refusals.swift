import ObjectVaultEngine

extension Removal {
  /// The rows that refer to rows that go and stay themselves: a clause from `FROM` on.
  private func remaining(_ key: ForeignKey) -> String {
    let rows = "FROM \(referringRows(key, gone: set(key.target)))"
    guard let table = scope.tables[key.table] else { return rows }
    let isMeant = zip(table.key, table.key.indices).map { "x.k\($1) = c.\($0)" }
      .joined(separator: " AND ")
    return rows + " WHERE NOT EXISTS (SELECT 1 FROM \(set(key.table)) AS x WHERE \(isMeant))"
  }

  /// How many rows that stay refer to rows that go.
  func countRemaining(_ key: ForeignKey) throws -> Int {
    try connection.with("SELECT count(*) \(remaining(key))") { try $0.count() }
  }

  /// The first objectIDs of rows that stay and refer to rows that go, where they are numbers.
  func firstRemaining(_ key: ForeignKey, length: Int) throws -> [Int64] {
    let schema = Schema(on: connection)
    let primaryKey = try schema.primaryKey(of: key.table)
    guard primaryKey.count == 1 else { return [] }
    let column = "c.\(SQL.quoted(primaryKey[0]))"
    return try connection.with(
      "SELECT \(column) \(remaining(key)) ORDER BY \(column) LIMIT \(length)"
    ) { statement in
      var numbers: [Int64] = []
      while try statement.step() {
        guard case .integer(let number) = statement.row.storedValue(at: 0) else { return [] }
        numbers.append(number)
      }
      return numbers
    }
  }

  /// - Parameter mayDangle: Whether a reference may be left without its object until the commit.
  /// - Throws: `.removalDenied` where an object that stays forbids it, `.danglingReference` where
  ///   its reference would be left without its object.
  func checkRefusals(mayDangle: Bool) throws {
    for key in scope.refusals where key.denies || !mayDangle {
      let count = try countRemaining(key)
      guard count > 0 else { continue }
      let numbers = try firstRemaining(key, length: 3)
      throw VaultError.refused(
        by: key, target: scope.className(of: key.target), count: count, numbers: numbers)
    }
  }
}

extension VaultError {
  /// Objects that stay refer to some that were to go.
  static func refused(
    by key: ForeignKey, target: String, count: Int, numbers: [Int64]
  ) -> VaultError {
    let names = numbers.map(String.init).joined(separator: ", ")
    let which = names.isEmpty ? "" : " (objectID \(names)\(count > numbers.count ? ", …" : ""))"
    let (objects, refer) = count == 1 ? ("object", "refers") : ("objects", "refer")
    let remedy = "Remove \(count == 1 ? "it" : "them") first, or have the reference name another."
    if key.denies {
      return VaultError(
        .removalDenied,
        "An object of class '\(target)' cannot be removed: \(count) \(objects) of class "
          + "'\(key.className)'\(which) \(refer) to it by '\(key.name)', whose delete rule is to deny "
          + "that. Nothing was removed. \(remedy)")
    }
    return VaultError(
      .danglingReference,
      "An object of class '\(target)' cannot be removed: \(count) \(objects) of class "
        + "'\(key.className)'\(which) \(refer) to it by '\(key.name)'. Nothing was removed. \(remedy)"
    )
  }
}
