import ObjectVaultCondition
public import ObjectVaultModel

extension Query where T == DynamicObject {
  /// Returns the objects with some of their properties and their objectIDs; nothing else is read.
  ///
  /// Such a partial object has no value for the other properties, not even `nil`: reading one
  /// fails, and so does storing the whole object. `update(_:only:)` writes the properties that it
  /// has.
  ///
  /// - Parameter properties: The names of the properties.
  /// - Returns: The partial objects, in order.
  /// - Throws: ``VaultError`` `.noSuchProperty`.
  public func all(only properties: String...) throws -> [DynamicObject] {
    try all(only: properties)
  }

  /// Returns the objects with some of their properties and their objectIDs.
  ///
  /// - Throws: The errors of ``all(only:)-(String...)``.
  public func all(only properties: [String]) throws -> [DynamicObject] {
    let layout = store.state.layout
    let description = layout.description
    let named = Set(try properties.map { try layout.position(of: $0) })
    let positions = named.union(description.objectIDPositions).sorted()
    let columns = positions.map { store.state.sql.readColumns[$0] }
    return try readRows({ $0.select(columns.joined(separator: ", ")) }) {
      DynamicObject(row: $0, having: positions, of: layout)
    }
  }

  /// Returns partial objects without blocking the caller's thread.
  public func all(only properties: String...) async throws -> [DynamicObject] {
    try await store.reading { try all(only: properties) }
  }
}
