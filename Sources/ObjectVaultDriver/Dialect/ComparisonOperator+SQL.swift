package import ObjectVaultCondition

extension ComparisonOperator {
  /// The operator in SQL.
  package var sql: String {
    switch self {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}
