import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys

/// The salvage of a damaged file into a new file, including the verification of the new file.
struct FileSalvage {
  let source: DatabaseFile
  let examined: ExaminedDatabase
  /// The key of the damaged file, or `nil` for an unencrypted file.
  let resolved: ResolvedKey?
  /// The path of the new file.
  let path: String
  /// The key of the new file, or `nil` for the key of the damaged file.
  let newKey: VaultKey?
  /// Whether `newKey` does not get the sealing keys of the damaged file's keyring.
  let omitsSealingKeys: Bool
  let progress: (RekeyProgress) throws -> Void
  var virtualTables: [String] = []

  /// Creates the new file and returns the report.
  ///
  /// The damaged file is not changed. The new file appears at its path only when everything is
  /// done.
  mutating func run() throws -> SalvageReport {
    try RewritingPreconditions(destination: path, size: examined.held.size)
      .check(.free(path))
    let pages =
      try examined.hasForeignLog
      ? examined.encryption.pagesWithoutLog(held: examined.held)
      : examined.pages(of: source.path)
    let owners = try PageOwners(pages)
    let bad = try Verification(path: source.path, examined: examined, progress: progress)
      .badPages(pages, owners)
    let key = try newFileKey(pages, owners)
    let report = RewritingReport(pageSize: pages.pageSize, progress)
    let work = try CopyInWork(of: path)
    var isPlaced = false
    defer {
      if !isPlaced {
        work.discard()
        key.withdraw()
      }
    }
    try key.announce()
    var result = try copy(pages, owners, bad, to: work.path, key, report)
    try verify(work.path, key.cipher, &result)
    // Another process may have overwritten the start of a file that it replaced.
    try Reopening.check(source.path, leadsTo: examined.held.identity)
    try work.settle(like: nil)
    try report(.replacing, 0, 1)
    try HandleRegistry.whileOpening(path) {
      try FileReplacement(path: path, copy: work.path).placeAnew()
      // The progress closure and other threads may open the new file from now on.
      work.release()
    }
    isPlaced = true
    // The new file is in place. If this fails, the next opening records its key.
    try? key.confirm()
    try? report(.replacing, 1, 1)
    return result
  }

  /// Returns the key of the new file, in the format of the damaged file if the engine can write it.
  private func newFileKey(_ pages: StoredPages, _ owners: PageOwners) throws -> NewFileKey {
    let engine = try Engine.prove()
    let newest = engine.newestFormat
    let format = min(examined.encryption.cipher?.format ?? newest, newest)
    // Authentication codes, and the space that SQLCipher 4 always reserves, leave too little room
    // in the smallest pages.
    let isSmall = format == .format1 && engine.cipherMajor < 4
    let pageSize = max(isSmall ? 512 : 1024, pages.pageSize)
    // Without a keyring, the salt must be in the file. Older formats always encrypt the header.
    let hasKeyring =
      newKey.map { $0.keyringFile(besideVault: path) != nil } ?? (resolved?.kind == .keyring)
    let header = examined.encryption.cipher?.scheme.header ?? .encrypted
    let scheme = CipherScheme(
      format, header: hasKeyring && format == .format4 ? header : .encrypted)
    let schema = owners.schema
    // The new file contains the identifier and the generation, and its keyring must match them.
    func identity() throws -> VaultIdentity {
      let loose = try schema.isWhole ? [] : LooseTrees(pages, isKnown: owners.isKnown).trees
      return try LostClasses.identity(in: pages, schema, loose)
    }
    if let newKey {
      var vault = try identity()
      if !omitsSealingKeys { vault.sealingKeys = try resolved?.keyringFacts()?.sealingKeys }
      let key = try NewFileKey(
        newKey, forFileAt: path, scheme: scheme, pageSize: pageSize, vault: vault)
      try vault.checkSealing(ofFileAt: source.path, under: key)
      return key
    }
    guard let resolved else {
      throw VaultError(
        .noKey,
        "'\(source.path)' is unencrypted, but the new file is encrypted. Provide a key for it.")
    }
    guard case .keyring(let unlocked) = resolved else {
      return try NewFileKey(
        VaultKey(resolved.withoutSalt), forFileAt: path,
        scheme: CipherScheme(format, rounds: source.derivationRounds), pageSize: pageSize)
    }
    if omitsSealingKeys { throw VaultError.keepsSealingKeys(source.path) }
    let beside = KeyringFile(besideVault: path)
    try beside.checkUnused(beside: nil)
    return try NewFileKey(
      copying: unlocked, beside: beside, inPlaceOf: nil, scheme: scheme, pageSize: pageSize,
      recorded: identity().keyringGeneration)
  }

  private mutating func copy(
    _ pages: StoredPages, _ owners: PageOwners, _ bad: [VerificationReport.BadPage],
    to path: String, _ key: NewFileKey, _ report: RewritingReport
  ) throws -> SalvageReport {
    let target = try key.cipher.connect(
      path, .create, options: .forCopy(ofSize: pages.presentCount * pages.pageSize))
    let count = Int(pages.count)
    var done = 0
    var salvage = Salvage(pages: pages, owners: owners, badPages: bad, to: target) { read in
      // Overflow pages are not counted.
      done = min(read, count)
      if read.isMultiple(of: 64) { try report(.copying, done, count) }
    }
    salvage.vaultID = key.vaultID
    try report(.copying, 0, count)
    // A statement on the new file may take long too, and must be cancellable.
    try [target].reporting({ try report(.copying, done, count) }, during: { try salvage.run() })
    try report(.copying, count, count)
    // Close the connection, so that the verification reads the file without this connection's
    // cache.
    try target.close()
    var result = SalvageReport(
      source: examined.encryption.info, cipher: key.cipher.info, pageCount: count, badPages: bad)
    result.schema = salvage.schema
    result.tables = salvage.tables
    result.notRestored = salvage.notRestored
    if examined.hasForeignLog {
      result.notRestored.append("the write-ahead log, which belongs to another file")
    }
    virtualTables = salvage.virtualTables
    return result
  }

  /// Checks that every page of the new file authenticates under its key, and that its structure is
  /// sound.
  private func verify(
    _ path: String, _ cipher: FileCipher, _ result: inout SalvageReport
  ) throws {
    let (held, _) = try HeldFile.acquire(path, readOnly: true, creating: false)
    defer { held.release() }
    let session = try cipher.connect(path, .readOnly)
    defer { try? session.close() }
    try session.execute("BEGIN")
    _ = try session.pragma("user_version")
    let found = try Verification(
      path: path,
      examined: .init(held: held, encryption: FileEncryption(cipher), reader: session),
      progress: progress
    ).run()
    var problems: [String] = []
    for problem in found.structureProblems {
      // Rows that violate a CHECK were in the damaged file too.
      if problem.hasPrefix("CHECK constraint failed") { continue }
      // Newer engines check virtual tables, of which a part may be lost.
      if let table = virtualTables.first(where: { problem.contains("main.\($0)") }) {
        result.notRestored.append("table '\(table)': \(problem)")
      } else {
        problems.append(problem)
      }
    }
    guard found.badPages.isEmpty, problems.isEmpty else {
      let first = problems.first ?? "page \(found.badPages[0].number) differs from what was written"
      throw VaultError(
        .damaged,
        "The new file is damaged (\(first)), so it was discarded. Check the disk of this machine, "
          + "and try again.")
    }
    result.notRestored += found.sharedBlobProblems
    result.notRestored += found.unsoundSearches.map { "the full-text index of '\($0)'" }
    result.brokenReferences = found.brokenReferences.map(titles(result))
  }

  /// Returns a function that maps a table's name to its name in the report.
  private func titles(_ result: SalvageReport) -> (String) -> String {
    { name in result.tables.first { $0.table == name }?.name ?? name }
  }
}
