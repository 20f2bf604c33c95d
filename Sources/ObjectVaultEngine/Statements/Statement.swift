internal import CSQLCipher

/// A statement that was read by the engine and can be run many times.
///
/// It belongs to its connection and shares the connection's rule: one owner at a time. When the
/// connection closes, the statement is finalized with it and every later use fails.
package final class Statement {
  /// `nil` once finalized. Most of the engine's functions answer that with a misuse code or
  /// nothing; the others are not called.
  @exclusivity(unchecked) @usableFromInline private(set) var pointer: OpaquePointer?
  @usableFromInline let arena = BindingArena()
  /// `nil` once the connection is closed.
  private unowned(unsafe) var connection: Connection?
  /// The tables of the file that it reads, in lower case. SQLite before 3.19 leaves out those of which
  /// it reads no column: `SELECT count(*) FROM t`.
  package let readTables: [String]
  /// The tables of the file that it can change, by cascades and triggers too, in lower case.
  private var writtenTables: [String]
  /// Whether there are such tables.
  @usableFromInline package let writes: Bool
  /// Whether it was run since it was last reset: the engine need not be told otherwise.
  @exclusivity(unchecked) @usableFromInline var isStepped = false
  /// The connection's number when it noted its tables there.
  @exclusivity(unchecked) private var writtenEpoch = 0

  init(_ pointer: OpaquePointer, connection: Connection) {
    self.pointer = pointer
    self.connection = connection
    let tables = connection.compiled.take()
    readTables = tables.read
    writtenTables = tables.written
    writes = !tables.written.isEmpty
    connection.statementWasMade(self)
  }

  deinit {
    if pointer != nil { connection?.statementWillGo(self) }
    sqlite3_finalize(pointer)
  }

  // MARK: Running

  /// Binds values anew: whatever was bound before is gone and the statement starts over.
  @inlinable
  package var binder: Binder {
    if let pointer {
      endRun()
      sqlite3_clear_bindings(pointer)
    }
    arena.reset()
    return Binder(statement: pointer, arena: arena)
  }

  /// Binds all values anew, each of them: one that were left out would be what it was before.
  @inlinable
  package var rebinder: Binder {
    if pointer != nil { endRun() }
    arena.reset()
    return Binder(statement: pointer, arena: arena)
  }

  /// Runs until the next row.
  ///
  /// - Returns: whether there is a row; `false` when the statement is done.
  /// - Throws: what a value could not be bound for, or what the engine reports. The statement is
  ///   reset then, so that it holds no lock.
  @inlinable
  package func step() throws(EngineError) -> Bool {
    if arena.failure == SQLITE_OK {
      isStepped = true
      let code = sqlite3_step(pointer)
      if writes { noteWrites() }
      if code == SQLITE_ROW { return true }
      if code == SQLITE_DONE { return false }
      throw failed(code)
    }
    throw failed(arena.failure)
  }

  /// Notes on the connection which tables were written to.
  ///
  /// Also where the step failed: what it did before that may stay.
  @usableFromInline
  func noteWrites() {
    guard let connection else { return }
    if connection.compiled.hasWritten {
      // The engine compiled it anew, since the schema was changed.
      let tables = connection.compiled.take().written
      writtenTables += tables.filter { !writtenTables.contains($0) }
    } else if writtenEpoch == connection.writtenEpoch {
      return
    }
    writtenEpoch = connection.writtenEpoch
    connection.writtenTables.formUnion(writtenTables)
  }

  /// Runs to the end and resets, whatever rows come.
  @inlinable
  package func run() throws(EngineError) {
    while try step() {}
    reset()
  }

  /// Ends the run: the statement holds no row, no lock and no snapshot any more.
  ///
  /// The values bound stay for the next run, unless they are large: those are given back, and
  /// running without binding anew fails.
  @inlinable
  package func reset() {
    endRun()
    if let pointer, arena.holdsMuch {
      sqlite3_clear_bindings(pointer)
      arena.reset()
      arena.failure = SQLITE_MISUSE
    }
  }

  @inlinable @inline(__always)
  func endRun() {
    guard isStepped else { return }
    sqlite3_reset(pointer)
    isStepped = false
  }

  /// The row the statement stands on.
  @inlinable
  package var row: Row { Row(statement: pointer) }

  /// The row the statement stands on, with what its reader needs to know.
  @inlinable
  package func row(layout: AnyObject?) -> Row { Row(statement: pointer, layout: layout) }

  @usableFromInline
  func failed(_ code: Int32) -> EngineError {
    guard let pointer else {
      return EngineError(
        .misuse, "the statement was used after its connection was closed",
        resultCode: SQLITE_MISUSE)
    }
    let error =
      connection?.failure(code, moment: .running)
      ?? EngineError.from(code, database: sqlite3_db_handle(pointer), moment: .running)
    endRun()
    return error
  }

  // MARK: Description

  /// How many columns its rows have; 0 when it gives none.
  package var columnCount: Int { Int(sqlite3_column_count(pointer)) }

  /// The name of a column, counted from 0; empty outside the columns.
  package func columnName(at position: Int) -> String {
    guard let pointer, let column = Int32(exactly: position),
      let name = sqlite3_column_name(pointer, column)
    else { return "" }
    return String(cString: name)
  }

  /// How many parameters it has.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

  /// Whether running it cannot change the file.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }

  /// Whether it stands on a row, and so holds a snapshot.
  package var isBusy: Bool { sqlite3_stmt_busy(pointer) != 0 }

  /// The text it was made from, with its parameters unfilled.
  package var sql: String { sqlite3_sql(pointer).map { String(cString: $0) } ?? "" }

  /// Ends it while its connection is the caller's, whoever holds it for longer; later uses fail.
  package func finalize() {
    if pointer != nil { connection?.statementWillGo(self) }
    invalidate()
  }

  /// Finalizes it for its connection, which is about to close.
  func invalidate() {
    sqlite3_finalize(pointer)
    pointer = nil
    connection = nil
  }
}
