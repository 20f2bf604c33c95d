import ObjectVaultCondition
import ObjectVaultDriver

extension Aggregate {
  /// Returns the SQL expression of the aggregate over many rows.
  ///
  /// - Parameters:
  ///   - value: The expression of the value in one row; `nil` to count rows.
  ///   - type: The type of the result.
  /// - Returns: A call of an aggregate function.
  func sql(of value: String?, as type: PropertyType) -> String {
    guard let value else { return "count(*)" }
    let ordered = type == .decimal ? "\(value) COLLATE ov_decimal" : value
    return switch self {
    case .count: "count(\(value))"
    case .min: "min(\(ordered))"
    case .max: "max(\(ordered))"
    case .avg: "ov_mean(\(value))"
    case .sum: "\(ExactSum.Kind(of: type).functionName)(\(value))"
    }
  }
}
