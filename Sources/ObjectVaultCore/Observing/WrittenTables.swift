import ObjectVaultDriver

/// The tables written by the open transaction, without writes that were rolled back to a savepoint.
struct WrittenTables {
  /// The written tables of each open transaction or savepoint, outermost first.
  private var levels: [Set<String>] = []
  private var committed: Set<String> = []

  /// Begins a transaction or a savepoint.
  mutating func begin(in record: TableRecord) {
    // Outside a transaction, earlier writes are committed.
    add(take(from: record))
    levels.append([])
  }

  /// Ends the innermost level and keeps its writes.
  mutating func keep(in record: TableRecord) {
    add(take(from: record))
    let level = levels.removeLast()
    add(level)
  }

  /// Adds tables to the innermost level.
  private mutating func add(_ tables: Set<String>) {
    guard !tables.isEmpty else { return }
    if levels.isEmpty {
      committed.formUnion(tables)
    } else {
      levels[levels.count - 1].formUnion(tables)
    }
  }

  /// Ends the innermost level and discards its writes.
  mutating func undo(in record: TableRecord) {
    record.forgetWritten()
    levels.removeLast()
  }

  /// Returns and clears the committed tables; empty while a transaction is open.
  mutating func takeCommitted() -> Set<String> {
    guard levels.isEmpty else { return [] }
    defer { committed = [] }
    return committed
  }

  private func take(from record: TableRecord) -> Set<String> {
    guard !record.written.isEmpty else { return [] }
    defer { record.forgetWritten() }
    return record.written
  }
}
