import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys

/// A check of a copy through new connections.
///
/// It verifies that only the new key opens the copy, that the copy has the contents of the original,
/// and that it has no fault of its own.
struct CopyVerification {
  let source: FileRewriting.Source
  /// A connection to the original.
  let connection: Connection
  /// The path of the copy.
  let path: String
  /// The cipher of the copy, or `nil` for an unencrypted copy.
  let cipher: FileCipher?
  /// Whether the copy was made row by row, and so has none of the original's page faults.
  let isByRows: Bool
  /// Whether the original cannot change during the check, and has an empty log.
  let isAlone: Bool
  let report: RewritingReport

  /// Checks the copy.
  ///
  /// - Throws: `.damaged` or `.unusableEngine` if the copy fails a check.
  func run() throws {
    var options = ConnectionOptions()
    options.cacheKiB = 64 * 1024
    options.foreignKeys = false
    let copy = try cipher.connect(path, .readWrite, options: options)
    if let cipher {
      try checkSeals(of: copy, cipher)
      try checkOldKeyIsRefused(cipher, by: copy)
    }
    let pages =
      isAlone && !isByRows
      ? try PageComparison(source: source, copied: copy, cipher: cipher) : nil
    if let pages {
      try pages.check(report)
    } else {
      try compareRows(of: copy)
    }
    try copy.close()
  }

  /// Checks the structure of the copy, and compares its rows with those of the original.
  private func compareRows(of copy: Connection) throws {
    let pageCount = try copy.pragma("page_count").flatMap(Int.init) ?? 1
    let reading = ReadingProgress([copy, connection], pageCount: pageCount)
    try report(.comparing, 0, reading.total)
    try [copy, connection].reporting({ try report(.comparing, reading.done, reading.total) }) {
      try checkStructure(of: copy)
      try report(.comparing, reading.done, reading.total)
      try ContentComparison(original: connection, copy: copy, meantToDiffer: differences).check()
    }
    try report(.comparing, reading.total, reading.total)
  }

  /// The settings that the copy intentionally changes.
  private var differences: Set<String> {
    guard let cipher, cipher.pageSize != source.cipher?.pageSize else { return [] }
    return ["page_size"]
  }

  /// Checks that every page of the copy, as stored in the file, authenticates under the new key.
  private func checkSeals(of copy: Connection, _ cipher: FileCipher) throws {
    let pageSize = cipher.pageSize
    let count = Int(try copy.fileSize) / pageSize
    let seal = try cipher.pageSeal()
    for number in 1...max(1, count) {
      let page = try copy.readRaw(offset: Int64(number - 1) * Int64(pageSize), count: pageSize)
      let verdict = page.withUnsafeBytes { seal.check($0, number: UInt32(number)) }
      guard verdict != .broken else {
        throw VaultError(
          .damaged,
          "Page \(number) of the copy does not authenticate with the new key. The copy was "
            + "discarded, and the original is unchanged. Check the disk of this machine, and try "
            + "again.")
      }
      if number.isMultiple(of: ContentCopy.pagesPerStep) || number == count {
        try report(.verifying, number, count)
      }
    }
  }

  /// Checks that the first page authenticates under the new key and not under the old one.
  private func checkOldKeyIsRefused(_ cipher: FileCipher, by copy: Connection) throws {
    guard let old = source.cipher, !old.rawKey.isEqual(to: cipher.rawKey),
      old.pageSize == cipher.pageSize
    else { return }
    let page = try copy.readRaw(offset: 0, count: old.pageSize)
    guard try !old.sealsFirstPage(page) else {
      throw VaultError(
        .unusableEngine,
        "The copy is still encrypted with the old key. It was discarded, and the original is "
          + "unchanged. Check which SQLCipher the process loads.")
    }
  }

  /// Checks that the copy has no fault that the original does not have.
  ///
  /// In a copy by rows, the original must also have no structural fault of its own: rows that
  /// cannot be reached in the original would be missing in the copy without notice.
  private func checkStructure(of copy: Connection) throws {
    let problems = try copy.integrityProblems() + copy.tablesWithBrokenReferences()
    if !problems.isEmpty {
      let known = try connection.integrityProblems() + connection.tablesWithBrokenReferences()
      if let first = problems.first(where: { !known.contains($0) }) {
        throw VaultError(
          .damaged,
          "The copy has a fault that the original does not have (\(first)). It was discarded, and "
            + "the original is unchanged. Check the disk of this machine, and try again.")
      }
    }
    if isByRows,
      let fault = try connection.structureProblems().first(where: { !problems.contains($0) })
    {
      throw VaultError(
        .damaged,
        "'\(source.path)' is damaged (\(fault)). The copy was discarded, because it might lack "
          + "unreachable data. Fix the file with the program that created it, restore it from a "
          + "backup, or salvage what is left.")
    }
  }
}
