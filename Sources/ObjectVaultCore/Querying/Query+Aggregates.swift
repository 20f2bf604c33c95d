import ObjectVaultEngine

// One value of all objects of a query, in one statement. A range chooses the objects first.

extension Query {
  /// The least value of a property; `nil` where no object has one.
  ///
  /// - Parameters:
  ///   - property: The name of the property, or a path that leads to one value.
  ///   - type: The type to read, which is the property's own or one that is stored alike.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidArgument` where the values have no order;
  ///   `.invalidValue` where the value is not of the type.
  public func min<V: StorableValue>(of property: String, as type: V.Type = V.self) throws -> V? {
    try value(.min(of: property, as: property))
  }

  /// The greatest value of a property; `nil` where no object has one.
  ///
  /// - Throws: as ``min(of:as:)-(_,V.Type)``.
  public func max<V: StorableValue>(of property: String, as type: V.Type = V.self) throws -> V? {
    try value(.max(of: property, as: property))
  }

  /// The sum of a property's values other than `nil`; 0 of none.
  ///
  /// It is exact: it does not depend on the order of the objects, and a floating-point sum is rounded
  /// once, at the end.
  ///
  /// - Throws: as ``min(of:as:)-(_,V.Type)``; `.invalidArgument` for what is no number, `.overflow`
  ///   for a sum of integers beyond 64 bits.
  public func sum<V: StorableValue & AdditiveArithmetic>(
    of property: String, as type: V.Type = V.self
  ) throws -> V {
    guard let sum: V = try value(.sum(of: property, as: property)) else {
      throw VaultError(
        .invalidValue,
        "'\(property)' has infinity and minus infinity among its values, which have no sum.")
    }
    return sum
  }

  /// The mean of a property's values other than `nil`: their exact sum divided by how many they
  /// are; `nil` of none.
  ///
  /// - Throws: as ``sum(of:as:)-(_,V.Type)``; `.invalidArgument` for decimals, whose mean need not
  ///   be one.
  public func average(of property: String) throws -> Double? {
    try value(.average(of: property, as: property))
  }

  private func value<V: StorableValue>(_ aggregation: Aggregation) throws -> V? {
    try grouped(by: []).aggregating(aggregation)
      .read { $0.isNull(at: 0) ? nil : try V.read(from: $0, at: 0) }
      .first ?? nil
  }
}

extension Query where T: Sendable {
  /// The least value of a property, without blocking the caller's thread.
  public func min<V: StorableValue & Sendable>(
    of property: String, as type: V.Type = V.self
  ) async throws -> V? {
    try await store.reading { try min(of: property) }
  }

  /// The greatest value of a property, without blocking the caller's thread.
  public func max<V: StorableValue & Sendable>(
    of property: String, as type: V.Type = V.self
  ) async throws -> V? {
    try await store.reading { try max(of: property) }
  }

  /// The sum of a property's values, without blocking the caller's thread.
  public func sum<V: StorableValue & AdditiveArithmetic & Sendable>(
    of property: String, as type: V.Type = V.self
  ) async throws -> V {
    try await store.reading { try sum(of: property) }
  }

  /// The mean of a property's values, without blocking the caller's thread.
  public func average(of property: String) async throws -> Double? {
    try await store.reading { try average(of: property) }
  }
}
