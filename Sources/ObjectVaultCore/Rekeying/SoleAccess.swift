import ObjectVaultEngine

/// A connection to the file that is read, while its content cannot change.
protocol SourceAccess: AnyObject {
  var connection: Connection { get }
  /// The journal mode of the file, in lower case.
  var journalMode: String { get }
}

/// The only connection to a file: nobody else, in this process or another, can read or write it
/// while this lives.
///
/// A write-ahead log is played into the file first and left empty: a log that outlived its file would
/// be played into the one that takes its place. But for that the file stays as it is, to the byte.
final class SoleAccess: SourceAccess {
  let connection: Connection
  let journalMode: String

  /// - Parameter connection: An exclusive one. In a file with a write-ahead log its first look took
  ///   the lock that keeps everybody out.
  /// - Throws: `.busy` (as the engine's) where somebody has the file open.
  init(_ connection: Connection) throws {
    self.connection = connection
    journalMode = try connection.pragma("journal_mode")?.lowercased() ?? "delete"
    if journalMode == "wal" {
      try connection.checkpoint(.truncate)
    } else {
      // The lock stays after the commit. No copy can be made while a transaction is open.
      try connection.execute("BEGIN EXCLUSIVE")
      try connection.execute("COMMIT")
    }
  }

  deinit { try? connection.close() }
}

/// A connection that reads one state of a file; others may go on writing where it has a write-ahead
/// log.
final class SnapshotAccess: SourceAccess {
  let connection: Connection
  let journalMode: String

  init(_ connection: Connection) throws {
    self.connection = connection
    journalMode = try connection.pragma("journal_mode")?.lowercased() ?? "delete"
    try connection.execute("BEGIN DEFERRED")
    // The engine takes the snapshot at the first look.
    _ = try connection.pragma("schema_version")
  }

  deinit { try? connection.close() }
}
