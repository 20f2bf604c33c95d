public import ObjectVaultCondition
import ObjectVaultEngine

extension Query {
  /// The values of one property of the objects; nothing else of them is read.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift.
  ///   - type: The type to read, which is the property's own or one that is stored alike.
  /// - Throws: ``VaultError``: `.noSuchProperty`, `.invalidValue` for a value that is not of the
  ///   type.
  public func values<V: StorableValue>(
    of property: String, as type: V.Type = V.self
  ) throws -> [V] {
    try read([property]) { try V.read(from: $0, at: 0) }
  }

  /// The values of some properties of the objects, as the file keeps them; nothing else of the
  /// objects is read.
  ///
  /// - Parameter properties: The names of the properties, as in Swift; `objectID` for a generated
  ///   objectID.
  /// - Returns: For each object its values, in the order of the names.
  /// - Throws: ``VaultError`` `.noSuchProperty`; `.invalidArgument` for no name at all.
  public func values(of properties: [String]) throws -> [[StoredValue]] {
    try read(properties) { row in properties.indices.map(row.storedValue(at:)) }
  }

  private func read<R>(_ properties: [String], _ make: (Row) throws -> R) throws -> [R] {
    guard !properties.isEmpty else {
      throw VaultError(.invalidArgument, "Name at least one property to read the values of.")
    }
    let quoted = store.state.sql.quotedColumns
    let columns = try properties.map { quoted[try store.property(named: $0).position] }
    return try store.read { connection in
      let text: (QuerySQL) -> String = { $0.select(columns.joined(separator: ", ")) }
      return try QuerySQL.with(self, text, on: connection) { statement in
        var results: [R] = []
        while try statement.step() { results.append(try make(statement.row)) }
        return results
      }
    }
  }
}

extension Query where T: Sendable {
  /// The values of one property of the objects, without blocking the caller's thread.
  public func values<V: StorableValue & Sendable>(
    of property: String, as type: V.Type = V.self
  ) async throws -> [V] {
    try await store.reading { try values(of: property) }
  }

  /// The values of some properties of the objects, without blocking the caller's thread.
  public func values(of properties: [String]) async throws -> [[StoredValue]] {
    try await store.reading { try values(of: properties) }
  }
}
