/// A cache of a connection's statements that are likely to run again, by their text.
///
/// A statement that is still referenced elsewhere is not returned a second time.
package struct StatementCache {
  private struct Entry {
    var sql: StatementText
    var statement: Statement
    var lastUse: UInt64
  }

  private var entries: [Entry] = []
  /// The position of each text's statement.
  private var positions: [StatementText: Int] = [:]
  /// The positions of recently found statements, by the last bits of the text's hash.
  ///
  /// In most cases, this is the requested statement.
  private var lately = [Int](repeating: 0, count: 64)
  private var clock: UInt64 = 0
  package let capacity: Int

  package init(capacity: Int) {
    self.capacity = capacity
  }

  package var count: Int { entries.count }

  /// The result of a lookup.
  package enum Found {
    case free(Statement)
    case inUse
    case nothing
  }

  package mutating func find(_ sql: StatementText) -> Found {
    guard let position = position(of: sql) else { return .nothing }
    guard isKnownUniquelyReferenced(&entries[position].statement) else { return .inUse }
    clock &+= 1
    entries[position].lastUse = clock
    let statement = entries[position].statement
    // Its last user may have left it at a row.
    if statement.isBusy { statement.reset() }
    return .free(statement)
  }

  private mutating func position(of sql: StatementText) -> Int? {
    let place = sql.hash & 63
    let guess = lately[place]
    if guess < entries.count, entries[guess].sql == sql {
      // An equal text that is another object is likely to be used from now on.
      if entries[guess].sql !== sql { entries[guess].sql = sql }
      return guess
    }
    guard let position = positions[sql] else { return nil }
    lately[place] = position
    return position
  }

  /// Adds a statement.
  ///
  /// If the cache is full, the least recently used statement is removed.
  package mutating func keep(_ statement: Statement, for sql: StatementText) {
    guard capacity > 0 else { return }
    clock &+= 1
    let entry = Entry(sql: sql, statement: statement, lastUse: clock)
    if let position = positions[sql] {
      entries[position] = entry
    } else if entries.count < capacity {
      positions[sql] = entries.count
      entries.append(entry)
    } else if let oldest = entries.indices.min(by: { entries[$0].lastUse < entries[$1].lastUse }) {
      positions[entries[oldest].sql] = nil
      positions[sql] = oldest
      entries[oldest] = entry
    }
  }

  package mutating func removeAll() {
    entries.removeAll()
    positions.removeAll()
  }
}
