import Foundation
import ObjectVaultDriver
package import ObjectVaultKeys

/// The data key of a file that is about to be created, stored in a keyring.
///
/// The data key is first stored as pending and later made the current one.
package final class KeyringNote {
  /// The name of the first slot of a new keyring, if its key names none.
  package static let firstSlotName = "main"
  let cipher: FileCipher
  private let file: KeyringFile
  /// The keyring with the new data key.
  private var keyring: OpenKeyring
  /// The keyring to restore if the file is not created, or `nil` for a new keyring.
  private let before: OpenKeyring?
  /// The keyring that this one is derived from, or `nil` for a new keyring.
  ///
  /// It is that of the original if the file is a copy.
  let origin: UnlockedKeyring?
  /// The generation of the keyring that is stored now.
  private var stored: UInt64?
  /// The stored keyring of a file that was never finished, which the new keyring replaces.
  private let unfinished: Keyring?
  /// Whether that keyring is retired, because no file is at the path: it may have been moved.
  private let isRetiring: Bool
  /// Whether the stored keyring failed authentication, and this one is derived from its spare copy.
  private var isSpareInUse: Bool
  private var isAnnounced = false

  /// Adds a pending data key to a keyring in memory.
  ///
  /// - Parameters:
  ///   - file: The keyring file.
  ///   - keyring: The new state of the keyring, without the new data key.
  ///   - before: The present keyring, or `nil` if there is none.
  ///   - stored: The generation of the keyring that is stored now.
  ///   - unfinished: The stored keyring of a file that was never finished. `stored` is `nil` then.
  ///   - scheme: The cipher settings of the new file, with the standard page authentication.
  ///   - pageSize: The page size of the new file.
  ///   - vault: The known facts about the vault. Pending data keys that its file cannot have are
  ///     dropped: their files were never finished.
  ///   - origin: The keyring of the original if the file is a copy.
  ///   - isSpareInUse: Whether the spare copy was opened, because the keyring failed
  ///     authentication.
  /// - Throws: ``KeyError`` if the data key cannot be generated or encrypted.
  package init(
    _ file: KeyringFile, _ keyring: OpenKeyring, before: OpenKeyring?, stored: UInt64?,
    unfinished: Keyring? = nil, scheme: CipherScheme, pageSize: Int, vault: VaultIdentity,
    origin: UnlockedKeyring? = nil, isSpareInUse: Bool = false
  ) throws(KeyError) {
    self.file = file
    self.unfinished = unfinished
    isRetiring = !vault.hasFile
    self.before = before
    self.origin = origin ?? before.map { UnlockedKeyring(file, keyring: $0) }
    self.stored = stored
    self.isSpareInUse = isSpareInUse
    var keyring = keyring
    if !vault.hasFile { keyring.retirePendingEpochs() }
    let salt = try FileSalt.random()
    let dataKey = try keyring.addEpoch(
      salt: salt, format: scheme.format, pageSize: pageSize, header: scheme.header,
      state: .pending, dropping: { !vault.mayHave($0) })
    self.keyring = keyring
    cipher = FileCipher(
      scheme: CipherScheme(scheme.format, header: scheme.header), pageSize: pageSize,
      rawKey: dataKey, salt: salt)
  }

  /// Opens the existing keyring, or creates one with the sealing keys of the vault's former keyring.
  ///
  /// - Throws: `.keyringMismatch` if a keyring of another vault exists at the path,
  ///   `.keyringRolledBack` for a keyring that the vault would reject.
  package convenience init(
    _ key: VaultKey, _ file: KeyringFile, scheme: CipherScheme, pageSize: Int, vault: VaultIdentity
  ) throws {
    let found = try file.exists ? file.read().keyring : nil
    let isUnused = found?.epochs.allSatisfy { $0.state == .pending && !vault.mayHave($0) } ?? true
    if let slotKey = key.slotKey, isUnused {
      let secret = try slotKey.resolve()
      var made = try OpenKeyring.make(
        for: (vault.id ?? UUID()).bytes, opening: secret,
        named: slotKey.slot ?? Self.firstSlotName, cost: try .chosen(for: [secret]))
      if let keys = vault.sealingKeys { made = try made.retaining(keys) }
      // The vault may record later generations, from a keyring that it had before.
      if let noted = vault.keyringGeneration { made = try made.following(noted) }
      try self.init(
        file, made, before: nil, stored: nil, unfinished: found, scheme: scheme,
        pageSize: pageSize, vault: vault)
      return
    }
    let unlocked: UnlockedKeyring
    if let slotKey = key.slotKey {
      unlocked = try UnlockedKeyring(file, key: slotKey)
    } else if case .keyring(let opened) = try key.resolve() {
      unlocked = opened
    } else {
      throw VaultError(
        .internalError, "The keyring '\(file.path)' cannot be opened. Check its key.")
    }
    let document = unlocked.keyring.keyring
    let isIts = vault.id.map { $0.bytes == document.vaultID } ?? false
    guard isIts || vault.salt.map({ document.epoch(of: $0) != nil }) ?? false else {
      throw VaultError(
        .keyringMismatch,
        "The keyring '\(file.path)' belongs to another vault. Move it away if that vault still "
          + "needs it, or remove it; then try again.")
    }
    guard document.generation >= vault.keyringGeneration ?? 0 else {
      throw VaultError(
        .keyringRolledBack,
        "The keyring '\(file.path)' (generation \(document.generation)) is older than the one last "
          + "used with the vault (generation \(vault.keyringGeneration ?? 0)): slots that were "
          + "removed since could open it. Restore the latest keyring, or move this one away to "
          + "create a new one.")
    }
    try self.init(
      file, unlocked.keyring, before: unlocked.keyring, stored: document.generation, scheme: scheme,
      pageSize: pageSize, vault: vault, isSpareInUse: unlocked.isSpareInUse)
  }

  /// Creates a data key in the keyring of a file's copy.
  ///
  /// The keyring is new, or replaces one whose file was never finished.
  ///
  /// - Parameters:
  ///   - unlocked: The keyring of the original.
  ///   - file: The keyring file of the copy.
  ///   - start: The first bytes of the file that is now at the copy's path.
  ///   - scheme: The cipher settings of the copy.
  ///   - pageSize: The page size of the copy.
  ///   - recorded: The generation that the original records, if it may be later than that of the
  ///     keyring. The copy gets the same record.
  /// - Throws: ``KeyError`` of reading or changing the keyring.
  package convenience init(
    copying unlocked: UnlockedKeyring, to file: KeyringFile, inPlaceOf start: FileStart?,
    scheme: CipherScheme, pageSize: Int, recorded: UInt64? = nil
  ) throws(KeyError) {
    var keyring = try unlocked.keyring.forCopy()
    if let recorded, keyring.keyring.generation < recorded {
      keyring = try keyring.following(recorded)
    }
    let found = try file.exists ? file.read().keyring : nil
    var replaced = VaultIdentity.new
    replaced.replacedStart = start
    try self.init(
      file, keyring, before: nil, stored: nil,
      unfinished: found?.isNeverFinished(beside: start) == true ? found : nil, scheme: scheme,
      pageSize: pageSize, vault: replaced, origin: unlocked)
  }

  /// The stored keyring that is changed, or `nil` for a new keyring.
  var changed: UnlockedKeyring? { before.map { UnlockedKeyring(file, keyring: $0) } }

  var vaultID: UUID { UUID(bytes: keyring.keyring.vaultID) }

  package func facts() throws(KeyError) -> KeyringFacts {
    KeyringFacts(
      file: file, vaultID: vaultID, generation: generation, sealingKeys: try keyring.sealingKeys())
  }

  /// The generation of the keyring.
  package var generation: UInt64 { keyring.keyring.generation }

  /// The open keyring in its present or planned state.
  package var unlocked: UnlockedKeyring { UnlockedKeyring(file, keyring: keyring) }

  func announce() throws(KeyError) {
    if let unfinished {
      try file.store(keyring.keyring, insteadOf: unfinished, isRetired: isRetiring)
    } else {
      try file.store(keyring.keyring, replacing: stored, isSpareInUse: isSpareInUse)
    }
    isSpareInUse = false
    stored = keyring.keyring.generation
    isAnnounced = true
  }

  /// Records that the file is in its place.
  ///
  /// A keyring that was removed in the meantime is stored again, because no other one opens the
  /// file.
  ///
  /// - Throws: `keyringChanged` if another keyring was stored in the meantime.
  func confirm() throws(KeyError) {
    var latest = keyring
    var replaced: UInt64?
    if file.exists {
      // The keyring of another file must not lose its data keys.
      guard let later = try reread(), later.keyring.epoch(of: cipher.salt) != nil else {
        throw file.changed
      }
      latest = later
      replaced = later.keyring.generation
    }
    try latest.makeCurrent(cipher.salt)
    try file.store(latest.keyring, replacing: replaced)
    keyring = latest
  }

  /// Removes the pending data key.
  ///
  /// Failures are harmless, because a data key without a file opens nothing.
  func withdraw() {
    guard isAnnounced else { return }
    if let before, let stored {
      if let restored = try? before.following(stored) {
        try? file.store(restored.keyring, replacing: stored)
      }
    } else {
      try? file.whileLocked {
        // Another process may have stored the keyring of its own file.
        if try file.read().keyring == keyring.keyring { file.remove() }
      }
    }
  }

  /// Returns the stored keyring, in which another process may have changed a slot in the meantime;
  /// `nil` if it is not a later state of this one.
  private func reread() throws(KeyError) -> OpenKeyring? {
    keyring.following(try file.read().keyring)
  }
}
