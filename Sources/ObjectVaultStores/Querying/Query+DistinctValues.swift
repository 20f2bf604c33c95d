public import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel

extension Query {
  /// Returns the distinct values of a property of the objects; the statement reads only this
  /// property.
  ///
  /// The values are in ascending order with `nil` first, or in the order of the query if it sorts
  /// by the property. A range counts values.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift, or a path that leads to one value.
  ///   - type: The type to read: the type of the property or one with the same stored form.
  /// - Returns: The distinct values.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidValue` for a value that is not of the
  ///   type; `.invalidArgument` if the query sorts by another property, because a value of several
  ///   objects has no single position in that order.
  public func distinctValues<V: StorableValue>(
    of property: String, as type: V.Type = V.self
  ) throws -> [V] {
    if let read = store.converter(named: property)?.reader(of: V.self) {
      return try readDistinct([property]) { try read($0, 0) }
    }
    return try readDistinct([property]) { try V.read(from: $0, at: 0) }
  }

  /// Returns the distinct combinations of values of some properties as stored values.
  ///
  /// - Throws: The errors of ``distinctValues(of:as:)``.
  public func distinctValues(of properties: [String]) throws -> [[StoredValue]] {
    try readDistinct(properties) { row in properties.indices.map(row.storedValue(at:)) }
  }

  /// Returns the distinct combinations of values of some properties as tuples.
  ///
  /// - Throws: The errors of ``distinctValues(of:as:)``; `.invalidArgument` if the number of types
  ///   differs from the number of names.
  public func distinctValues<A: StorableValue, B: StorableValue, each Value: StorableValue>(
    of first: String, _ second: String, _ others: String..., as firstType: A.Type,
    _ secondType: B.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, B, repeat each Value)] {
    try distinctTuples([first, second] + others, A.self, B.self, repeat (each Value).self)
  }

  private func distinctTuples<A: StorableValue, B: StorableValue, each Value: StorableValue>(
    _ names: [String], _ a: A.Type, _ b: B.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, B, repeat each Value)] {
    try readDistinct(
      names,
      RowReader.tuple(
        A.self, B.self, repeat (each Value).self, of: names, names.map(store.converter(named:))))
  }

  private func readDistinct<R>(
    _ properties: [String], _ make: (Row) throws -> R
  ) throws -> [R] {
    let columns = try columns(of: properties)
    let shapes = columns.map(\.value)
    guard order.allSatisfy({ shapes.contains($0.value) }) else {
      throw VaultError(
        .invalidArgument,
        "The query is sorted by a property that is not among the distinct values, so a value of "
          + "several objects has no single position. Sort by the requested properties.")
    }
    let ties = shapes.map { SortKey($0, ascending: !reversesTies) }
    let sql = store.state.sql
    let keys = (order + ties).map { $0.sql(table: sql.table, columns: sql.quotedColumns) }
    return try readRows({ $0.distinct(columns.map(\.sql), order: keys) }) {
      try naming(properties, $0, make)
    }
  }
}

extension Query where T: Sendable {
  /// Returns the distinct values of a property without blocking the caller's thread.
  public func distinctValues<V: StorableValue & Sendable>(
    of property: String, as type: V.Type = V.self
  ) async throws -> [V] {
    try await store.reading { try distinctValues(of: property) }
  }

  /// Returns the distinct combinations of values without blocking the caller's thread.
  public func distinctValues(of properties: [String]) async throws -> [[StoredValue]] {
    try await store.reading { try distinctValues(of: properties) }
  }

  /// Returns the distinct combinations of values as tuples without blocking the caller's thread.
  public func distinctValues<
    A: StorableValue & Sendable, B: StorableValue & Sendable, each Value: StorableValue & Sendable
  >(
    of first: String, _ second: String, _ others: String..., as firstType: A.Type,
    _ secondType: B.Type, _ types: repeat (each Value).Type
  ) async throws -> [(A, B, repeat each Value)] {
    let names = [first, second] + others
    return try await store.reading {
      try distinctTuples(names, A.self, B.self, repeat (each Value).self)
    }
  }
}
