package import ObjectVaultCondition
import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// A reader of shared contents for rows of an application's SQL statements.
package struct SharedContents {
  private let positions: Set<Int>
  private let session: Session

  /// Creates a reader, or returns `nil` for a class without shared properties.
  package init?(of description: ClassDescription, on session: Session) {
    positions = description.sharedPositions
    if positions.isEmpty { return nil }
    self.session = session
  }

  /// Replaces digests with their contents.
  ///
  /// - Throws: `.damaged` if a content is missing.
  package func resolve(_ values: inout [StoredValue]) throws {
    for position in positions {
      guard case .text(let digest) = values[position] else { continue }
      values[position] = try session.with("SELECT \(SharedBlobs.contentFunction)(?1)") {
        StoredValue.text(digest).bind(to: $0.binder, at: 0)
        return try $0.step() ? $0.row.storedValue(at: 0) : .null
      }
    }
  }
}
