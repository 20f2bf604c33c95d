extension Aggregate {
  /// Why there is no result over values of a type.
  package enum Refusal: Error {
    /// The values have no least and no greatest one.
    case noOrder
    /// The mean of decimals need not be one.
    case noExactMean
    /// Only numbers have sums and means.
    case noNumber
  }

  /// The type of the result over values of a type, and whether it may be nil.
  package func result(
    over type: PropertyType
  ) throws(Refusal) -> (PropertyType, isOptional: Bool) {
    switch (self, type.family) {
    case (.count, _): return (.int64, false)
    case (.min, .data), (.min, .composite), (.max, .data), (.max, .composite): throw .noOrder
    case (.min, _), (.max, _): return (type, true)
    case (.sum, .integer): return (.int64, false)
    case (.sum, .decimal): return (.decimal, false)
    // Infinity and minus infinity have no sum.
    case (.sum, .real), (.avg, .integer), (.avg, .real): return (.double, true)
    case (.avg, .decimal): throw .noExactMean
    case (.sum, _), (.avg, _): throw .noNumber
    }
  }
}
