import ObjectVaultCondition

extension SortKey {
  /// The key as a term of `ORDER BY`. nil comes first ascending and last descending, which is
  /// the engine's own order; where it is to come elsewhere, a term before says so.
  ///
  /// - Parameters:
  ///   - table: The name by which the statement calls the table, quoted.
  ///   - columns: The columns by the positions of the properties, quoted.
  package func sql(table: String, columns: [String]) -> String {
    var writer = ConditionSQLWriter(table: table, columns: columns)
    return sql(&writer)
  }

  /// The key as a term of `ORDER BY`, by a writer that knows how the columns are named.
  func sql(_ writer: inout ConditionSQLWriter) -> String {
    let expression =
      options.isEmpty
      ? writer.ordered(value) : "ov_fold(\(writer.value(value)), \(options.rawValue))"
    let term = expression + (isAscending ? "" : " DESC")
    guard let isNilFirst, isNilFirst != isAscending, value.isOptional else { return term }
    return "\(writer.value(value)) IS NULL\(isNilFirst ? " DESC" : ""), \(term)"
  }
}
