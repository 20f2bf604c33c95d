import ObjectVaultEngine
import ObjectVaultKeys

/// Copies everything in a database into a new file: page by page where both files have pages of one
/// size and the new one needs no more room at their ends, row by row otherwise.
struct ContentCopy {
  let source: Connection
  /// The new file, which is empty.
  let path: String
  /// The new file's; `nil` for one in clear.
  let cipher: FileCipher?
  /// What the new file is to have: other programs may set the mode once, and rely on it then.
  let journalMode: String
  let report: RewritingReport

  /// How many pages are copied between two looks at the progress.
  static let pagesPerStep = 500

  /// - Returns: Whether it went row by row.
  func run() throws -> Bool {
    var options = try ConnectionOptions.forCopy(ofSize: sourceSize())
    // Rows come in the order of their table, and so in none of an index.
    options.cacheKiB = 64 * 1024
    options.foreignKeys = false
    let destination = try cipher.connect(path, .create, options: options)
    let isByPages = try copyPages(to: destination)
    if !isByPages { try copyRows(to: destination) }
    if journalMode == "wal" {
      try destination.setPragma("journal_mode", to: "WAL", expecting: "wal")
    }
    // The first look of the verification is its own: what was copied is read through no cache.
    try destination.close()
    return !isByPages
  }

  /// The size of what is copied in bytes, with what is in a log only.
  private func sourceSize() throws(EngineError) -> Int {
    let counts = [try source.pragma("page_count"), try source.pragma("page_size")]
    return counts.compactMap { $0.flatMap { Int($0) } }.reduce(1, *)
  }

  /// - Returns: Whether it was done; `false` where pages of the one file do not fit into the other, and
  ///   where this engine copies no pages of encrypted files (SQLCipher 4.1 and 4.2).
  private func copyPages(to destination: Connection) throws -> Bool {
    guard let copy = try? PageCopy(from: source, to: destination) else { return false }
    do {
      while try copy.step(pages: Self.pagesPerStep) {
        try report(.copying, copy.total - copy.remaining, copy.total)
      }
    } catch let error as EngineError where error.code == .readOnly {
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

  /// What the engine means when it says of a new file that it is read-only: that the file cannot have
  /// the pages of the original. SQLCipher 4 reserves more of each page than the smallest ones have to
  /// spare, whatever format they are in: it reads such files, and cannot make one.
  private func pageSizeRefused(_ error: EngineError) -> VaultError {
    VaultError(
      .engineRefused,
      "This SQLCipher cannot make a file with pages of \(cipher?.pageSize ?? 0) bytes, as "
        + "'\(source.path)' has. Use SQLCipher 3.4, or give it larger pages (`upgrade`).",
      underlying: error)
  }
}
