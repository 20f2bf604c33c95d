internal import CSQLCipher

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A copy of all pages of one encrypted file into another, step by step: the engine decrypts each
/// under the key of the source and encrypts it under that of the destination.
///
/// Rowids, `user_version`, `application_id` and whatever else stands in pages come through; the page
/// size is the source's. A write to the source by another connection begins the copy anew.
///
/// The destination's pages must be of the same size and have as much room for contents. Measured with
/// 4.6.1: of a file that 3.4.1 filled, a copy from format 3 to 4 ends with success, and the last 32
/// bytes of every full page are lost.
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
  /// - Throws: ``EngineError/Code/misuse`` where a connection has no key, or the pages of the
  ///   destination cannot hold those of the source.
  package init(from source: Connection, to destination: Connection) throws(EngineError) {
    guard let from = source.cipher, let to = destination.cipher else {
      throw EngineError(
        .misuse, "pages are copied between encrypted files only; one of these has no key")
    }
    guard from.pageSize == to.pageSize, from.reservedBytes >= to.reservedBytes else {
      throw EngineError(
        .misuse,
        "pages of \(from.pageSize) bytes in format \(from.format) do not fit into pages of "
          + "\(to.pageSize) bytes in format \(to.format); copy the rows")
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
    errno = 0
    let code = sqlite3_backup_step(backup, Int32(clamping: pages))
    let number = errno
    switch code {
    case SQLITE_OK: return true
    case SQLITE_DONE:
      try finish()
      return false
    default: throw failure(code, systemErrno: number)
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
  ///
  /// - Parameter number: The system's error number after a step, which the engine keeps for neither
  ///   connection.
  private func failure(_ code: Int32, systemErrno number: Int32 = 0) -> EngineError {
    let isRead = sqlite3_errcode(source.database) & 0xFF == code & 0xFF
    let error = (isRead ? source : destination).failure(code)
    switch error.code {
    case .inputOutput where [ENOSPC, EDQUOT, EFBIG].contains(number):
      return known(.diskFull, code, systemErrno: number)
    // What the cipher answers of a page that does not authenticate.
    case .sqlError: return known(.corrupt, code)
    default: return error
    }
  }

  private func known(
    _ kind: EngineError.Code, _ code: Int32, systemErrno number: Int32 = 0
  ) -> EngineError {
    EngineError(
      kind, EngineError.message(kind, code, engineText: "", moment: .other), resultCode: code,
      systemErrno: number)
  }
}
