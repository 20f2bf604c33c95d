import ObjectVaultDriver
public import ObjectVaultModel

// Aggregates of all objects of a query, each in one statement. A range selects the objects first.

extension Query {
  /// Returns the smallest value of a property, or `nil` if no object has a value.
  ///
  /// - Parameters:
  ///   - property: The name of the property, or a path that leads to one value.
  ///   - type: The type to read: the type of the property or one with the same stored form.
  /// - Returns: The smallest value.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidArgument` if the values have no order;
  ///   `.invalidValue` if the value is not of the type.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func min<V: StorableValue>(of property: String, as type: V.Type = V.self) throws -> V? {
    try value(.min(of: property, as: property))
  }

  /// Returns the greatest value of a property, or `nil` if no object has a value.
  ///
  /// - Throws: The errors of ``min(of:as:)-(_,V.Type)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func max<V: StorableValue>(of property: String, as type: V.Type = V.self) throws -> V? {
    try value(.max(of: property, as: property))
  }

  /// Returns the sum of a property's values, ignoring `nil`; 0 without values.
  ///
  /// The sum is exact: it does not depend on the order of the objects, and a floating-point sum is
  /// rounded once, at the end.
  ///
  /// - Throws: The errors of ``min(of:as:)-(_,V.Type)``; `.invalidArgument` for values that are not
  ///   numbers, `.overflow` for a sum of integers beyond 64 bits, `.invalidValue` for a sum of both
  ///   infinities.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func sum<V: StorableValue & AdditiveArithmetic>(
    of property: String, as type: V.Type = V.self
  ) throws -> V {
    if let converter = store.converter(named: property), converter.reader(of: V.self) != nil {
      throw VaultError(
        .invalidArgument,
        "'\(property)' has converter '\(converter.name)', and a sum has the type of the stored "
          + "values. Request the sum as that type, or sum the objects.")
    }
    guard let sum: V = try value(.sum(of: property, as: property)) else {
      throw VaultError(
        .invalidValue,
        "'\(property)' has both infinity and minus infinity among its values, so it has no sum. "
          + "Exclude one of them by a condition.")
    }
    return sum
  }

  /// Returns the mean of a property's values, ignoring `nil`, or `nil` without values.
  ///
  /// The mean is the exact sum divided by the number of values.
  ///
  /// - Throws: The errors of ``sum(of:as:)-(_,V.Type)``; `.invalidArgument` for decimals, because
  ///   their mean can be inexact.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func average(of property: String) throws -> Double? {
    try value(.average(of: property, as: property))
  }

  private func value<V: StorableValue>(_ aggregation: Aggregation) throws -> V? {
    let grouped = try grouped(by: []).aggregating(aggregation)
    let convert = grouped.columns[0].converter?.reader(of: V.self)
    return try grouped.read { row -> V? in
      if row.isNull(at: 0) { return nil }
      return try naming([aggregation.name], row) { row in
        try convert.map { try $0(row, 0) } ?? V.read(from: row, at: 0)
      }
    }.first ?? nil
  }
}
