import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile

/// A connection to a file that sees the same contents all the time.
protocol SourceAccess: AnyObject {
  var connection: Connection { get }
  /// The journal mode of the file, in lower case.
  var journalMode: String { get }
  /// Whether the file cannot change while it is read, and has an empty log.
  ///
  /// Otherwise only the connection sees the same contents all the time.
  var isAlone: Bool { get }
}

/// An exclusive connection to a file: no other connection of any process can read or write the file
/// while it is open.
///
/// A write-ahead log is first played into the file and left empty, because a log that outlived its
/// file would be played into the file that replaces it. Apart from that, no byte of the file
/// changes.
final class SoleAccess: SourceAccess {
  var isAlone: Bool { true }
  let connection: Connection
  let journalMode: String

  /// Acquires exclusive access.
  ///
  /// - Parameters:
  ///   - connection: A connection in exclusive mode. In a file with a write-ahead log, its first
  ///     read acquired the lock that excludes all others.
  ///   - path: The path of a file whose log and journal are overwritten with zeros; `nil` to leave
  ///     their content on the disk. The connection must retain the log when it closes.
  /// - Throws: `.busy` (the engine's error) if another connection has the file open; an error if
  ///   the log cannot be overwritten.
  init(_ connection: Connection, erasingLogsOf path: String? = nil) throws {
    self.connection = connection
    journalMode = try connection.pragma("journal_mode")?.lowercased() ?? "delete"
    if journalMode == "wal" {
      if let path {
        let result = try connection.checkpoint(.full)
        guard result.framesCheckpointed == result.framesInLog else {
          throw VaultError(
            .busy, "The log of '\(path)' is in use. Close the file everywhere, and try again.")
        }
        try LeftoverFile.erase(path + "-wal")
      }
      try connection.checkpoint(.truncate)
      if path != nil { try connection.keepLogWhenClosing(false) }
    } else {
      // The lock is retained after the commit. Pages cannot be copied while a transaction is open.
      try connection.execute("BEGIN EXCLUSIVE")
      try connection.execute("COMMIT")
    }
    if let path { try LeftoverFile.erase(path + "-journal") }
  }

  deinit { try? connection.close() }
}

/// A connection that reads one snapshot of a file.
///
/// With a write-ahead log, other connections may continue to write.
final class SnapshotAccess: SourceAccess {
  var isAlone: Bool { false }
  let connection: Connection
  let journalMode: String

  init(_ connection: Connection) throws {
    self.connection = connection
    journalMode = try connection.pragma("journal_mode")?.lowercased() ?? "delete"
    try connection.execute("BEGIN DEFERRED")
    // The engine acquires the snapshot with the first read.
    _ = try connection.pragma("schema_version")
  }

  deinit { try? connection.close() }
}
