internal import CSQLCipher
package import ObjectVaultDriver

internal import ObjectVaultPlatform

/// A stepwise copy of all pages of one encrypted file into another.
///
/// The engine decrypts each page with the key of the source and encrypts it with the key of the
/// destination. Rowids, `user_version`, `application_id` and all other contents of pages are
/// retained. The page size is the source's. A write to the source by another connection restarts
/// the copy.
///
/// The destination's pages must have the same size and at least as much room for contents. With
/// 4.6.1, copying a file written by 3.4.1 from format 3 to 4 is reported as successful, but the
/// last 32 bytes of every full page are lost.
///
/// Both connections must have a key. The engine itself would silently copy into an unencrypted file
/// on 3.4, and would make a broken file from an unencrypted one. A ``Connection`` has a key unless
/// it was created by ``Connection/plain(path:mode:options:)``.
package final class PageCopy {
  private let source: Connection
  private let destination: Connection
  private var backup: OpaquePointer?

  /// Begins a copy.
  ///
  /// Nothing is written yet.
  ///
  /// - Throws: ``DriverError/Code/misuse`` if a connection has no key, or if the pages of the
  ///   destination cannot hold the pages of the source.
  package init(from source: Connection, to destination: Connection) throws(DriverError) {
    guard let from = source.cipher, let to = destination.cipher else {
      throw DriverError(
        .misuse, "Pages are copied only between encrypted files, and one of these files has no key."
      )
    }
    guard from.pageSize == to.pageSize, from.reservedBytes >= to.reservedBytes else {
      throw DriverError(
        .misuse,
        "Pages of \(from.pageSize) bytes in format \(from.format) cannot be copied into pages of "
          + "\(to.pageSize) bytes in format \(to.format). Copy the rows.")
    }
    self.source = source
    self.destination = destination
    backup = sqlite3_backup_init(try destination.open(), "main", try source.open(), "main")
    guard backup != nil else { throw destination.failure(sqlite3_errcode(destination.database)) }
  }

  deinit { sqlite3_backup_finish(backup) }

  /// Copies the next pages.
  ///
  /// - Parameter pages: The maximum number of pages to copy.
  /// - Returns: Whether there are more pages. If not, the destination contains the complete copy,
  ///   which only the engine's commit has written to the disk.
  /// - Throws: ``DriverError/Code/busy`` and similar errors; the copy can be continued after that.
  package func step(pages: Int) throws(DriverError) -> Bool {
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

  /// Ends the copy.
  ///
  /// An unfinished copy is rolled back.
  package func finish() throws(DriverError) {
    guard let backup else { return }
    // Retain the counts for queries after the end.
    counts = (total, remaining)
    self.backup = nil
    let code = sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private var counts = (total: 0, remaining: 0)

  /// The number of pages of the source; 0 before the first step.
  package var total: Int { backup.map { Int(sqlite3_backup_pagecount($0)) } ?? counts.total }

  /// The number of pages that remain to be copied.
  package var remaining: Int {
    backup.map { Int(sqlite3_backup_remaining($0)) } ?? counts.remaining
  }

  /// Returns the error of a step.
  ///
  /// The engine reports it on the destination's connection, unless reading failed.
  ///
  /// The parameter `number` is the system's error number after a step, which the engine stores on
  /// neither connection.
  private func failure(_ code: Int32, systemErrno number: Int32 = 0) -> DriverError {
    let isRead = sqlite3_errcode(source.database) & 0xFF == code & 0xFF
    let error = (isRead ? source : destination).failure(code)
    switch error.code {
    case .inputOutput where [ENOSPC, EDQUOT, EFBIG].contains(number):
      return known(.diskFull, code, systemErrno: number)
    // The cipher's result for a page that does not authenticate.
    case .sqlError: return known(.corrupt, code)
    default: return error
    }
  }

  private func known(
    _ kind: DriverError.Code, _ code: Int32, systemErrno number: Int32 = 0
  ) -> DriverError {
    DriverError(
      kind, DriverError.message(kind, code, engineText: "", moment: .other), resultCode: code,
      systemErrno: number)
  }
}
