import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultSession

/// The verification of a whole file.
///
/// The pages are checked one by one without the engine. The engine checks the structure. Nothing is
/// written.
struct Verification {
  /// The path of the file.
  let path: String
  /// The file.
  ///
  /// Its connection, if there is one, has an open read transaction, so that no page is overwritten
  /// during the check.
  let examined: ExaminedDatabase
  /// The number of commits that the caller knows of.
  var expectedCounter: Int?
  /// Receives the progress. If it throws, the work ends.
  let progress: (RekeyProgress) throws -> Void

  private var encryption: FileEncryption { examined.encryption }

  /// The number of pages checked between two progress reports.
  private static let pagesPerStep = 500
  /// The number of attempts to read a page that seems damaged: a checkpoint may be writing it.
  private static let attempts = 5

  func run() throws -> VerificationReport {
    let pages = try examined.pages(of: path)
    var report = VerificationReport(
      path: path, cipher: encryption.info, pageSize: pages.pageSize, pageCount: Int(pages.count),
      isSealed: encryption.cipher?.scheme.isSealed ?? false)
    report.log = pages.overlay.map { overlay in
      switch overlay.kind {
      case .writeAheadLog: .writeAheadLog(pages: overlay.offsets.count)
      case .rollbackJournal: .rollbackJournal(pages: overlay.offsets.count)
      }
    }
    report.expectedCounter = expectedCounter
    let owners = try PageOwners(pages)
    report.badPages = try badPages(pages, owners)
    if pages.overlay == nil {
      report.bytesAfterEnd = max(0, pages.fileSize - Int(pages.count) * pages.pageSize)
    }
    report.commitCounter = try CommitCounter.value(in: pages, owners.schema)
    try checkStructure(&report)
    report.leftovers = leftovers()
    report.keyring = try keyring(pages, owners.schema)
    // Another process may have overwritten the start of a file that it replaced.
    try Reopening.check(path, leadsTo: examined.held.identity)
    return report
  }

  // MARK: Pages

  /// Returns the damaged pages, in order.
  func badPages(
    _ pages: StoredPages, _ owners: PageOwners
  ) throws -> [VerificationReport.BadPage] {
    var found: [UInt32: VerificationReport.BadPage.Defect] = [:]
    // Page 1 or a log may claim any number of pages. At most the first thousand missing ones are
    // listed.
    let missing = pages.missingPages(limit: 1_000)
    let total = pages.presentCount + missing.count
    var done = 0
    func add(_ number: UInt32, _ state: StoredPages.State) throws {
      switch state {
      case .bad: found[number] = .broken
      case .missing: found[number] = .missing
      case .zero where owners.isErased(number, in: pages): found[number] = .misplaced
      case .content, .zero: break
      }
      done += 1
      if done.isMultiple(of: Self.pagesPerStep) || done == total {
        try report(.verifying, done, total)
      }
    }
    try report(.verifying, 0, total)
    for number in pages.present { try add(number, settledState(of: number, in: pages)) }
    // If one page stays missing, no checkpoint is writing the later ones.
    var isLost = false
    for number in missing {
      let state = try isLost ? pages.state(of: number) : settledState(of: number, in: pages)
      isLost = isLost || state == .missing
      try add(number, state)
    }
    if encryption.firstPage == .damagedSalt(isRestSound: true) { found[1] = .salt }
    // Pages that a table or index refers to but that are none of its pages.
    for (page, _) in owners.unreadable where found[page] == nil { found[page] = .misplaced }
    return found.sorted { $0.key < $1.key }.map { number, defect in
      VerificationReport.BadPage(
        number: Int(number), defect: defect, owner: owners.owner(of: number),
        isInLog: pages.overlay?.offsets[number] != nil)
    }
  }

  private func settledState(
    of number: UInt32, in pages: StoredPages
  ) throws -> StoredPages.State {
    var state = try pages.state(of: number)
    var attempt = 1
    while state == .bad || state == .missing, examined.reader != nil, attempt < Self.attempts {
      usleep(5_000)
      state = try pages.state(of: number)
      attempt += 1
    }
    return state
  }

  // MARK: Structure

  private func checkStructure(_ report: inout VerificationReport) throws {
    report.uncheckedReason = examined.uncheckedReason
    if examined.uncheckedReason != nil { return }
    guard let reader = examined.reader else {
      report.structureProblems = [examined.engineRefusal ?? "the engine cannot read the file"]
      return
    }
    let reading = ReadingProgress([reader], pageCount: max(1, report.pageCount))
    try self.report(.comparing, 0, reading.total)
    try [reader].reporting({ try self.report(.comparing, reading.done, reading.total) }) {
      report.structureProblems = try reader.structureProblems()
      report.brokenReferences = try brokenReferences(reader)
      let searches = try SearchCheck(on: reader).findings()
      report.unsoundSearches = searches.map(\.className)
      report.sharedBlobProblems = try SharedBlobCheck(on: reader).findings()
      report.unsealedValues = try SealedValueCheck(on: reader).findings()
      (report.incompleteHistories, report.incompleteOrders) =
        try TriggerCheck(on: reader).findings()
      // Newer engines check full-text indexes too, and describe the problem differently.
      report.structureProblems.removeAll { problem in
        searches.contains { problem.hasSuffix(" table main.\($0.index)") }
      }
    }
    try self.report(.comparing, reading.total, reading.total)
  }

  private func brokenReferences(_ reader: Connection) throws -> [String] {
    do throws(DriverError) {
      return try reader.tablesWithBrokenReferences()
    } catch {
      // A damaged page ends the check, but is already in the report.
      guard [.corrupt, .notADatabase].contains(error.code) else { throw error }
      return []
    }
  }

  private func keyring(
    _ pages: StoredPages, _ schema: StoredSchema
  ) throws -> VerificationReport.Keyring {
    guard let facts = examined.keyring else {
      let keyring = try VaultKeyring(ofVaultAt: path)
      guard keyring.exists else { return .none }
      return (try? keyring.state) == .neverFinished ? .neverFinished : .leftOver
    }
    // The keyring may have been changed or replaced since the file was opened.
    guard let present = present(facts) else { return .damaged }
    let identity = try LostClasses.identity(in: pages, schema)
    // A database of another program has no identifier.
    guard identity.id == nil || identity.id == UUID(bytes: present.keyring.vaultID) else {
      return .ofAnotherVault
    }
    if let noted = identity.keyringGeneration, present.keyring.generation < noted {
      return .rolledBack
    }
    let keyring = try VaultKeyring(ofVaultAt: path, at: facts.file.path)
    let state = encryption.cipher.flatMap { try? keyring.state(ofFileWith: $0.salt) }
    if state == .unfinishedRotation { return .unfinishedRotation }
    if present.isSpare { return .damaged }
    return state == .ofAnotherFile ? .ofAnotherVault : .matches
  }

  /// Returns the keyring that opens the file now, and whether only the spare copy does.
  ///
  /// - Parameter facts: The facts about the keyring that opened the file.
  /// - Returns: The keyring, or `nil` if it is missing or unreadable.
  private func present(_ facts: KeyringFacts) -> (keyring: Keyring, isSpare: Bool)? {
    guard let found = try? facts.file.read() else { return nil }
    let spare = try? KeyringFile(at: facts.file.sparePath).read().keyring
    // If the keyring failed authentication, its fields prove nothing, unless it was replaced since.
    if facts.isSpare, spare != found.keyring { return (spare ?? found.keyring, true) }
    return (found.keyring, found.spareReason != nil)
  }

  /// Returns the files that an unfinished operation left next to this one.
  private func leftovers() -> [String] {
    [CopyInWork.path(for: path)].filter { FileManager.default.fileExists(atPath: $0) }
      + LogsAside.waiting(besideFile: path)
  }

  private func report(_ phase: RekeyProgress.Phase, _ done: Int, _ total: Int) throws {
    try Cancellation.check()
    try progress(
      RekeyProgress(phase: phase, done: done, total: total, pageSize: encryption.pageSize))
  }
}
