import ObjectVaultEngine

/// The only connection to a file: nobody else, in this process or another, can read or write it
/// while this lives.
///
/// A write-ahead log is played into the file first, and left: a log that outlived its file would be
/// played into the one that takes its place.
final class SoleAccess {
  let connection: Connection
  /// The journal mode that the file had.
  let journalMode: String

  /// - Throws: `.busy` (as the engine's) where somebody has the file open; it is as before then, but
  ///   for the log.
  init(_ connection: Connection) throws {
    self.connection = connection
    journalMode = try connection.pragma("journal_mode")?.lowercased() ?? "delete"
    if journalMode == "wal" { try connection.checkpoint(.truncate) }
    do {
      try connection.setPragma("journal_mode", to: "DELETE", expecting: "delete")
      try connection.setPragma("locking_mode", to: "EXCLUSIVE", expecting: "exclusive")
      // The lock stays after the commit. No copy can be made while a transaction is open.
      try connection.execute("BEGIN EXCLUSIVE")
      try connection.execute("COMMIT")
    } catch {
      restore()
      throw error
    }
  }

  /// Gives the file its journal mode back, for nothing came of the work.
  func restore() {
    // The next open does the same for a vault; another program's file is as good with a journal.
    _ = try? connection.setPragma("locking_mode", to: "NORMAL", expecting: "normal")
    _ = try? connection.pragma("user_version")
    if journalMode == "wal" {
      _ = try? connection.setPragma("journal_mode", to: "WAL", expecting: "wal")
    }
  }
}
