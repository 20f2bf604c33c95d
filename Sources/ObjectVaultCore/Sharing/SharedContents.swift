import ObjectVaultCondition

/// Reads the contents that stand behind the values of shared properties, for rows that SQL of an
/// application chose.
struct SharedContents {
  private let positions: Set<Int>
  private let connection: VaultConnection

  /// `nil` for a class without shared properties.
  init?(of description: ClassDescription, on connection: VaultConnection) {
    positions = description.sharedPositions
    if positions.isEmpty { return nil }
    self.connection = connection
  }

  /// Puts contents in the place of what stands for them.
  ///
  /// - Throws: `.damaged` where one is lost.
  func resolve(_ values: inout [StoredValue]) throws {
    for position in positions {
      guard case .text(let digest) = values[position] else { continue }
      values[position] = try connection.with("SELECT \(SharedBlobs.contentFunction)(?1)") {
        StoredValue.text(digest).bind(to: $0.binder, at: 0)
        return try $0.step() ? $0.row.storedValue(at: 0) : .null
      }
    }
  }
}
