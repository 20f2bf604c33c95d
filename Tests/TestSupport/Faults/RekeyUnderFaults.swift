import Foundation
import ObjectVaultCore

/// The rekeying of a file from one raw key to another.
struct RekeyUnderFaults: FaultedOperation {
  let journal: ParcelFile.Journal
  /// Whether an open vault rekeys itself.
  ///
  /// Otherwise no process has the file open.
  let isOpenVault: Bool

  var name: String { "rekey-\(isOpenVault ? "open-" : "")\(journal.rawValue)" }

  private func file(in folder: String) -> ParcelFile { ParcelFile(path: folder + "/parcels.vault") }

  func prepare(in folder: String) throws { try file(in: folder).make(journal) }

  func perform(in folder: String) throws {
    let path = file(in: folder).path
    guard isOpenVault else {
      try DatabaseFile(at: path, key: ParcelFile.old).rekey(to: ParcelFile.new)
      return
    }
    let vault = try Vault(at: path, key: ParcelFile.old)
    let store = try vault.store(of: Parcel.self)
    _ = try store.count()
    do {
      try vault.rekey(to: ParcelFile.new)
    } catch {
      // The handle continues with the original file.
      guard try store.count() == ParcelFile.objects.count else {
        throw FaultViolation("the handle lost objects")
      }
      throw error
    }
    // If the disk is full, the handle cannot continue, but the rekeying is complete.
    guard (try? store.count()).map({ $0 == ParcelFile.objects.count }) ?? true else {
      throw FaultViolation("the handle lost objects")
    }
    vault.close()
  }

  func inspect(_ folder: String, isThorough: Bool) throws -> FaultOutcome {
    let file = file(in: folder)
    try Place(folder: folder).expectPrivateFiles()
    let outcome = try theOneKey(of: file)
    try Place(folder: folder).expectFiles(["parcels.vault"])
    if isThorough {
      try file.checkByShell(
        digits: outcome == .before ? ParcelFile.oldDigits : ParcelFile.newDigits)
    }
    return outcome
  }

  func checkUntouched(_ folder: String, since template: String, mayLackRoom: Bool) throws {
    let place = Place(folder: folder)
    if journal == .delete, !isOpenVault { return try place.expectSame(as: Place(folder: template)) }
    // The log can have been checkpointed into the file.
    let leftovers = try place.files().filter { !$0.hasPrefix("parcels.vault") }
    guard leftovers.isEmpty else { throw FaultViolation("\(leftovers) stay behind") }
  }
}
