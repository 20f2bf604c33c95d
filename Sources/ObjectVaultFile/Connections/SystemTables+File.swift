import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
package import ObjectVaultSchema

// The format and the log of a file that has the system tables.

extension SystemTables {
  /// Checks the format of the tables.
  ///
  /// - Throws: `.newerFormat` if a newer version of the library wrote the tables.
  package func checkFormat(path: String) throws {
    let engine = session.engine
    // The table has a single page. A search by index, which the plus sign prevents, would read two.
    guard try engine.hasColumn("value", in: "objectvault_info"),
      let text = try engine.firstValue(
        "SELECT \"value\" FROM objectvault_info WHERE +\"key\" = 'format_version'")
    else { return }
    guard let version = Int(text), version <= Self.formatVersion else {
      throw VaultError(
        .newerFormat,
        "'\(path)' was written by a newer version of ObjectVault (format \(text); this version "
          + "supports up to \(Self.formatVersion)). Use that version.")
    }
  }

  /// Switches to a write-ahead log, so that readers can work during writes, and reads the mode
  /// back.
  ///
  /// The switch reads the file and then needs exclusive access. Two processes that wait for each
  /// other to stop reading would both wait in vain. Each therefore gives up at once, lets the other
  /// proceed, and retries until the busy timeout.
  package func enterWriteAheadLog() throws {
    let engine = session.engine
    let patience = try engine.pragma("busy_timeout").flatMap { Int($0) } ?? 0
    let deadline = ContinuousClock.now + .milliseconds(patience)
    try engine.setPragma("busy_timeout", to: "0", expecting: "0")
    let outcome = Result {
      while try !switchToWriteAheadLog(mayWait: ContinuousClock.now < deadline) {
        usleep(.random(in: 1_000...10_000))
      }
    }
    try engine.setPragma("busy_timeout", to: "\(patience)", expecting: "\(patience)")
    try outcome.get()
    // The first read opens the log. If the writer made no log, a reader would be the last to use
    // it, and a reader cannot remove the log when it closes.
    _ = try session.engine.pragma("user_version")
  }

  /// Tries to switch to a write-ahead log.
  ///
  /// - Returns: Whether the switch is done; `false` if another process prevents it and `mayWait` is
  ///   `true`.
  private func switchToWriteAheadLog(mayWait: Bool) throws -> Bool {
    do {
      try session.engine.setPragma("journal_mode", to: "WAL", expecting: "wal")
      return true
    } catch {
      guard mayWait, error.code == .busy else { throw error }
      return false
    }
  }

  /// Switches a vault without a write-ahead log to one.
  ///
  /// A file of another program is not changed.
  ///
  /// Such a vault was not finished after its tables were created, or became a vault inside a
  /// transaction.
  package func continueWriteAheadLog() throws {
    guard try session.engine.pragma("journal_mode") != "wal", try isVault() else { return }
    try enterWriteAheadLog()
  }
}
