import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultSession
import ObjectVaultStores

/// The number of transactions committed since counting began.
///
/// It is a row of `objectvault_info`, which each transaction that changes the file increments. A
/// file restored from an older copy has a smaller number than the caller remembers, although each
/// of its pages is authentic.
package enum CommitCounter {
  /// The key of the row.
  package static let key = "commit_counter"

  /// A connection's cached knowledge of whether the file counts commits.
  ///
  /// Starting to count also changes the schema. So every connection of every process compiles its
  /// statements again before its next write, and then knows that it must check.
  struct Knowledge {
    /// The number of compiled write statements when the counter was last found missing.
    private var absentAt: Int?

    /// Returns whether counting cannot have begun since the last check.
    func isAbsent(on engine: Connection) -> Bool { absentAt == engine.compiledWriteCount }

    mutating func note(isCounting: Bool, on engine: Connection) {
      absentAt = isCounting ? nil : engine.compiledWriteCount
    }
  }

  /// Counts the transaction that is about to commit, if the file counts commits.
  static func raise(on session: Session) throws {
    if session.file.counter.isAbsent(on: session.engine) { return }
    let isCounting: Bool
    do {
      isCounting = try session.with(
        "UPDATE objectvault_info SET \"value\" = CAST(\"value\" AS INTEGER) + 1 "
          + "WHERE \"key\" = '\(key)'"
      ) { statement in
        try statement.run()
        return session.engine.changes > 0
      }
    } catch let error as DriverError {
      // Files of other programs lack the table.
      guard error.code == .sqlError else { throw error }
      isCounting = false
    }
    session.file.counter.note(isCounting: isCounting, on: session.engine)
  }

  /// Starts counting, unless the file already counts.
  ///
  /// The enclosing transaction is counted first.
  static func begin(on session: Session) throws {
    try session.execute(
      "INSERT OR IGNORE INTO objectvault_info VALUES ('\(key)', '0')")
    // This only changes the schema, which every connection notices.
    try session.execute("CREATE TABLE objectvault_counting (\"nothing\")")
    try session.execute("DROP TABLE objectvault_counting")
    session.file.counter.note(isCounting: true, on: session.engine)
  }

  /// Returns the number in a file that is read without the engine; `nil` if counting never began or
  /// the number is unreadable.
  package static func value(in pages: StoredPages, _ schema: StoredSchema) throws -> Int? {
    guard let info = schema.entries.first(where: { $0.name == "objectvault_info" }) else {
      return nil
    }
    var found: Int?
    _ = try TreeScan(pages: pages, root: info.root, isTable: true) { row in
      guard let values = row.record?.values, values.count == 2, case .text(let key) = values[0],
        case .text(let value) = values[1], pages.encoding.text(key) == Self.key
      else { return }
      found = Int(pages.encoding.text(value))
    }
    return found
  }
}
