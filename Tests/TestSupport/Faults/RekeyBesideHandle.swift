#if os(Linux)
  import Foundation
  import ObjectVaultCondition
  import ObjectVaultCore

  /// The rekeying of a file that another process has open.
  ///
  /// The other process read from the file before and writes afterwards. It must write to the file
  /// that is at the path then, or receive an error. With a write-ahead log the rekeying is rejected
  /// while any process has the file open. With a rollback journal an idle handle cannot be
  /// detected.
  struct RekeyBesideHandle: FaultedOperation {
    let journal: ParcelFile.Journal

    var name: String { "rekey-beside-\(journal.rawValue)" }
    var undisturbed: FaultOutcome { journal == .wal ? .before : .after }
    var hasBystander: Bool { true }

    private func file(in folder: String) -> ParcelFile {
      ParcelFile(path: folder + "/parcels.vault")
    }

    func prepare(in folder: String) throws { try file(in: folder).make(journal) }

    func perform(in folder: String) throws {
      let file = try DatabaseFile(
        at: file(in: folder).path, key: ParcelFile.old, busyTimeout: .seconds(0.01))
      try file.rekey(to: ParcelFile.new)
    }

    func standBy(in folder: String, _ beginning: () throws -> Void) throws -> String {
      var configuration = VaultConfiguration()
      configuration.creation = .never
      let vault = try Vault(
        at: file(in: folder).path, key: ParcelFile.old, configuration: configuration)
      let store = try vault.store(named: "Parcel")
      guard try store.count() == ParcelFile.objects.count else { return "objects are missing" }
      let late = Parcel(ParcelFile.late)
      var object = try DynamicObject(of: store.classDescription)
      try object.set("number", to: .integer(Int64(late.number)))
      try object.set("label", to: .text(late.label))
      try object.set("content", to: .blob(Array(late.content)))
      try beginning()
      do {
        try store.insert(object)
        return "inserted"
      } catch let error as VaultError {
        return "\(error.code)"
      }
    }

    func inspect(_ folder: String, isThorough: Bool) throws -> FaultOutcome {
      let file = file(in: folder)
      let outcome = try Bystander.outcome(in: folder)
      guard ["inserted", "replaced", "busy"].contains(outcome) else {
        throw FaultViolation("the other process was told: \(outcome)")
      }
      let added = outcome == "inserted" ? ParcelFile.late : nil
      let old = try file.isWhole(ParcelFile.old, added: added)
      let new = try file.isWhole(ParcelFile.new, added: added)
      guard old != new else {
        throw FaultViolation(old ? "both keys open the file" : "no key opens the file")
      }
      guard old || outcome == "replaced" else {
        throw FaultViolation("the other process was not told that the file was replaced")
      }
      try Place(folder: folder).expectFiles(["parcels.vault"])
      return old ? .before : .after
    }

    func checkUntouched(_ folder: String, since template: String, mayLackRoom: Bool) throws {}
  }
#endif
