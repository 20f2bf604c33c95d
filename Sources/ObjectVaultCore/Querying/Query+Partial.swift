import ObjectVaultCondition
import ObjectVaultEngine

extension Query where T == DynamicObject {
  /// The objects with some of their properties only, and their objectIDs; nothing else is read.
  ///
  /// Such an object has no value for the others, not even `nil`: asking for one fails, and so does
  /// storing the object as a whole. `update(_:only:)` writes properties that it has.
  ///
  /// - Parameter properties: The names of the properties.
  /// - Throws: ``VaultError`` `.noSuchProperty`.
  public func all(only properties: String...) throws -> [DynamicObject] {
    try all(only: properties)
  }

  /// The objects with some of their properties only.
  ///
  /// - Throws: as ``all(only:)-(String...)``.
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

  /// The objects with some of their properties only, without blocking the caller's thread.
  public func all(only properties: String...) async throws -> [DynamicObject] {
    try await store.reading { try all(only: properties) }
  }
}
