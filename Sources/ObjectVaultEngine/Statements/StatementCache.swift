/// The statements of one connection that are likely to run again, by their text.
///
/// A statement that someone still holds is never handed out a second time.
struct StatementCache {
  private struct Entry {
    var statement: Statement
    var lastUse: UInt64
  }

  private var entries: [StatementText: Entry] = [:]
  private var clock: UInt64 = 0
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { entries.count }

  /// What a look-up found.
  enum Found {
    case free(Statement)
    case inUse
    case nothing
  }

  mutating func find(_ sql: StatementText) -> Found {
    guard let index = entries.index(forKey: sql) else { return .nothing }
    guard isKnownUniquelyReferenced(&entries.values[index].statement) else { return .inUse }
    clock &+= 1
    entries.values[index].lastUse = clock
    let statement = entries.values[index].statement
    // Its last user may have left it on a row.
    if statement.isBusy { statement.reset() }
    return .free(statement)
  }

  /// Keeps a statement; the one unused for longest makes room.
  mutating func keep(_ statement: Statement, for sql: StatementText) {
    guard capacity > 0 else { return }
    if entries.count >= capacity,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries.removeValue(forKey: oldest.key)
    }
    clock &+= 1
    entries[sql] = Entry(statement: statement, lastUse: clock)
  }

  mutating func removeAll() {
    entries.removeAll()
  }
}
