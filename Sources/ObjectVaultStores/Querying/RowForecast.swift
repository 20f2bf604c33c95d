import ObjectVaultDriver
import ObjectVaultSession

/// An estimate of the number of objects that a query for all objects returns.
///
/// The estimate extrapolates from the object IDs of the first rows: IDs are usually as dense at the
/// end of a table as at its beginning. With an estimate, a list allocates its memory once; a
/// growing list moves its elements at each reallocation.
struct RowForecast {
  /// The number of objects read before the estimate; smaller lists grow fast enough.
  static let sample = 1024

  /// The position of the ID among the columns.
  private let column: Int
  private let lastNumber: StatementText

  /// Creates a forecast, or returns `nil` for partial queries and for object IDs that are not
  /// integers.
  init?(_ query: QueryParts, of store: StoreAccess) {
    guard query.asksForAll, store.partition == nil, let lastNumber = store.table.sql.lastNumber
    else { return nil }
    column = store.table.objectIDPositions[0]
    self.lastNumber = lastNumber
  }

  /// Returns the ID of the current row of a statement.
  func number(_ statement: Statement) -> Int64 { statement.row.integer(at: column) }

  /// Returns the estimated number of objects, slightly too high, or `nil` if the IDs do not allow
  /// one.
  ///
  /// - Parameters:
  ///   - first: The ID of the first row.
  ///   - seen: The ID of the last row of the sample.
  ///   - session: The connection to read the last ID with.
  /// - Returns: The estimate, at most 10^9.
  /// - Throws: Errors of the statement that reads the last ID.
  func count(
    from first: Int64, over seen: Int64, on session: Session
  ) throws -> Int? {
    let last = try session.with(lastNumber) { try $0.step() ? $0.row.integer(at: 0) : seen }
    guard first < seen, seen <= last else { return nil }
    // The difference of two IDs can exceed 64 bits.
    let step = (Double(seen) - Double(first)) / Double(Self.sample - 1)
    let count = (Double(last) - Double(first)) / step * 1.125 + 2
    return Int(min(count, Self.most))
  }

  private static let most = 1e9
}
