import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys

/// A copy of a whole database into a new file.
///
/// The copy is made page by page if both files have the same page size and the new one reserves no
/// more space at the end of its pages, and row by row otherwise or on request.
struct ContentCopy {
  let source: Connection
  /// The greatest size that the contents can have, in bytes.
  ///
  /// The header of the source may claim any number of pages.
  let greatestSize: Int
  /// The path of the new file, which is empty.
  let path: String
  /// The cipher of the new file, or `nil` for an unencrypted file.
  let cipher: FileCipher?
  /// The journal mode of the new file.
  ///
  /// Other programs may set the mode once and then rely on it.
  let journalMode: String
  /// Whether pages must not be copied, so that free pages are left behind.
  let isCompacting: Bool
  let report: RewritingReport

  /// The number of pages copied between two progress reports.
  static let pagesPerStep = 500

  /// Copies the database.
  ///
  /// - Returns: Whether the copy was made row by row.
  func run() throws -> Bool {
    var options = try ConnectionOptions.forCopy(ofSize: min(source.contentSize(), greatestSize))
    // Rows arrive in the order of their table, so the entries of an index arrive in random order.
    options.cacheKiB = 64 * 1024
    options.foreignKeys = false
    let destination = try cipher.connect(path, .create, options: options)
    let isByPages = try !isCompacting && copyPages(to: destination)
    if !isByPages { try copyRows(to: destination) }
    if journalMode == "wal" {
      try destination.setPragma("journal_mode", to: "WAL", expecting: "wal")
    }
    // Close the connection, so that the verification reads the file without this connection's
    // cache.
    try destination.close()
    return !isByPages
  }

  /// Copies the database page by page.
  ///
  /// - Returns: Whether the copy was made; `false` if the pages of one file do not fit into the
  ///   other, or if this engine cannot copy pages of encrypted files (SQLCipher 4.1 and 4.2).
  private func copyPages(to destination: Connection) throws -> Bool {
    guard let copy = try? PageCopy(from: source, to: destination) else { return false }
    do {
      if try Connection.whileWritingFirstPage({ try copy.step(pages: 1) }) {
        while try copy.step(pages: Self.pagesPerStep) {
          try report(.copying, copy.total - copy.remaining, copy.total)
        }
      }
    } catch let error as DriverError where error.code == .readOnly {
      throw pageSizeRefused(error)
    }
    try report(.copying, copy.total, copy.total)
    return true
  }

  private func copyRows(to destination: Connection) throws {
    try RowCopy(from: source, to: destination).run { done, total in
      try report(.copying, done, total)
    }
  }

  /// Returns the error for a new file that the engine reports as read-only: the new file cannot
  /// have the page size of the original.
  ///
  /// SQLCipher 4 reserves more of each page than the smallest pages can spare, in every format. It
  /// can read such files but cannot create one.
  private func pageSizeRefused(_ error: DriverError) -> VaultError {
    VaultError(
      .engineRefused,
      "This SQLCipher cannot create a file with pages of \(cipher?.pageSize ?? 0) bytes, as "
        + "'\(source.path)' has. Use SQLCipher 3.4, or choose larger pages (`upgrade`).",
      underlying: error)
  }
}
