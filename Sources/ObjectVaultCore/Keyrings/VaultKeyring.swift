public import ObjectVaultKeys

/// The keyring beside a vault: who may open it.
///
/// It has slots, each with a name, and each opened by a key of its own: a passphrase, a recovery code,
/// a key file, a raw key. Changing one takes an instant and touches no page of the vault, which may be
/// open meanwhile.
///
/// ```swift
/// let keyring = try VaultKeyring(ofVaultAt: "school.vault")
/// try keyring.addSlot("deputy", .passphrase("other words"), unlockedBy: .passphrase("first words"))
/// ```
public struct VaultKeyring: Sendable {
  /// The absolute path of the vault.
  public let vaultPath: String
  /// The path of the keyring: `VAULT.keyring` unless it is kept elsewhere.
  public var path: String { file.path }
  private let file: KeyringFile

  /// The name of the first slot of a new keyring, where its key says none.
  public static let firstSlotName = "main"

  /// Names a keyring. Nothing is read yet.
  ///
  /// - Parameters:
  ///   - vaultPath: The path of the vault.
  ///   - path: The keyring's, where it is not beside the vault.
  /// - Throws: ``VaultError``: `.invalidArgument` for a path that can lead nowhere.
  public init(ofVaultAt vaultPath: String, at path: String? = nil) throws {
    self.vaultPath = try Vault.canonical(vaultPath)
    if let path {
      file = KeyringFile(at: try Vault.canonical(path))
    } else {
      file = KeyringFile(besideVault: self.vaultPath)
    }
  }

  /// A way to open the keyring.
  public struct Slot: Sendable, Hashable {
    /// What people call it; no two slots of a keyring have the same name.
    public let name: String
    /// What opens it.
    public let kind: SlotKind
  }

  /// Whether there is a keyring.
  public var exists: Bool { file.exists }

  /// The slots, in the order in which they were added. No key is needed for that, and nothing of it is
  /// authenticated: only a slot that opens proves that the keyring is as its holder wrote it.
  ///
  /// - Throws: ``VaultError``: `.keyringMissing`, `.keyringMalformed`, `.newerFormat`.
  public func slots() throws -> [Slot] {
    try mapping { try file.read().keyring.slots.map { Slot(name: $0.name, kind: $0.kind) } }
  }

  /// Why the spare copy is read instead of the keyring; `nil` where the keyring itself can be read.
  /// Any change of a slot writes both anew.
  ///
  /// - Throws: as ``slots()``.
  public var damage: String? { get throws { try mapping { try file.read().spareReason } } }

  /// How the keyring and the vault go together. No key is needed, and nothing of it is authenticated.
  ///
  /// While another process encrypts the file under another key the state is as it was before.
  ///
  /// - Returns: `nil` if the vault is missing or empty.
  /// - Throws: as ``slots()``.
  public var state: KeyringState? {
    get throws {
      try mapping {
        guard let salt = try HeldFile.salt(ofFileAt: vaultPath) else { return nil }
        let state = try file.read().keyring.state(beside: salt)
        guard state == .unfinishedRotation || state == .neverFinished,
          CopyInWork.isInUse(of: vaultPath)
        else { return state }
        return state == .unfinishedRotation ? .matches : .ofAnotherFile
      }
    }
  }

  /// Removes a keyring that was made for a file which was never finished: no file needs it.
  ///
  /// - Returns: Whether it was removed; `false` if its state is another one.
  /// - Throws: as ``state``, and `.busy` while another process changes keyrings in the folder.
  @discardableResult
  public func removeIfNeverFinished() throws -> Bool {
    try mapping {
      try file.whileLocked { () throws in
        guard try state == .neverFinished else { return false }
        file.remove()
        return true
      }
    }
  }

  /// Which slot a key opens.
  ///
  /// - Throws: ``VaultError``: `.wrongKey` where it opens none, `.noSuchSlot`, `.keyringTampered` and
  ///   the errors of ``slots()``.
  @discardableResult
  public func test(_ key: SlotKey) throws -> Slot {
    try mapping {
      let keyring = try UnlockedKeyring(file, key: key).keyring
      guard let slot = keyring.keyring.slots.first(where: { $0.id == keyring.slotID }) else {
        throw VaultError(.internalError, "The slot that opened is not in the keyring.")
      }
      return Slot(name: slot.name, kind: slot.kind)
    }
  }

  /// Lets one more key open the vault.
  ///
  /// - Parameters:
  ///   - name: The slot's name: 1 to 100 bytes without control characters.
  ///   - key: What opens it.
  ///   - present: A key that opens the keyring now.
  ///   - cost: The work of opening the slot by a passphrase or a recovery code: the binary logarithm of
  ///     scrypt's N, 16 to 20. Each step doubles time and memory; 17 takes 128 MiB. Unless given, a cost
  ///     of about half a second on this machine, at least 17 and at most 18.
  /// - Throws: ``VaultError``: `.invalidArgument` for a name that is taken or cannot be one, or a cost
  ///   out of range, and the errors of ``test(_:)``.
  public func addSlot(
    _ name: String, _ key: SlotKey, unlockedBy present: SlotKey, cost: Int? = nil
  ) throws {
    try change(unlockedBy: present) { keyring throws(KeyError) in
      try keyring.addSlot(name, opening: try key.resolve(), cost: try .chosen(cost))
    }
  }

  /// Makes a recovery code: a key to print on paper and put away, for the day when a passphrase is
  /// forgotten.
  ///
  /// - Returns: The code as it is printed; it is kept nowhere.
  /// - Throws: as ``addSlot(_:_:unlockedBy:cost:)``.
  public func addRecoveryCode(
    _ name: String = "recovery", unlockedBy present: SlotKey
  ) throws -> Secret {
    // A noncopyable value does not leave a generic closure.
    let code: Secret
    do {
      code = try RecoveryCode.random()
    } catch {
      throw VaultError(error, path: path)
    }
    try addSlot(name, .recoveryCode(code.copy()), unlockedBy: present)
    return code
  }

  /// Removes a slot; the last one stays. An older copy of the keyring does not open the vault any more.
  ///
  /// Who could open the slot and has a copy of the vault with its keyring from before can still open
  /// that copy; and who kept the vault's data key, which an open vault has in memory, can open this
  /// one. ``Vault/rotate(unlockedBy:keeping:progress:)-(_,_,(RekeyProgress)->Void)`` with `keeping`
  /// takes that away too.
  ///
  /// - Throws: ``VaultError``: `.noSuchSlot`, `.invalidArgument` for the last slot, the errors of
  ///   ``test(_:)`` and those of opening the vault for writing.
  public func removeSlot(_ name: String, unlockedBy present: SlotKey) throws {
    try changeForGood("the slot '\(name)' is removed", unlockedBy: present) {
      keyring throws(KeyError) in try keyring.removeSlot(name)
    }
  }

  /// Changes the keyring so that no older copy of it opens the vault any more.
  ///
  /// - Parameter done: The change, for the error of a vault that could not record it.
  private func changeForGood(
    _ done: String, unlockedBy present: SlotKey,
    _ change: (inout OpenKeyring) throws(KeyError) -> Void
  ) throws {
    try mapping {
      let unlocked = try UnlockedKeyring(file, key: present)
      let vault = try Self.vault(of: unlocked, at: vaultPath)
      // A vault that cannot be written must not find its keyring changed.
      let opened = try vault.file()
      let changed = try unlocked.storing(change)
      do {
        try opened.noteKeyring(generation: changed.keyring.keyring.generation)
      } catch {
        // A caller that gets an error must find the keyring as it was.
        if Self.isPutBack(unlocked, after: changed) { throw error }
        let reason = VaultError.from(error, path: vaultPath) as? VaultError
        throw VaultError(
          reason?.code ?? .inputOutput,
          "\(done.asSentence.dropLast()), but the vault could not record it: an older copy of the "
            + "keyring still opens it. Fix the cause, then change the keyring once more. "
            + (reason?.message ?? ""),
          underlying: error)
      }
    }
  }

  /// Stores the keyring as it was before a change.
  private static func isPutBack(
    _ before: UnlockedKeyring, after changed: UnlockedKeyring
  ) -> Bool {
    do throws(KeyError) {
      _ = try changed.storing { keyring throws(KeyError) in
        keyring = try before.keyring.following(keyring.keyring.generation)
      }
      return true
    } catch {
      return false
    }
  }

  /// Gives a slot another name.
  ///
  /// - Parameters:
  ///   - name: The slot's present name.
  ///   - newName: The new one.
  ///   - key: The slot's own key: the name is sealed with it.
  /// - Throws: as ``addSlot(_:_:unlockedBy:cost:)``, and `.noSuchSlot`.
  public func renameSlot(_ name: String, to newName: String, _ key: SlotKey) throws {
    try change(unlockedBy: key.named(name)) { keyring throws(KeyError) in
      try keyring.renameSlot(name, to: newName, opening: try key.resolve())
    }
  }

  /// Changes the key of a slot, of any kind: one derivation for the old key, one for the new. An older
  /// copy of the keyring, which the old key opens, does not open the vault any more.
  ///
  /// - Parameters:
  ///   - name: The slot; the one that the present key opens unless given.
  ///   - newKey: What opens it from now on.
  ///   - present: A key that opens the keyring now.
  ///   - cost: The work of opening the slot from now on, as for ``addSlot(_:_:unlockedBy:cost:)``.
  /// - Throws: as ``addSlot(_:_:unlockedBy:cost:)``, `.noSuchSlot`, and the errors of opening the vault for
  ///   writing.
  public func changeKey(
    ofSlot name: String? = nil, to newKey: SlotKey, unlockedBy present: SlotKey, cost: Int? = nil
  ) throws {
    try changeForGood("the key is changed", unlockedBy: present) { keyring throws(KeyError) in
      let opened = keyring.keyring.slots.first { $0.id == keyring.slotID }?.name ?? ""
      try keyring.changeSecret(
        ofSlot: name ?? opened, to: try newKey.resolve(), cost: try .chosen(cost))
    }
  }

  // MARK: Parts

  private func change(
    unlockedBy key: SlotKey, _ change: (inout OpenKeyring) throws(KeyError) -> Void
  ) throws {
    try mapping { _ = try UnlockedKeyring(file, key: key).storing(change) }
  }

  private func mapping<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  /// Writes into a vault that no keyring older than this one may open it.
  static func noteGeneration(of unlocked: UnlockedKeyring, inVaultAt path: String) throws {
    try vault(of: unlocked, at: path).file()
      .noteKeyring(generation: unlocked.keyring.keyring.generation)
  }

  private static func vault(of unlocked: UnlockedKeyring, at path: String) throws -> Vault {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    return try Vault(at: path, key: VaultKey(.keyring(unlocked)), configuration: configuration)
  }
}
