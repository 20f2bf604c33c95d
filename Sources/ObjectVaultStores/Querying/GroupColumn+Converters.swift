import ObjectVaultCondition
import ObjectVaultModel

extension [GroupColumn] {
  /// Returns the arguments of a condition on groups in the stored form of the compared columns.
  func arguments(
    _ values: [Any?], _ named: [String: Any?], of condition: Condition
  ) throws -> ([ConditionArgument], [String: ConditionArgument]) {
    guard contains(where: { $0.converter != nil }) else {
      return (
        try values.map { try ConditionArgument($0) },
        try named.mapValues { try ConditionArgument($0) }
      )
    }
    return try ArgumentConverters(
      of: condition,
      { path in first { $0.shape.name == path.spelling }?.converter },
      path: { position in
        // The keys of groups are named by whole paths.
        values.indices.contains(position)
          ? (values[position] as? String).map { PropertyPath([$0]) } : nil
      }
    ).arguments(values, named)
  }
}
