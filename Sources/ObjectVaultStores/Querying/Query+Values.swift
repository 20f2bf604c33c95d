public import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel

extension Query {
  /// Returns the values of one property of the objects; the statement reads only this property.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift, or a path that leads to one value.
  ///   - type: The type to read: the type of the property or one with the same stored form. For a
  ///     property with a converter, the property's type reads converted values, and any other type
  ///     reads the stored values.
  /// - Returns: One value for each object, in order.
  /// - Throws: ``VaultError``: `.noSuchProperty`, `.invalidValue` for a value that is not of the
  ///   type.
  public func values<V: StorableValue>(
    of property: String, as type: V.Type = V.self
  ) throws -> [V] {
    if let read = store.converter(named: property)?.reader(of: V.self) {
      return try self.read([property]) { try read($0, 0) }
    }
    return try read([property]) { try V.read(from: $0, at: 0) }
  }

  /// Returns some properties of the objects as stored values; nothing else of the objects is read.
  ///
  /// - Parameter properties: The names of the properties, as in Swift; `objectID` for a generated
  ///   objectID. A path that leads to one value, such as `classroom.name`, counts as a property.
  /// - Returns: The values of each object, in the order of the names.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidArgument` for an empty list of names.
  public func values(of properties: [String]) throws -> [[StoredValue]] {
    try read(properties) { row in properties.indices.map(row.storedValue(at:)) }
  }

  /// Returns some properties of the objects as tuples; nothing else of the objects is read.
  ///
  /// ```swift
  /// for (name, age) in try students.query.values(of: "name", "age", as: String.self, Int.self) {}
  /// ```
  ///
  /// - Parameters:
  ///   - first: The name of a property, or a path that leads to one value.
  ///   - second: The name or path of the second property.
  ///   - others: The names or paths of further properties.
  ///   - firstType: The type to read the first property as.
  ///   - secondType: The type to read the second property as.
  ///   - types: The types to read the other properties as.
  /// - Returns: One tuple for each object, in order.
  /// - Throws: The errors of ``values(of:as:)``; `.invalidArgument` if the number of types differs
  ///   from the number of names.
  public func values<A: StorableValue, B: StorableValue, each Value: StorableValue>(
    of first: String, _ second: String, _ others: String..., as firstType: A.Type,
    _ secondType: B.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, B, repeat each Value)] {
    try tuples([first, second] + others, A.self, B.self, repeat (each Value).self)
  }

  private func tuples<A: StorableValue, B: StorableValue, each Value: StorableValue>(
    _ names: [String], _ a: A.Type, _ b: B.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, B, repeat each Value)] {
    try read(
      names,
      RowReader.tuple(
        A.self, B.self, repeat (each Value).self, of: names, names.map(store.converter(named:))))
  }

  private func read<R>(_ properties: [String], _ make: (Row) throws -> R) throws -> [R] {
    let columns = try columns(of: properties).map(\.sql)
    return try readRows({ $0.select(columns.joined(separator: ", ")) }) {
      try naming(properties, $0, make)
    }
  }

  /// Returns the results of `make` for the rows of a statement of the query.
  func readRows<R>(
    _ text: (QuerySQL) -> String, _ make: (Row) throws -> R
  ) throws -> [R] {
    try store.read { session in
      try QuerySQL.with(self, text, on: session) { try $0.rows(make) }
    }
  }

  /// Returns the result of `make` for a row; its errors name properties instead of positions.
  @inline(__always)
  func naming<R>(_ properties: [String], _ row: Row, _ make: (Row) throws -> R) throws -> R {
    do {
      return try make(row)
    } catch let error as VaultError where error.code == .invalidValue {
      let name = store.classDescription.name
      throw error.naming(properties.count) { "Property '\(properties[$0])' of class '\(name)'" }
    }
  }

  /// Returns the shapes of properties and the SQL expressions that read them.
  ///
  /// - Throws: `.noSuchProperty`; `.invalidArgument` for an empty list of names.
  func columns(of properties: [String]) throws -> [(value: ValueShape, sql: String)] {
    guard !properties.isEmpty else {
      throw VaultError(.invalidArgument, "The query has no property to read. Pass at least one.")
    }
    let sql = store.state.sql
    return try properties.map { path in
      let shape = try store.value(named: path)
      var writer = ConditionSQLWriter(table: sql.table, columns: sql.quotedColumns)
      return (shape, writer.value(shape))
    }
  }
}

extension Query where T: Sendable {
  /// Returns the values of one property of the objects without blocking the caller's thread.
  public func values<V: StorableValue & Sendable>(
    of property: String, as type: V.Type = V.self
  ) async throws -> [V] {
    try await store.reading { try values(of: property) }
  }

  /// Returns some properties of the objects as stored values without blocking the caller's thread.
  public func values(of properties: [String]) async throws -> [[StoredValue]] {
    try await store.reading { try values(of: properties) }
  }

  /// Returns some properties of the objects as tuples without blocking the caller's thread.
  public func values<
    A: StorableValue & Sendable, B: StorableValue & Sendable, each Value: StorableValue & Sendable
  >(
    of first: String, _ second: String, _ others: String..., as firstType: A.Type,
    _ secondType: B.Type, _ types: repeat (each Value).Type
  ) async throws -> [(A, B, repeat each Value)] {
    let names = [first, second] + others
    return try await store.reading {
      try tuples(names, A.self, B.self, repeat (each Value).self)
    }
  }
}
