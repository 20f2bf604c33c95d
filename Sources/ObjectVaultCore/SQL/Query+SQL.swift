extension Query {
  /// The objects for which a condition written as SQL holds, too.
  ///
  /// ```swift
  /// let regulars = try students.where(sql: "length(name) > \(3) AND age % \(2) = 0").all()
  /// ```
  ///
  /// The columns are those of the class's table; values are bound, as in every ``SQLStatement``. Unlike
  /// a condition of the library, SQL compares as its columns are declared, and what is neither true nor
  /// false, as most of what meets NULL, does not hold.
  ///
  /// - Parameter fragment: What may stand after `WHERE`.
  /// - Throws: ``VaultError``: `.engineRefused` for what the engine cannot read, or columns that are not
  ///   there; `.invalidArgument` for what SQL may not do and for too many values.
  public func `where`(sql fragment: SQLStatement) throws -> Query {
    let query = Query(store: store, parts: parts.adding(fragments: [fragment]))
    try query.checkFragments()
    let table = store.state.sql.table
    // As it will stand in the query; and where a parenthesis that it closes was opened by nobody else.
    for whole in [
      "SELECT 1 FROM \(table) WHERE (\(fragment.sql)\n)",
      "SELECT CASE WHEN \(fragment.sql)\n THEN 1 END FROM \(table)",
    ] {
      let statement = SQLStatement(sql: whole, values: fragment.values, defect: fragment.defect)
      try store.read { _ = try SQLRun(statement, on: $0) }
    }
    return query
  }

  /// How many values the fragments of a query may have, which leaves room for those of its condition.
  private static var maximumFragmentValues: Int { 500 }

  /// - Throws: `.invalidArgument` for too many values.
  func checkFragments() throws(VaultError) {
    let count = fragments.reduce(0) { $0 + $1.values.count }
    guard count <= Self.maximumFragmentValues else {
      throw VaultError(
        .invalidArgument,
        "The conditions written as SQL have \(count) values, and a query takes at most "
          + "\(Self.maximumFragmentValues) of them. Use IN with %@ of the library's own conditions, which "
          + "takes lists of any length.")
    }
  }

  /// - Throws: `.invalidArgument` for a query with a condition written as SQL, where another one that
  ///   does not meet it would be wanted too.
  func checkHasNoFragment() throws(VaultError) {
    guard !fragments.isEmpty else { return }
    throw VaultError(
      .invalidArgument,
      "A query with a condition written as SQL is combined with others by `and` only. Say OR and NOT "
        + "in the SQL.")
  }
}

extension ObjectStore {
  /// The objects for which a condition written as SQL holds.
  ///
  /// - Throws: as ``Query/where(sql:)``.
  public func `where`(sql fragment: SQLStatement) throws -> Query<T> {
    try query.where(sql: fragment)
  }
}
