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

  /// Creates the batches of a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - columns: The SQL expressions to read.
  ///   - order: The SQL expressions that order the rows; no two rows are equal in all of them, and
  ///     none is NULL.
  ///   - size: The greatest number of rows in a batch.
  package init(of table: String, columns: [String], order: [String], size: Int) {
    self.table = table
    self.columns = columns
    self.order = order
    self.size = size
  }

  /// Calls `body` with each batch.
  ///
  /// - Parameters:
  ///   - session: The connection to use.
  ///   - body: Receives the rows, of which there is one or more.
  /// - Throws: The errors of the statements and of `body`.
  package func forEach(on session: Session, _ body: ([Element]) throws -> Void) throws {
    var last: [StoredValue] = []
    while true {
      let rows = try rows(after: last, on: session)
      guard let next = rows.last?.order else { return }
      try body(rows)
      last = next
    }
  }

  private func rows(after last: [StoredValue], on session: Session) throws -> [Element] {
    let names = order.joined(separator: ", ")
    let start = last.isEmpty ? "" : "WHERE (\(names)) > (\(SQL.parameters(last.indices))) "
    return try session.with(
      "SELECT \((columns + order).joined(separator: ", ")) FROM \(SQL.quoted(table)) "
        + "\(start)ORDER BY \(names) LIMIT \(size)"
    ) { statement in
      let binder = statement.binder
      for (position, value) in last.enumerated() { value.bind(to: binder, at: position) }
      return try statement.rows { row in
        (
          columns.indices.map(row.storedValue(at:)),
          order.indices.map { row.storedValue(at: columns.count + $0) }
        )
      }
    }
  }
}
