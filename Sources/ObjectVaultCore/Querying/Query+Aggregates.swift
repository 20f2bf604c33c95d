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
    if let converter = store.converter(named: property), converter.reader(of: V.self) != nil {
      throw VaultError(
        .invalidArgument,
        "'\(property)' is stored through converter '\(converter.name)', and a sum is one of what is "
          + "stored. Ask for it as the type that is stored, or sum the objects.")
    }
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
