import ObjectVaultCondition

extension SortKey {
  /// Returns the key as a term of `ORDER BY`.
  ///
  /// By default, nil is first in ascending and last in descending order, as in SQLite. For another
  /// position of nil, a second term precedes the key.
  ///
  /// - Parameters:
  ///   - table: The quoted name of the table in the statement.
  ///   - columns: The quoted columns by the positions of the properties.
  /// - Returns: One or two ordering terms.
  package func sql(table: String, columns: [String]) -> String {
    var writer = ConditionSQLWriter(table: table, columns: columns)
    return sql(&writer)
  }

  /// Returns the key as a term of `ORDER BY`, with the column names of a writer.
  package func sql(_ writer: inout ConditionSQLWriter) -> String {
    let expression =
      options.isEmpty
      ? writer.ordered(value) : "ov_fold(\(writer.value(value)), \(options.rawValue))"
    let term = expression + (isAscending ? "" : " DESC")
    guard let isNilFirst, isNilFirst != isAscending, value.isOptional else { return term }
    return "\(writer.value(value)) IS NULL\(isNilFirst ? " DESC" : ""), \(term)"
  }
}
