import ObjectVaultEngine

/// How many transactions were committed since somebody asked for the number first.
///
/// It is a row of `objectvault_info`, and each transaction that changes the file raises it by one. A
/// file put back from an older copy has a smaller number than the caller remembers: page by page,
/// such a copy is authentic.
enum CommitCounter {
  /// The row's key.
  static let key = "commit_counter"

  /// Whether the file counts, as far as a connection knows.
  ///
  /// Whoever begins to count changes the schema too. So every connection of every process compiles
  /// its statements anew before it writes again, and by that learns that it must look.
  struct Knowledge {
    /// How many writing statements the connection had compiled when there was no counter.
    private var absentAt: Int?

    /// Whether nothing can have begun to count since that was last found out.
    func isAbsent(on engine: Connection) -> Bool { absentAt == engine.compiledWriteCount }

    mutating func note(isCounting: Bool, on engine: Connection) {
      absentAt = isCounting ? nil : engine.compiledWriteCount
    }
  }

  /// Counts the transaction that is about to be committed, where the file counts.
  static func raise(on connection: VaultConnection) throws {
    if connection.counter.isAbsent(on: connection.engine) { return }
    let isCounting: Bool
    do {
      isCounting = try connection.with(
        "UPDATE objectvault_info SET \"value\" = CAST(\"value\" AS INTEGER) + 1 "
          + "WHERE \"key\" = '\(key)'"
      ) { statement in
        try statement.run()
        return connection.engine.changes > 0
      }
    } catch let error as EngineError {
      // Another program's file has no such table.
      guard error.code == .sqlError else { throw error }
      isCounting = false
    }
    connection.counter.note(isCounting: isCounting, on: connection.engine)
  }

  /// Begins to count, unless the file does already; inside a transaction, which is counted first.
  static func begin(on connection: VaultConnection) throws {
    try connection.execute(
      "INSERT OR IGNORE INTO objectvault_info VALUES ('\(key)', '0')")
    // Nothing but a change of the schema, which everybody notices.
    try connection.execute("CREATE TABLE objectvault_counting (\"nothing\")")
    try connection.execute("DROP TABLE objectvault_counting")
    connection.counter.note(isCounting: true, on: connection.engine)
  }

  /// The number in a file whose pages are read without the engine; `nil` where it was never begun or
  /// cannot be read.
  static func value(in pages: StoredPages, _ schema: StoredSchema) throws -> Int? {
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
