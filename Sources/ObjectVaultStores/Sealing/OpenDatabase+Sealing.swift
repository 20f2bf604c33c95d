import Foundation
import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension OpenDatabase {
  /// Returns the keys of sealed values, after a comparison with those that the file records.
  ///
  /// - Throws: `.noKey` if there are none; `.wrongKey` if a recorded key is missing or differs.
  func sealer() throws -> any ValueSealer {
    if let sealer = state.sealer.withLock({ $0 }) { return sealer }
    guard let made = try makeSealer() else {
      throw VaultError(
        .noKey,
        "'\(location)' has a class with sealed properties, but no sealing key. Set `sealingKeys` "
          + "in the configuration of the vault, or give it a keyring.")
    }
    let recorded = try read { try SystemTables($0).sealingCodes() }
    let codes = Dictionary(
      uniqueKeysWithValues: try made.codes().map { ($0.number, $0.code) })
    for (number, code) in recorded where codes[number] != code {
      throw VaultError(
        .wrongKey,
        codes[number] == nil
          ? "'\(location)' has values sealed under sealing key \(number), which is missing. Open it "
            + "with all of its sealing keys."
          : "Sealing key \(number) is not the one that values of '\(location)' are sealed under. "
            + "Open the vault with the right sealing keys.")
    }
    state.sealer.withLock { $0 = made }
    return made
  }

  /// Checks the keys of a class with sealed properties, and records them in the file.
  ///
  /// - Throws: The errors of ``sealer()`` and of writing.
  func prepareSealing(of description: ClassDescription) throws {
    guard description.hasSealed else { return }
    let codes = try sealer().codes()
    if description.hasErasable { try prepareErasableKeys() }
    if isReadOnly { return }
    let recorded = Set(try read { try SystemTables($0).sealingCodes().map(\.number) })
    let missing = codes.filter { !recorded.contains($0.number) }
    if missing.isEmpty { return }
    try transaction { session in
      for (number, code) in missing { try SystemTables(session).addSealingCode(number, code) }
    }
  }

  /// Checks the store of erasable keys, and records its identifier in the database.
  ///
  /// - Throws: `.noKey` if the configuration has none; `.wrongKey` if the database has values under
  ///   the keys of another one; `.invalidArgument` if the keys are in the database itself; the
  ///   errors of opening and writing.
  private func prepareErasableKeys() throws {
    let id = try checkErasableKeys()
    if try isReadOnly || read({ try SystemTables($0).erasableKeysID() }) != nil { return }
    try transaction { try SystemTables($0).setErasableKeysID(id) }
    // Another process may have recorded another one first.
    try checkErasableKeys()
  }

  /// Checks that the erasable keys are those of the database's values, and returns the identifier
  /// of their store.
  ///
  /// - Throws: The errors of ``prepareErasableKeys()`` except those of writing.
  @discardableResult
  func checkErasableKeys() throws -> String {
    let id = try sealer().erasableKeysID()
    if try read({ try SystemTables($0).vaultID })?.uuidString == id {
      throw VaultError(
        .invalidArgument,
        "The erasable keys of '\(location)' are in the same file, so that its backups would contain "
          + "them. Use another file for the keys.")
    }
    if let recorded = try read({ try SystemTables($0).erasableKeysID() }), recorded != id {
      throw VaultError(
        .wrongKey,
        "'\(location)' has values under erasable keys of another file than the one in its "
          + "configuration. Open it with the file that it was first used with.")
    }
    return id
  }

  /// Discards the cached keys, after the file got other ones.
  package func renewSealer() { state.sealer.withLock { $0 = nil } }
}
