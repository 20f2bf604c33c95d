internal import CSQLCipher

/// A copy of all pages of one encrypted file into another, step by step: the engine decrypts each
/// under the key of the source and encrypts it under that of the destination.
///
/// Rowids, `user_version`, `application_id` and whatever else stands in pages come through; the page
/// size is the source's. A write to the source by another connection begins the copy anew.
///
/// Both connections must have a key. The engine itself would copy into a file in clear on 3.4
/// without a word, and make a broken file out of a clear one; a ``Connection`` has a key unless it
/// was made by ``Connection/plain(path:mode:options:)``.
package final class PageCopy {
  private let source: Connection
  private let destination: Connection
  private var backup: OpaquePointer?

  /// Begins a copy; nothing is written yet.
  ///
  /// - Throws: ``EngineError/Code/misuse`` where a connection has no key.
  package init(from source: Connection, to destination: Connection) throws(EngineError) {
    guard source.hasKey, destination.hasKey else {
      throw EngineError(
        .misuse, "pages are copied between encrypted files only; one of these has no key")
    }
    self.source = source
    self.destination = destination
    backup = sqlite3_backup_init(try destination.open(), "main", try source.open(), "main")
    guard backup != nil else { throw destination.failure(sqlite3_errcode(destination.database)) }
  }

  deinit { sqlite3_backup_finish(backup) }

  /// Copies some pages more.
  ///
  /// - Returns: Whether there are more. When there are not, the copy stands in the destination, which
  ///   only the engine's commit brought to the disk.
  /// - Throws: ``EngineError/Code/busy`` and its like; the copy can go on after that.
  package func step(pages: Int) throws(EngineError) -> Bool {
    let code = sqlite3_backup_step(backup, Int32(clamping: pages))
    switch code {
    case SQLITE_OK: return true
    case SQLITE_DONE:
      try finish()
      return false
    default: throw failure(code)
    }
  }

  /// Ends the copy, finished or not. What is unfinished is taken back.
  package func finish() throws(EngineError) {
    guard let backup else { return }
    // Counted before, for who asks after the end.
    counts = (total, remaining)
    self.backup = nil
    let code = sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private var counts = (total: 0, remaining: 0)

  /// How many pages the source has; 0 before the first step.
  package var total: Int { backup.map { Int(sqlite3_backup_pagecount($0)) } ?? counts.total }

  /// How many of them are still to be copied.
  package var remaining: Int {
    backup.map { Int(sqlite3_backup_remaining($0)) } ?? counts.remaining
  }

  /// The engine says on the destination's connection what went wrong, unless it was reading.
  private func failure(_ code: Int32) -> EngineError {
    let isRead = sqlite3_errcode(source.database) & 0xFF == code & 0xFF
    return (isRead ? source : destination).failure(code)
  }
}
