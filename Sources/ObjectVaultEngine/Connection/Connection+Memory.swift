internal import CSQLCipher
package import ObjectVaultDriver

extension Connection {
  private static var memoryPath: String { ":memory:" }

  /// Returns a new unencrypted in-memory database, which ends with the connection.
  package static func inMemory(
    options: ConnectionOptions = ConnectionOptions()
  ) throws(DriverError) -> Connection {
    try plain(path: memoryPath, mode: .readWrite, options: options)
  }

  /// Returns an in-memory copy of an in-memory database in its present state.
  ///
  /// - Throws: ``DriverError/Code/misuse`` for a connection to a file, whose contents must not be
  ///   stored unencrypted in memory.
  package func copyInMemory(options: ConnectionOptions) throws(DriverError) -> Connection {
    guard path == Self.memoryPath, cipher == nil else {
      throw DriverError(.misuse, "Only a database in memory can be copied in memory.")
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
