import ObjectVaultDriver

/// The tables written by the open transaction, without writes that were rolled back to a savepoint.
///
/// The connection records the tables of its innermost level; those of the enclosing levels are here.
struct WrittenTables {
  private var depth = 0
  /// The tables that were written before each open savepoint began, outermost first.
  private var enclosing: [Set<String>] = []

  /// Begins a transaction or a savepoint.
  mutating func begin(in record: TableRecord) {
    // Outside a transaction, earlier writes are committed.
    if depth > 0 { enclosing.append(record.written) }
    record.forgetWritten()
    depth += 1
  }

  /// Ends the innermost savepoint and keeps its writes.
  mutating func keep(in record: TableRecord) {
    depth -= 1
    record.noteWritten(enclosing.removeLast())
  }

  /// Ends the innermost level and discards its writes.
  mutating func undo(in record: TableRecord) {
    depth -= 1
    record.forgetWritten()
    if let tables = enclosing.popLast() { record.noteWritten(tables) }
  }

  /// Ends the transaction and keeps its writes in the record.
  mutating func commit() { depth = 0 }
}
