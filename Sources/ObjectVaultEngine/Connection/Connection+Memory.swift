internal import CSQLCipher

extension Connection {
  private static var memoryPath: String { ":memory:" }

  /// Makes a database in memory, in clear, which ends with the connection.
  package static func inMemory(
    options: ConnectionOptions = ConnectionOptions()
  ) throws(EngineError) -> Connection {
    try plain(path: memoryPath, mode: .readWrite, options: options)
  }

  /// Copies a database in memory into another one, as it is now.
  ///
  /// - Throws: ``EngineError/Code/misuse`` for a connection to a file, whose contents must not come into
  ///   memory in clear.
  package func copyInMemory(options: ConnectionOptions) throws(EngineError) -> Connection {
    guard path == Self.memoryPath, cipher == nil else {
      throw EngineError(.misuse, "only what is in memory is copied in memory")
    }
    let copy = try Connection.inMemory(options: options)
    guard let backup = sqlite3_backup_init(try copy.open(), "main", try open(), "main") else {
      throw copy.failure(sqlite3_errcode(copy.database))
    }
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw copy.failure(end) }
    return copy
  }
}
