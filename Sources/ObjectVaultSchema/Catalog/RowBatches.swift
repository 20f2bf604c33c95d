package import ObjectVaultCondition
import ObjectVaultDriver
package import ObjectVaultSession

/// The rows of a table in an order, which are read some at a time.
///
/// Rows can be changed between two batches, but not the values that order them.
package struct RowBatches {
  /// A row.
  package typealias Element = (values: [StoredValue], order: [StoredValue])

  private let table: String
  private let columns: [String]
  private let order: [String]
  private let size: Int
  private let invalidText: ((Int) -> any Error)?

  /// The number of bytes of values that ends a batch.
  private static let byteLimit = 4 << 20
  /// The number of rows that are read first, because the size of rows is not known before.
  private static let firstCount = 16

  /// Creates the batches of a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - columns: The SQL expressions to read.
  ///   - order: The SQL expressions that order the rows; no two rows are equal in all of them, and
  ///     none is NULL.
  ///   - size: The greatest number of rows in a batch.
  ///   - invalidText: Returns the error for a text that is not UTF-8 in the column with this number;
  ///     `nil` to repair such texts.
  package init(
    of table: String, columns: [String], order: [String], size: Int,
    invalidText: ((Int) -> any Error)? = nil
  ) {
    self.table = table
    self.columns = columns
    self.order = order
    self.size = size
    self.invalidText = invalidText
  }

  /// Calls `body` with each batch. A row with which the values have 4 MiB or more ends its batch.
  ///
  /// - Parameters:
  ///   - session: The connection to use.
  ///   - body: Receives the rows, of which there is one or more.
  /// - Throws: The errors of the statements and of `body`.
  package func forEach(on session: Session, _ body: ([Element]) throws -> Void) throws {
    var rows: [Element] = []
    var byteCount = 0
    var last: [StoredValue] = []
    var count = min(size, Self.firstCount)
    while true {
      let mayContinue = try read(count, after: last, into: &rows, &byteCount, on: session)
      guard let end = rows.last else { return }
      last = end.order
      let average = max(1, byteCount / rows.count)
      if !mayContinue || rows.count >= size || byteCount >= Self.byteLimit {
        try body(rows)
        if !mayContinue { return }
        rows = []
        byteCount = 0
      }
      // An engine may have all rows that are read at once in memory.
      count = max(1, min(size - rows.count, (Self.byteLimit - byteCount) / average))
    }
  }

  /// Reads rows until there are `count` more, or their values have enough bytes for a batch.
  ///
  /// - Returns: Whether other rows may follow.
  private func read(
    _ count: Int, after last: [StoredValue], into rows: inout [Element], _ byteCount: inout Int,
    on session: Session
  ) throws -> Bool {
    let names = order.joined(separator: ", ")
    let start = last.isEmpty ? "" : "WHERE (\(names)) > (\(SQL.parameters(last.indices))) "
    return try session.with(
      "SELECT \((columns + order).joined(separator: ", ")) FROM \(SQL.quoted(table)) "
        + "\(start)ORDER BY \(names) LIMIT ?\(last.count + 1)"
    ) { statement in
      let binder = statement.binder
      for (position, value) in last.enumerated() { value.bind(to: binder, at: position) }
      binder.bind(integer: Int64(count), at: last.count)
      for _ in 0..<count {
        guard try statement.step() else { return false }
        let row = statement.row
        let values = try columns.indices.map { try value(at: $0, of: row) }
        let key = order.indices.map { row.storedValue(at: columns.count + $0) }
        rows.append((values, key))
        byteCount += values.reduce(0) { $0 + $1.byteCount }
        if byteCount >= Self.byteLimit { break }
      }
      return true
    }
  }

  private func value(at position: Int, of row: Row) throws -> StoredValue {
    let value = row.storedValue(at: position)
    guard let invalidText, case .text = value, row.validText(at: position) == nil else {
      return value
    }
    throw invalidText(position)
  }
}
