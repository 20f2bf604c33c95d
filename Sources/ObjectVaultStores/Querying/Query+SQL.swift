import ObjectVaultDriver
public import ObjectVaultModel

extension Query {
  /// Returns a query that also requires a condition written as SQL.
  ///
  /// ```swift
  /// let regulars = try students.where(sql: "length(name) > \(3) AND age % \(2) = 0").all()
  /// ```
  ///
  /// The columns are the columns of the class's table. Values are bound, as in every
  /// ``SQLStatement``. Unlike a condition of the library, SQL compares by the declared types of its
  /// columns, and a condition that is NULL, such as most comparisons with NULL, does not match.
  ///
  /// - Parameter fragment: An expression for `WHERE`.
  /// - Returns: The query.
  /// - Throws: ``VaultError``: `.engineRefused` for SQL that can't be compiled or names missing
  ///   columns; `.invalidArgument` for forbidden SQL and for too many values.
  public func `where`(sql fragment: SQLStatement) throws -> Query {
    let query = Query(store: store, parts: parts.adding(fragments: [fragment]))
    try query.checkFragments()
    let table = store.state.sql.table
    // The first statement checks the fragment as it is used in the query. The second one has no
    // parentheses around the fragment, so that unbalanced parentheses in it fail.
    for whole in [
      "SELECT 1 FROM \(table) WHERE (\(fragment.sql)\n)",
      "SELECT CASE WHEN \(fragment.sql)\n THEN 1 END FROM \(table)",
    ] {
      let statement = SQLStatement(sql: whole, values: fragment.values, defect: fragment.defect)
      try store.read { _ = try SQLRun(statement, on: $0) }
    }
    return query
  }

  /// The maximum number of values in the fragments of a query, which leaves room for its
  /// condition's.
  private static var maximumFragmentValues: Int { 500 }

  /// Checks the number of values in all fragments.
  ///
  /// - Throws: `.invalidArgument` for too many values.
  func checkFragments() throws(VaultError) {
    let count = fragments.reduce(0) { $0 + $1.values.count }
    guard count <= Self.maximumFragmentValues else {
      throw VaultError(
        .invalidArgument,
        "The SQL conditions have \(count) values, but a query accepts at most "
          + "\(Self.maximumFragmentValues) of them. Use IN with %@ in a condition, which accepts "
          + "lists of any length.")
    }
  }

  /// Checks that the query has no condition written as SQL, which supports only AND.
  ///
  /// - Throws: `.invalidArgument` for such a condition.
  func checkHasNoFragment() throws(VaultError) {
    guard !fragments.isEmpty else { return }
    throw VaultError(
      .invalidArgument,
      "A query with an SQL condition can be combined with others only by `and`. Write OR and NOT "
        + "in the SQL.")
  }
}

extension ObjectStore {
  /// Returns a query of the objects that match a condition written as SQL.
  ///
  /// - Throws: The errors of ``Query/where(sql:)``.
  public func `where`(sql fragment: SQLStatement) throws -> Query<T> {
    try query.where(sql: fragment)
  }
}
