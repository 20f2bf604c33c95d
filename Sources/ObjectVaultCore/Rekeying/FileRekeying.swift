import Foundation
import ObjectVaultEngine
import ObjectVaultKeys

/// Encrypts a database file under another key: a copy is made, proved, and put in the place of the
/// original.
///
/// The engine's own way rewrites the file in place, says that it succeeded when it did not, and can
/// leave a file that no key opens. This one never writes into the original: until the last rename it
/// opens with the old key, from then on with the new one, and both hold the same.
struct FileRekeying {
  let path: String
  let original: OpenedFile
  let newKey: ResolvedKey
  let newRounds: Int?
  let settings: VaultConfiguration
  let progress: (RekeyProgress) throws -> Void

  /// How many pages are copied between two looks at the progress.
  private static let pagesPerStep = 500

  /// Does all of it. No other connection of this process may be open.
  ///
  /// - Returns: The file under its new key; the original is gone.
  /// - Throws: and leaves the original, whatever happens before the rename.
  func run() throws -> RekeyedFile {
    try report(.preparing, 0, 0)
    try RekeyPreconditions(path: path, size: original.held.size).check()
    let sole = try SoleAccess(
      original.connect(.writer, path: path, settings: settings).engine)
    var isReplaced = false
    defer { if !isReplaced { sole.restore() } }

    let format = try cipherFormat()
    let salt = try newKey.salt ?? FileSalt.random()
    let rawKey = try newKey.rawKey(for: format, salt: salt, rounds: newRounds)
    let work = try CopyInWork(of: path)
    var isKept = false
    defer { if !isKept { work.discard() } }

    try copyPages(of: sole, to: work.path, rawKey: rawKey, salt: salt)
    try verify(work.path, against: sole, rawKey: rawKey, salt: salt)
    try work.settle(like: path)

    // From here on nothing may stop half-way that can be done.
    try report(.replacing, 0, 1)
    try FileReplacement(path: path, copy: work.path).run()
    isKept = true
    isReplaced = true
    // Who opened the old file before and reads now must not be given old data. The new one stands,
    // whatever comes of this.
    try? sole.connection.destroyFirstPage(pageSize: original.cipher.pageSize)
    try? sole.connection.close()
    try? report(.replacing, 1, 1)
    return RekeyedFile(
      format: format, pageSize: original.cipher.pageSize, rawKey: rawKey, salt: salt)
  }

  private func cipherFormat() throws(VaultError) -> CipherFormat {
    guard let format = CipherFormat(rawValue: original.cipher.format) else {
      throw VaultError(.internalError, "The cipher format of '\(path)' is not known.")
    }
    return format
  }

  private func copyPages(
    of sole: SoleAccess, to path: String, rawKey: SharedSecret, salt: FileSalt
  ) throws {
    var options = ConnectionOptions()
    // The copy is brought to the disk as a whole, before it takes a place.
    options.synchronous = .off
    let destination = try connect(path, .create, rawKey: rawKey, salt: salt, options: options)
    let copy = try PageCopy(from: sole.connection, to: destination)
    do {
      while try copy.step(pages: Self.pagesPerStep) {
        try report(.copying, copy.total - copy.remaining, copy.total)
      }
    } catch let error as EngineError where error.code == .readOnly {
      throw pageSizeRefused(error)
    }
    try report(.copying, copy.total, copy.total)
    // Other programs may set the mode once, and rely on it from then on.
    if sole.journalMode == "wal" {
      try destination.setPragma("journal_mode", to: "WAL", expecting: "wal")
    }
    // Its own first look at the file: what the copy brought in is read through no cache.
    try destination.close()
  }

  /// What the engine means when it says of a new file that it is read-only: that the file cannot have
  /// the pages of the original. SQLCipher 4 reserves more of each page than the smallest ones have to
  /// spare, whatever format they are in: it reads such files, and cannot make one.
  private func pageSizeRefused(_ error: EngineError) -> VaultError {
    VaultError(
      .engineRefused,
      "This SQLCipher cannot make a file with pages of \(original.cipher.pageSize) bytes, as '\(path)' "
        + "has. Rekey it with SQLCipher 3.4, or bring it into a new vault.", underlying: error)
  }

  private func verify(
    _ path: String, against sole: SoleAccess, rawKey: SharedSecret, salt: FileSalt
  ) throws {
    let copy = try connect(path, .readWrite, rawKey: rawKey, salt: salt)
    try checkSeals(of: copy, rawKey: rawKey, salt: salt)
    try checkOldKeyIsRefused(rawKey, salt, by: copy)
    try reportingOften(during: [copy, sole.connection]) { report in
      try report(0, 0)
      try checkStructure(of: copy, against: sole.connection)
      try ContentComparison(original: sole.connection, copy: copy).check(report)
    }
    try copy.close()
  }

  /// Every page of the copy, as it lies in the file, is sealed under the new key.
  private func checkSeals(
    of copy: Connection, rawKey: SharedSecret, salt: FileSalt
  ) throws {
    let pageSize = original.cipher.pageSize
    let format = try cipherFormat()
    let count = Int(try copy.fileSize) / pageSize
    try rawKey.withSecret { rawKey in
      let seal = try PageSeal(format: format, pageSize: pageSize, rawKey: rawKey, salt: salt)
      for number in 1...max(1, count) {
        let page = try copy.readRaw(offset: Int64(number - 1) * Int64(pageSize), count: pageSize)
        let verdict = page.withUnsafeBytes { seal.check($0, number: UInt32(number)) }
        guard verdict != .broken else {
          throw VaultError(
            .damaged,
            "Page \(number) of the copy does not authenticate under the new key, so the copy was "
              + "given up and the original kept. Check the disk of this machine, and try again.")
        }
        if number.isMultiple(of: Self.pagesPerStep) || number == count {
          try report(.verifying, number, count)
        }
      }
    }
  }

  /// The first page answers to the new key and not to the old one.
  private func checkOldKeyIsRefused(
    _ rawKey: SharedSecret, _ salt: FileSalt, by copy: Connection
  ) throws {
    guard !original.isOpened(by: rawKey) else { return }
    let page = try copy.readRaw(offset: 0, count: original.cipher.pageSize)
    guard try !original.seals(page, salt: salt) else {
      throw VaultError(
        .unusableEngine,
        "The copy is still encrypted under the old key, so it was given up and the original kept. "
          + "Check which SQLCipher the process loads.")
    }
  }

  /// The copy has no fault that the original does not have.
  private func checkStructure(of copy: Connection, against original: Connection) throws {
    var problems = try copy.integrityProblems() + copy.tablesWithBrokenReferences()
    guard !problems.isEmpty else { return }
    let known = try original.integrityProblems() + original.tablesWithBrokenReferences()
    problems.removeAll { known.contains($0) }
    guard let first = problems.first else { return }
    throw VaultError(
      .damaged,
      "The copy has a fault that the original does not have (\(first)), so it was given up and the "
        + "original kept. Check the disk of this machine, and try again.")
  }

  /// Reports the comparison also while a long statement runs, so that who ends the work is heard.
  private func reportingOften(
    during connections: [Connection], _ body: ((Int, Int) throws -> Void) throws -> Void
  ) throws {
    var latest = (done: 0, total: 0)
    var ending: (any Error)?
    for connection in connections {
      // Some hundredths of a second.
      connection.setProgress(every: 200_000) {
        do {
          try report(.comparing, latest.done, latest.total)
          return false
        } catch {
          ending = error
          return true
        }
      }
    }
    defer {
      for connection in connections { connection.setProgress(every: 0, nil) }
    }
    do {
      try body { done, total in
        latest = (done, total)
        try report(.comparing, done, total)
      }
    } catch {
      throw ending ?? error
    }
  }

  private func connect(
    _ path: String, _ mode: Connection.Mode, rawKey: SharedSecret, salt: FileSalt,
    options: ConnectionOptions = ConnectionOptions()
  ) throws -> Connection {
    let specification = rawKey.withSecret { KeyDerivation.specification(key: $0, salt: salt) }
    let connection = try specification.withUnsafeBytes { key in
      try Connection(
        path: path, mode: mode, key: key,
        cipher: CipherSettings(
          format: original.cipher.format, pageSize: original.cipher.pageSize),
        options: options)
    }
    try ConditionFunctions.install(on: connection)
    return connection
  }

  private func report(_ phase: RekeyProgress.Phase, _ done: Int, _ total: Int) throws {
    try Cancellation.check()
    try progress(
      RekeyProgress(
        phase: phase, done: done, total: total, pageSize: original.cipher.pageSize))
  }
}

/// How a file that was rekeyed is opened now.
struct RekeyedFile {
  let format: CipherFormat
  let pageSize: Int
  let rawKey: SharedSecret
  let salt: FileSalt
}
