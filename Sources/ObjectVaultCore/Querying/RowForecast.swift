import ObjectVaultEngine

/// How many objects a query for all of them is about to give, told by the objectIDs of the first ones:
/// numbers are mostly as dense at the end of a table as at its beginning.
///
/// A list that knows takes its memory once, where one that grows moves all it has each time.
struct RowForecast {
  /// How many objects are read before it is made: smaller lists grow fast enough.
  static let sample = 1024

  /// Where the number stands among the columns.
  private let column: Int
  private let lastNumber: StatementText

  /// `nil` for queries for less than all objects, and where objectIDs are no numbers.
  init?(_ query: QueryParts, of store: StoreAccess) {
    guard query.asksForAll, store.partition == nil, let lastNumber = store.state.sql.lastNumber
    else { return nil }
    column = store.state.objectIDPositions[0]
    self.lastNumber = lastNumber
  }

  /// The number of the row that the statement stands on.
  func number(_ statement: Statement) -> Int64 { statement.row.integer(at: column) }

  /// How many objects there are about, a few more rather than less; `nil` where the numbers do not
  /// tell.
  ///
  /// - Parameters:
  ///   - first: The number of the first one.
  ///   - seen: The number of the last one of the sample.
  func count(
    from first: Int64, over seen: Int64, on connection: VaultConnection
  ) throws -> Int? {
    let last = try connection.with(lastNumber) { try $0.step() ? $0.row.integer(at: 0) : seen }
    guard first < seen, seen <= last else { return nil }
    // Differences of the numbers may be too large for one.
    let step = (Double(seen) - Double(first)) / Double(Self.sample - 1)
    let count = (Double(last) - Double(first)) / step * 1.125 + 2
    return Int(min(count, Self.most))
  }

  private static let most = 1e9
}
