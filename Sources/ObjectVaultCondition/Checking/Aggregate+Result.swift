extension Aggregate {
  /// The reason why an aggregate has no result over values of a type.
  package enum Refusal: Error {
    /// The values have no order, and therefore no minimum and maximum.
    case noOrder
    /// The mean of decimals is not always a decimal.
    case noExactMean
    /// Only numbers have sums and means.
    case noNumber
  }

  /// Returns the type of the result over values of a type, and whether the result may be nil.
  package func result(
    over type: PropertyType
  ) throws(Refusal) -> (PropertyType, isOptional: Bool) {
    switch (self, type.family) {
    case (.count, _): return (.int64, false)
    case (.min, .data), (.min, .composite), (.max, .data), (.max, .composite): throw .noOrder
    case (.min, _), (.max, _): return (type, true)
    case (.sum, .integer): return (.int64, false)
    case (.sum, .decimal): return (.decimal, false)
    // Infinity and negative infinity have no sum.
    case (.sum, .real), (.avg, .integer), (.avg, .real): return (.double, true)
    case (.avg, .decimal): throw .noExactMean
    case (.sum, _), (.avg, _): throw .noNumber
    }
  }
}
