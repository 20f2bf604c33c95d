import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import Synchronization

/// The columns of a file that another program created with a collation.
///
/// Statements compare them by their bytes, as all other columns. They are read when a store is
/// created, so those of every table that a condition can reach are known.
package final class CollatedColumns: Sendable {
  private let columns = Locked<[String: Set<String>]>([:])
  private let exist = Atomic<Bool>(false)

  /// Reads the columns from the file.
  func read(on session: Session) throws {
    let found = try Schema(on: session).collatedColumns()
    columns.withLock { $0 = found }
    exist.store(!found.isEmpty, ordering: .releasing)
  }

  /// Returns the positions of a table's columns with a collation among `names`.
  func positions(of names: [String], in table: String) -> Set<Int> {
    guard exist.load(ordering: .acquiring),
      let collated = columns.withLock({ $0[table.asciiLowercased] })
    else { return [] }
    return Set(names.indices.filter { collated.contains(names[$0].asciiLowercased) })
  }
}
