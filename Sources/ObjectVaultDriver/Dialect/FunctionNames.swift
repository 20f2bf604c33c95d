package import ObjectVaultCondition

extension TextOperator {
  /// The name of the registered function for the operator.
  package var functionName: String {
    switch self {
    case .like: "ov_like"
    case .contains: "ov_contains"
    case .beginsWith: "ov_begins_with"
    case .endsWith: "ov_ends_with"
    case .matches: "ov_matches"
    }
  }
}

extension TextCase {
  /// The name of the registered function for the case.
  package var functionName: String {
    switch self {
    case .lower: "ov_lower"
    case .upper: "ov_upper"
    }
  }
}

extension ExactSum.Kind {
  /// The name of the registered aggregate function.
  package var functionName: String {
    switch self {
    case .integer: "ov_sum"
    case .real: "ov_sum_real"
    case .decimal: "ov_sum_decimal"
    }
  }
}
