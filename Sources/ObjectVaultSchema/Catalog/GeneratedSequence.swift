import ObjectVaultDriver
import ObjectVaultModel
package import ObjectVaultSession

/// The numbers that the engine generates for the rows of a table, as the file records them (SQLite's
/// documentation, "SQLite Autoincrement").
package struct GeneratedSequence {
  private let table: String
  private let column: String

  /// Creates the sequence of a column of a table.
  package init(table: String, column: String = ClassDescription.generatedIDColumn) {
    self.table = table
    self.column = column
  }

  /// Returns the highest number that the file records; `nil` if it records none.
  ///
  /// - Parameter session: The connection to use.
  /// - Returns: The number.
  /// - Throws: The errors of the statement.
  package func recorded(on session: Session) throws -> Int64? {
    if let sql = session.connection.catalog.recordedNumber(table, column) {
      return try session.with(sql) { try $0.integer() }
    }
    guard try isRecorded(on: session) else { return nil }
    return try session.with("SELECT seq FROM sqlite_sequence WHERE name = ?1") { statement in
      statement.binder.bind(text: table, at: 0)
      return try statement.step() ? statement.row.integer(at: 0) : nil
    }
  }

  /// Takes the next number from the engine, which then generates it for no row.
  ///
  /// - Parameter session: The connection to use.
  /// - Returns: The number; `nil` if the engine only generates numbers in an insertion.
  /// - Throws: The errors of the statement.
  package func take(on session: Session) throws -> Int64? {
    guard let sql = session.connection.catalog.raising(table, column) else { return nil }
    return try session.with(sql) { statement in
      statement.binder.bindNull(at: 0)
      return try statement.integer()
    }
  }

  /// Prevents the engine from generating numbers up to this one; inside a transaction.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - session: The connection to use.
  /// - Throws: The errors of the statement.
  package func raise(to number: Int64, on session: Session) throws {
    if let sql = session.connection.catalog.raising(table, column) {
      return try session.with(sql) {
        $0.binder.bind(integer: number, at: 0)
        try $0.run()
      }
    }
    guard try isRecorded(on: session) else { return }
    // The engine adds the table with its first row.
    for sql in [
      "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1 AND seq < ?2",
      "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 "
        + "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)",
    ] {
      try session.with(sql) {
        let binder = $0.binder
        binder.bind(text: table, at: 0)
        binder.bind(integer: number, at: 1)
        try $0.run()
      }
    }
  }

  /// Removes the record of the highest number, if an engine without sequences has one.
  ///
  /// The engine only removes those of tables that generate numbers.
  ///
  /// - Parameter session: The connection to use, inside a transaction.
  /// - Throws: The errors of the statement.
  package func forget(on session: Session) throws {
    guard try isRecorded(on: session) else { return }
    try session.with("DELETE FROM sqlite_sequence WHERE name = ?1") { statement in
      statement.binder.bind(text: table, at: 0)
      try statement.run()
    }
  }

  /// Returns whether a row has the last possible number, so that none can be generated.
  ///
  /// - Parameter session: The connection to use.
  /// - Returns: Whether no number is left.
  /// - Throws: The errors of the statement.
  package func isUsedUp(on session: Session) throws -> Bool {
    let quoted = SQL.quoted(table)
    let lastRow =
      "SELECT 1 FROM \(quoted) WHERE \(quoted).\(SQL.quoted(column)) = \(Int64.max)"
    if session.connection.catalog.raising(table, column) != nil {
      return try session.with(lastRow) { try $0.step() }
    }
    // Without this table the engine does not record used numbers and searches for a free one.
    guard try isRecorded(on: session) else { return false }
    return try session.with(
      "SELECT 1 FROM sqlite_sequence WHERE name = ?1 "
        + "AND (seq = \(Int64.max) OR EXISTS (\(lastRow)))"
    ) { statement in
      statement.binder.bind(text: table, at: 0)
      return try statement.step()
    }
  }

  private func isRecorded(on session: Session) throws -> Bool {
    try Schema(on: session).hasTable("sqlite_sequence")
  }
}
