import ObjectVaultDriver

/// The tables written by the open transaction, without writes that were rolled back to a savepoint.
///
/// The connection records the tables of its innermost level; those of the enclosing levels are here.
struct WrittenTables {
  /// The tables that were written before each open savepoint began, outermost first.
  private var enclosing: [Set<String>] = []

  /// Begins a transaction, or a savepoint in it if `isNested`.
  mutating func begin(in record: TableRecord, isNested: Bool) {
    // Outside a transaction, earlier writes are committed.
    if isNested { enclosing.append(record.written) }
    record.forgetWritten()
  }

  /// Ends the innermost savepoint and keeps its writes.
  mutating func keep(in record: TableRecord) {
    record.noteWritten(enclosing.removeLast())
  }

  /// Ends the innermost level and discards its writes.
  mutating func undo(in record: TableRecord) {
    record.forgetWritten()
    if let tables = enclosing.popLast() { record.noteWritten(tables) }
  }
}
