import ObjectVaultCondition

extension Aggregate {
  /// The SQL that makes it of a value of many rows.
  ///
  /// - Parameters:
  ///   - value: The value in one row; `nil` where rows are counted.
  ///   - type: The type of the result.
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
