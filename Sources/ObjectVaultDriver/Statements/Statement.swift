public import CSQLCipher

/// The part of a connection that the statements it compiled need.
@usableFromInline
package protocol StatementOwner: AnyObject {
  /// The tables that the connection's statements read and write.
  var record: TableRecord { get }

  /// Adds a statement to those that are finalized when the connection closes.
  func statementWasMade(_ statement: Statement)

  /// Removes a statement from those that are finalized when the connection closes.
  func statementWillGo(_ statement: Statement)

  /// Returns the error for a result code of the engine.
  func failure(_ code: Int32, moment: DriverError.Moment) -> DriverError
}

/// A compiled statement that can be run many times.
///
/// It belongs to its connection and follows the connection's rule: one owner at a time. When the
/// connection closes, the statement is finalized and every later use fails.
@usableFromInline
package final class Statement {
  /// The engine's statement, or `nil` after finalization.
  ///
  /// For `nil`, most of the engine's functions return a misuse code or nothing. The others are not
  /// called.
  @exclusivity(unchecked) @usableFromInline private(set) var pointer: OpaquePointer?
  /// The statement of another engine, which has no pointer; `nil` after finalization.
  @exclusivity(unchecked) private(set) var foreign: (any ForeignStatement)?
  @usableFromInline let arena = BindingArena()
  /// The connection, or `nil` after it was closed.
  private unowned(unsafe) var owner: (any StatementOwner)?
  private let record: TableRecord
  /// The tables of the file that the statement reads, in lower case, under the schema for which it
  /// was first compiled; see ``DriverConnection/forgetOutdatedStatements()``.
  ///
  /// SQLite before 3.19 omits tables of which no column is read, as in `SELECT count(*) FROM t`.
  package let readTables: [String]
  /// The tables of the file that the statement can change, including cascades and triggers, in
  /// lower case.
  private var writtenTables: [String]
  /// Whether the statement can change a table.
  @usableFromInline package let writes: Bool
  /// Whether the statement has run since its last reset, and so must be reset in the engine.
  @exclusivity(unchecked) @usableFromInline var isStepped = false
  /// The connection's epoch in which the statement recorded its written tables.
  private var writtenEpoch = 0

  /// Creates a statement for one that the engine compiled.
  package init(_ pointer: OpaquePointer, owner: any StatementOwner) {
    self.pointer = pointer
    self.owner = owner
    record = owner.record
    let tables = record.compiled.take()
    readTables = tables.read
    writtenTables = tables.written
    writes = !tables.written.isEmpty
    owner.statementWasMade(self)
  }

  /// Creates a statement for one that another engine compiled.
  ///
  /// - Parameters:
  ///   - foreign: The statement.
  ///   - owner: The connection.
  ///   - read: The tables that it reads, in lower case.
  ///   - written: The tables that it can change, in lower case.
  package init(
    _ foreign: any ForeignStatement, owner: any StatementOwner, reading read: [String],
    writing written: [String]
  ) {
    self.foreign = foreign
    self.owner = owner
    record = owner.record
    readTables = read
    writtenTables = written
    writes = !written.isEmpty
    arena.filling.values = []
    arena.takesMore = true
    owner.statementWasMade(self)
  }

  deinit {
    if pointer != nil || foreign != nil { owner?.statementWillGo(self) }
    foreign?.finalize()
    sqlite3_finalize(pointer)
  }

  // MARK: Running

  /// A binder for new values.
  ///
  /// Previous values are removed and the statement is reset.
  @inlinable
  package var binder: Binder {
    if let pointer {
      endRun()
      sqlite3_clear_bindings(pointer)
    } else {
      clearElsewhere()
    }
    arena.reset()
    return Binder(statement: pointer, arena: arena)
  }

  /// A binder that requires all values to be bound.
  ///
  /// A value that is not bound keeps its previous value.
  @inlinable
  package var rebinder: Binder {
    endRun()
    arena.reset()
    return Binder(statement: pointer, arena: arena)
  }

  /// Runs until the next row.
  ///
  /// - Returns: Whether there is a row; `false` when the statement is done.
  /// - Throws: The error of binding a value, or an error of the engine. The statement is reset
  ///   then, so that it holds no lock.
  @inlinable
  package func step() throws(DriverError) -> Bool {
    if arena.failure == SQLITE_OK {
      isStepped = true
      guard let pointer else { return try stepElsewhere() }
      let code = sqlite3_step(pointer)
      if writes { noteWrites() }
      if code == SQLITE_ROW { return true }
      if code == SQLITE_DONE { return false }
      throw failed(code)
    }
    throw failed(arena.failure)
  }

  /// Records on the connection the tables that the statement writes to.
  ///
  /// This includes failed steps, because their earlier effects may remain.
  @usableFromInline
  func noteWrites() {
    if pointer != nil || foreign != nil, record.isBehind(writtenEpoch) {
      record.note(&writtenTables, &writtenEpoch)
    }
  }

  /// Runs to the end, ignores rows, and resets the statement.
  @inlinable
  package func run() throws(DriverError) {
    while try step() {}
    reset()
  }

  /// Ends the run.
  ///
  /// The statement holds no row, no lock and no snapshot any more.
  ///
  /// Bound values are retained for the next run, unless they are large. Large values are released,
  /// and running without binding again fails.
  @inlinable
  package func reset() {
    endRun()
    if arena.filling.holdsMuch {
      if let pointer { sqlite3_clear_bindings(pointer) } else { clearElsewhere() }
      arena.reset()
      arena.failure = SQLITE_MISUSE
    }
  }

  @inlinable @inline(__always)
  func endRun() {
    guard isStepped else { return }
    sqlite3_reset(pointer)
    if pointer == nil { resetElsewhere() }
    isStepped = false
  }

  /// The current row.
  @inlinable
  package var row: Row { row(layout: nil) }

  /// Returns the current row with the layout for its reader.
  @inlinable
  package func row(layout: AnyObject?) -> Row {
    if pointer == nil { return rowElsewhere(layout) }
    return Row(statement: pointer, layout: layout)
  }

  @usableFromInline
  func failed(_ code: Int32) -> DriverError {
    guard pointer != nil, let owner else {
      return DriverError(
        .misuse,
        "The statement was used after its connection was closed. Prepare it again on an open "
          + "connection.",
        resultCode: SQLITE_MISUSE)
    }
    let error = owner.failure(isDamage(code) ? SQLITE_CORRUPT : code, moment: .running)
    endRun()
    return error
  }

  /// Returns whether the result code of a statement that reads rows means a page number out of range.
  ///
  /// Old engines report it as a full disk (SQLite 3.15, `getPageNormal`). The commands that end
  /// transactions count as reading, but return no rows.
  private func isDamage(_ code: Int32) -> Bool {
    code & 0xff == SQLITE_FULL && sqlite3_stmt_readonly(pointer) != 0
      && sqlite3_column_count(pointer) > 0
  }

  // MARK: Description

  /// The number of columns of its rows; 0 if it returns none.
  package var columnCount: Int {
    foreign?.columnNames.count ?? Int(sqlite3_column_count(pointer))
  }

  /// Returns the name of a column, counted from 0; empty for an invalid position.
  package func columnName(at position: Int) -> String {
    if let names = foreign?.columnNames {
      return names.indices.contains(position) ? names[position] : ""
    }
    guard let pointer, let column = Int32(exactly: position),
      let name = sqlite3_column_name(pointer, column)
    else { return "" }
    return String(cString: name)
  }

  /// The number of parameters.
  package var parameterCount: Int {
    foreign?.parameterCount ?? Int(sqlite3_bind_parameter_count(pointer))
  }

  /// Whether running the statement cannot change the file.
  package var isReadOnly: Bool {
    foreign != nil ? !writes : sqlite3_stmt_readonly(pointer) != 0
  }

  /// Whether the statement is at a row, and so holds a snapshot.
  package var isBusy: Bool { foreign?.isBusy ?? (sqlite3_stmt_busy(pointer) != 0) }

  /// The text of the statement, without parameter values.
  package var sql: String {
    foreign?.sql ?? sqlite3_sql(pointer).map { String(cString: $0) } ?? ""
  }

  /// Finalizes the statement while the caller owns its connection.
  ///
  /// Later uses by other holders fail.
  package func finalize() {
    if pointer != nil || foreign != nil { owner?.statementWillGo(self) }
    invalidate()
  }

  /// Finalizes the statement for its connection, which is about to close.
  package func invalidate() {
    sqlite3_finalize(pointer)
    foreign?.finalize()
    pointer = nil
    foreign = nil
    owner = nil
  }
}
