import ObjectVaultEngine
import ObjectVaultKeys

/// Proves of a copy, through connections of its own, that it is under its new key alone, sound, and
/// holds what the original holds.
struct CopyVerification {
  let source: FileRewriting.Source
  /// A connection to the original.
  let connection: Connection
  /// The copy.
  let path: String
  /// The copy's; `nil` for one in clear.
  let cipher: FileCipher?
  /// Whether it was made row by row, and so has none of the original's faults.
  let isByRows: Bool
  let report: RewritingReport

  /// - Throws: `.damaged` and `.unusableEngine` where the copy is not what it must be.
  func run() throws {
    var options = ConnectionOptions()
    options.cacheKiB = 64 * 1024
    options.foreignKeys = false
    let copy = try cipher.connect(path, .readWrite, options: options)
    if let cipher {
      try checkSeals(of: copy, cipher)
      try checkOldKeyIsRefused(cipher, by: copy)
    }
    let pageCount = try copy.pragma("page_count").flatMap(Int.init) ?? 1
    let reading = ReadingProgress([copy, connection], pageCount: pageCount)
    try report(.comparing, 0, reading.total)
    try [copy, connection].reporting({ try report(.comparing, reading.done, reading.total) }) {
      try checkStructure(of: copy)
      try report(.comparing, reading.done, reading.total)
      try ContentComparison(original: connection, copy: copy, meantToDiffer: differences).check()
    }
    try report(.comparing, reading.total, reading.total)
    try copy.close()
  }

  /// The settings that the copy was to have otherwise.
  private var differences: Set<String> {
    guard let cipher, cipher.pageSize != source.cipher?.pageSize else { return [] }
    return ["page_size"]
  }

  /// Every page of the copy, as it lies in the file, is sealed under the new key.
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
          "Page \(number) of the copy does not authenticate under the new key, so the copy was "
            + "given up and the original kept. Check the disk of this machine, and try again.")
      }
      if number.isMultiple(of: ContentCopy.pagesPerStep) || number == count {
        try report(.verifying, number, count)
      }
    }
  }

  /// The first page answers to the new key and not to the old one.
  private func checkOldKeyIsRefused(_ cipher: FileCipher, by copy: Connection) throws {
    guard let old = source.cipher, !old.rawKey.isEqual(to: cipher.rawKey),
      old.pageSize == cipher.pageSize
    else { return }
    let page = try copy.readRaw(offset: 0, count: old.pageSize)
    guard try !old.sealsFirstPage(page) else {
      throw VaultError(
        .unusableEngine,
        "The copy is still encrypted under the old key, so it was given up and the original kept. "
          + "Check which SQLCipher the process loads.")
    }
  }

  /// The copy has no fault that the original does not have. One made of rows has all of the original's
  /// faults that are not of its pages: rows that were out of reach are in neither.
  private func checkStructure(of copy: Connection) throws {
    let problems = try copy.integrityProblems() + copy.tablesWithBrokenReferences()
    if !problems.isEmpty {
      let known = try connection.integrityProblems() + connection.tablesWithBrokenReferences()
      if let first = problems.first(where: { !known.contains($0) }) {
        throw VaultError(
          .damaged,
          "The copy has a fault that the original does not have (\(first)), so it was given up and the "
            + "original kept. Check the disk of this machine, and try again.")
      }
    }
    if isByRows,
      let fault = try connection.structureProblems().first(where: { !problems.contains($0) })
    {
      throw VaultError(
        .damaged,
        "'\(source.path)' is damaged (\(fault)), and a copy might lack what cannot be reached in it, "
          + "so it was given up. Mend the file with the program that made it, restore it from a backup, "
          + "or salvage what is left.")
    }
  }
}
