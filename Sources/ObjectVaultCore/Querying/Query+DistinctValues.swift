public import ObjectVaultCondition
import ObjectVaultEngine

extension Query {
  /// The values that a property of the objects has, each once; nothing else of them is read.
  ///
  /// They are in ascending order, `nil` first, or in the query's order where that is one of the
  /// property. A range counts values.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift, or a path that leads to one value.
  ///   - type: The type to read, which is the property's own or one that is stored alike.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidValue` for a value that is not of the
  ///   type; `.invalidArgument` for a query in the order of another property, in which a value that
  ///   several objects have has no one place.
  public func distinctValues<V: StorableValue>(
    of property: String, as type: V.Type = V.self
  ) throws -> [V] {
    if let read = store.converter(named: property)?.reader(of: V.self) {
      return try readDistinct([property]) { try read($0, 0) }
    }
    return try readDistinct([property]) { try V.read(from: $0, at: 0) }
  }

  /// The combinations of values that some properties of the objects have, each once, as the file
  /// keeps them.
  ///
  /// - Throws: as ``distinctValues(of:as:)``.
  public func distinctValues(of properties: [String]) throws -> [[StoredValue]] {
    try readDistinct(properties) { row in properties.indices.map(row.storedValue(at:)) }
  }

  /// The combinations of values that some properties of the objects have, each once, as tuples.
  ///
  /// - Throws: as ``distinctValues(of:as:)``; `.invalidArgument` where there are not as many types
  ///   as names.
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
        "The query is in the order of a property whose values are not asked for, so that a value "
          + "of several objects has no one place in it. Sort by the properties asked for.")
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
  /// The values that a property of the objects has, without blocking the caller's thread.
  public func distinctValues<V: StorableValue & Sendable>(
    of property: String, as type: V.Type = V.self
  ) async throws -> [V] {
    try await store.reading { try distinctValues(of: property) }
  }

  /// The combinations of values that some properties have, without blocking the caller's thread.
  public func distinctValues(of properties: [String]) async throws -> [[StoredValue]] {
    try await store.reading { try distinctValues(of: properties) }
  }

  /// The combinations of values that some properties have, as tuples, without blocking the caller's thread.
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
