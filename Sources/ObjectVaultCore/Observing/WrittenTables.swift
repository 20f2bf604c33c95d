import ObjectVaultEngine

/// The tables that the open transaction wrote to, without what was undone to a savepoint.
struct WrittenTables {
  /// For each transaction that is open, one inside the other, what it wrote to.
  private var levels: [Set<String>] = []
  private var committed: Set<String> = []

  /// A transaction, or a savepoint in it, begins.
  mutating func begin(on engine: Connection) {
    // Outside every transaction, what was written before this one is committed.
    add(take(from: engine))
    levels.append([])
  }

  /// The innermost level is kept.
  mutating func keep(on engine: Connection) {
    add(take(from: engine))
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

  /// The innermost level is undone.
  mutating func undo(on engine: Connection) {
    engine.forgetWrittenTables()
    levels.removeLast()
  }

  /// What is committed and was not taken yet; nothing while a transaction is open.
  mutating func takeCommitted() -> Set<String> {
    guard levels.isEmpty else { return [] }
    defer { committed = [] }
    return committed
  }

  private func take(from engine: Connection) -> Set<String> {
    guard !engine.writtenTables.isEmpty else { return [] }
    defer { engine.forgetWrittenTables() }
    return engine.writtenTables
  }
}
