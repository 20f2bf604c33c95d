import ObjectVaultCondition

extension SortKey {
  /// The key as a term of `ORDER BY`. nil comes first ascending and last descending, which is
  /// the engine's own order.
  package func sql(columns: [String]) -> String {
    let column = columns[property.position]
    let expression =
      if property.type == .decimal {
        "\(column) COLLATE ov_decimal"
      } else if options.isEmpty {
        column
      } else {
        "ov_fold(\(column), \(options.rawValue))"
      }
    return expression + (isAscending ? "" : " DESC")
  }
}
