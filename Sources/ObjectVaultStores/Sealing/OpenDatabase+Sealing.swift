import Foundation
import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// The number of a sealing key and its code, by which a database recognises it.
typealias SealingCode = (number: UInt32, code: String)

extension OpenDatabase {
  /// Returns the keys of sealed values, after a comparison with those that the database records.
  ///
  /// - Throws: `.noKey` if there are none; `.wrongKey` if a recorded key is missing or differs, or a
  ///   key has a lower number than all recorded ones.
  func sealer() throws -> any ValueSealer {
    if let sealer = state.sealer.withLock({ $0 }) { return sealer }
    let recorded = try read { try SystemTables($0).sealingCodes() }
    guard let made = try makeSealer() else {
      throw VaultError(
        .noKey,
        recorded.isEmpty
          ? "'\(location)' has a class with sealed properties, but no sealing key. Set "
            + "`sealingKeys` in the configuration of the vault, or give it a keyring."
          : "'\(location)' was opened without its sealing keys. Set those that its values were "
            + "sealed under as `sealingKeys` in its configuration; a new keyring has other ones.")
    }
    _ = try unrecorded(made.codes(), among: recorded)
    state.sealer.withLock { $0 = made }
    return made
  }

  /// Compares the keys with those that the database records now, although they are cached.
  ///
  /// - Returns: The codes of the keys that it does not record.
  /// - Throws: The errors of ``sealer()``.
  @discardableResult
  func checkSealingKeys() throws -> [SealingCode] {
    try unrecorded(sealer().codes(), among: read { try SystemTables($0).sealingCodes() })
  }

  /// Checks the keys of a class with sealed properties, and records them in the file.
  ///
  /// - Throws: The errors of ``sealer()`` and of writing.
  func prepareSealing(of description: ClassDescription) throws {
    guard description.hasSealed else { return }
    let missing = try checkSealingKeys()
    if description.hasErasable { try prepareErasableKeys() }
    if isReadOnly || missing.isEmpty { return }
    try transaction { session in _ = try recordedSealer(on: session) }
  }

  /// Returns the keys of sealed values, which the transaction of a session compares and records.
  ///
  /// If the transaction is rolled back, the next use compares the keys again: another program may
  /// have recorded other ones.
  ///
  /// - Parameter session: The writer connection, inside a transaction.
  /// - Returns: The keys.
  /// - Throws: The errors of ``sealer()`` and of writing.
  func recordedSealer(on session: Session) throws -> any ValueSealer {
    let sealer = try sealer()
    let system = SystemTables(session)
    let missing = try unrecorded(sealer.codes(), among: system.sealingCodes())
    if missing.isEmpty { return sealer }
    sessions.onRollback { [state = state] in state.sealer.withLock { $0 = nil } }
    for (number, code) in missing { try system.addSealingCode(number, code) }
    return sealer
  }

  /// Returns the codes that the database does not record, after a comparison of the others.
  ///
  /// - Parameters:
  ///   - codes: The codes of the keys.
  ///   - recorded: The codes that the database records.
  /// - Returns: The codes of new keys.
  /// - Throws: `.wrongKey`. The cached keys are discarded if they differ from recorded ones.
  private func unrecorded(
    _ codes: [SealingCode], among recorded: [SealingCode]
  ) throws(VaultError) -> [SealingCode] {
    let own = Dictionary(
      codes.map { ($0.number, $0.code) }, uniquingKeysWith: { first, _ in first })
    for (number, code) in recorded {
      guard let ownCode = own[number] else {
        throw VaultError(
          .wrongKey,
          "'\(location)' has values sealed under sealing key \(number), which is missing. Open it "
            + "with all of its sealing keys.")
      }
      guard ownCode == code else {
        renewSealer()
        throw VaultError(
          .wrongKey,
          "Sealing key \(number) is not the one that values of '\(location)' are sealed under. "
            + "Open the vault with the right sealing keys.")
      }
    }
    // The key with the lowest number makes the indexes of findable values.
    if let first = recorded.map(\.number).min(), let lowest = own.keys.min(), lowest < first {
      renewSealer()
      throw VaultError(
        .wrongKey,
        "Sealing key \(lowest) has a lower number than sealing key \(first), under which findable "
          + "values of '\(location)' are indexed. Use a higher number for a new sealing key.")
    }
    let numbers = Set(recorded.map(\.number))
    return codes.filter { !numbers.contains($0.number) }
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
