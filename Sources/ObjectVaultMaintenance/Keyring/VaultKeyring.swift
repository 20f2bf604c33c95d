package import ObjectVaultDriver
import ObjectVaultFile
public import ObjectVaultKeys
import ObjectVaultSession

/// The keyring of a vault, which defines the keys that open it.
///
/// A keyring has named slots. Each slot is opened by a key of its own: a passphrase, a recovery
/// code, a key file, a raw key, an identity or a key provider. Changing a slot is fast and encrypts
/// no page of the vault again. The vault may be open at the same time.
///
/// Every change opens the vault with the keyring first, because the vault records the latest
/// generation of its keyring: an older keyring is rejected and stays as it is.
///
/// ```swift
/// let keyring = try VaultKeyring(ofVaultAt: "school.vault")
/// try keyring.addSlot(
///   "deputy", .passphrase("other words"), unlockedBy: .passphrase("first words"))
/// ```
public struct VaultKeyring: Sendable {
  /// The absolute path of the vault.
  public let vaultPath: String
  /// The path of the keyring: `VAULT.keyring` unless it is stored elsewhere.
  public var path: String { file.path }
  let file: KeyringFile

  /// The name of the first slot of a new keyring, if its key names none.
  public static let firstSlotName = KeyringNote.firstSlotName

  /// Creates a reference to a keyring.
  ///
  /// Nothing is read yet.
  ///
  /// - Parameters:
  ///   - vaultPath: The path of the vault.
  ///   - path: The path of the keyring, if it is not next to the vault.
  /// - Throws: ``VaultError``: `.invalidArgument` for an invalid path.
  public init(ofVaultAt vaultPath: String, at path: String? = nil) throws {
    self.vaultPath = try Vault.canonical(vaultPath)
    if let path {
      file = KeyringFile(at: try Vault.canonical(path))
    } else {
      file = KeyringFile(besideVault: self.vaultPath)
    }
  }

  /// Whether the keyring exists.
  public var exists: Bool { file.exists }

  /// Returns the slots, in the order in which they were added.
  ///
  /// This needs no key, and the result is not authenticated. Only a slot that opens proves that the
  /// keyring is unmodified.
  ///
  /// - Returns: The names and kinds of the slots.
  /// - Throws: ``VaultError``: `.keyringMissing`, `.keyringMalformed`, `.newerFormat`.
  public func slots() throws -> [Slot] {
    try mapping { try file.read().keyring.slots.map { Slot($0) } }
  }

  /// Returns the description that a provider has of the secret in a slot.
  ///
  /// - Parameters:
  ///   - name: The name of the slot.
  ///   - provider: The provider of the slot.
  /// - Returns: One line for people. It is not authenticated.
  /// - Throws: ``VaultError``: `.noSuchSlot`, `.invalidArgument` if the slot has another provider or
  ///   none, `.providerMissing`, `.providerFailed`, and the errors of ``slots()``.
  public func describeSlot(_ name: String, by provider: any KeyProvider) throws -> String {
    try mapping {
      let keyring = try file.read().keyring
      guard let slot = keyring.slot(named: name) else { throw keyring.noSuchSlot(name) }
      guard let provided = slot.provided, provided.provider == provider.name else {
        throw VaultError(
          .invalidArgument,
          "The slot '\(name)' is not one of the key provider '\(provider.name)'. Check the slot.")
      }
      return try provider.describe(provided.bytes)
    }
  }

  /// The reason that the spare copy of the keyring is used, or `nil` if the keyring itself can be
  /// read.
  ///
  /// Any change of a slot writes both again.
  ///
  /// - Throws: The errors of ``slots()``.
  public var damage: String? { get throws { try mapping { try file.read().spareReason } } }

  /// The relation between the keyring and the vault, or `nil` if the vault is missing or empty.
  ///
  /// This needs no key, and the result is not authenticated. While another process encrypts the
  /// file with another key, the state is the one from before.
  ///
  /// - Throws: The errors of ``slots()``.
  public var state: KeyringState? {
    get throws {
      try settled {
        guard let start = try HeldFile.start(ofFileAt: vaultPath) else { return nil }
        return try file.read().keyring.state(beside: start)
      }
    }
  }

  /// Returns the relation between the keyring and the vault, of which a key proved the salt.
  func state(ofFileWith salt: FileSalt) throws -> KeyringState? {
    try settled { try file.read().keyring.state(ofFileWith: salt) }
  }

  /// Called before the state is read, for tests.
  @TaskLocal static var beforeReadingState: @Sendable () -> Void = {}

  /// Returns the state that a closure reads, or that from before the work of another process.
  private func settled(_ read: () throws -> KeyringState?) throws -> KeyringState? {
    // The copy is in use from before its data key is stored until it has replaced the file. If it
    // was checked only after reading, a finished replacement would seem to be an abandoned one.
    let isBusy = CopyInWork.isInUse(of: vaultPath)
    Self.beforeReadingState()
    let state = try mapping(read)
    guard state == .unfinishedRotation || state == .neverFinished,
      isBusy || CopyInWork.isInUse(of: vaultPath)
    else { return state }
    return state == .unfinishedRotation ? .matches : .ofAnotherFile
  }

  /// Retires a keyring that was created for a file that was never finished.
  ///
  /// It is renamed to `VAULT.keyring.retired`, because its file may exist elsewhere, or the start
  /// of the file next to it may be damaged.
  ///
  /// - Returns: Whether it was retired; `false` if its state is another one.
  /// - Throws: The errors of ``state``, and `.busy` while another process changes keyrings in the
  ///   folder.
  @discardableResult
  public func removeIfNeverFinished() throws -> Bool {
    try mapping {
      try file.whileLocked { () throws in
        guard try state == .neverFinished else { return false }
        try file.retire()
        return true
      }
    }
  }

  /// Returns the slot that a key opens.
  ///
  /// - Parameter key: The key to test.
  /// - Returns: The name and kind of the slot.
  /// - Throws: ``VaultError``: `.wrongKey` if it opens none, `.noSuchSlot`, `.keyringTampered` and
  ///   the errors of ``slots()``.
  @discardableResult
  public func test(_ key: SlotKey) throws -> Slot { try opened(by: key).slot }

  /// The authenticated contents of a keyring.
  package struct Opened {
    /// The slot that the key opened.
    package let slot: Slot
    /// All slots, in the order in which they were added.
    package let slots: [Slot]
    /// The reason why the spare copy was opened instead of the keyring; `nil` if it was not.
    package let spareReason: String?

    fileprivate init(_ unlocked: UnlockedKeyring) throws {
      slot = try VaultKeyring.openedSlot(of: unlocked.keyring)
      slots = unlocked.keyring.keyring.slots.map { Slot($0) }
      spareReason = unlocked.spareReason
    }
  }

  /// Returns the contents of the keyring that a key opens.
  ///
  /// - Parameter key: The key.
  /// - Returns: The contents.
  /// - Throws: The errors of ``test(_:)``.
  package func opened(by key: SlotKey) throws -> Opened {
    try mapping { try Opened(UnlockedKeyring(file, key: key)) }
  }

  /// Returns the contents of the keyring that a key opens, and the error of the vault if it rejects
  /// the keyring or cannot be opened.
  ///
  /// A missing vault has no error.
  ///
  /// - Throws: The errors of ``test(_:)``.
  package func tested(_ key: SlotKey) throws -> (opened: Opened, vaultError: VaultError?) {
    try mapping {
      let unlocked = try UnlockedKeyring(file, key: key)
      let error =
        HeldFile.Identity(path: vaultPath) == nil
        ? nil : Self.error(ofOpening: vaultPath, with: VaultKey(.keyring(unlocked)))
      return (try Opened(unlocked), error)
    }
  }

  /// Returns the error of opening a vault for reading; `nil` if it opens.
  ///
  /// - Parameters:
  ///   - path: The path of the vault.
  ///   - key: The key of the vault.
  /// - Returns: The error: `.keyringRolledBack` for a keyring that is older than the vault accepts,
  ///   `.keyringMismatch` for that of another vault.
  package static func error(ofOpening path: String, with key: VaultKey) -> VaultError? {
    do {
      var configuration = configuration
      configuration.isReadOnly = true
      let vault = try Vault(at: path, key: key, configuration: configuration)
      defer { vault.close() }
      _ = try vault.file()
      return nil
    } catch {
      return VaultError.from(error, path: path) as? VaultError
    }
  }

  /// Returns the slot that opened a keyring.
  static func openedSlot(of keyring: OpenKeyring) throws -> Slot {
    guard let slot = keyring.keyring.slots.first(where: { $0.id == keyring.slotID }) else {
      throw VaultError(.internalError, "The slot that was opened is not in the keyring.")
    }
    return Slot(slot)
  }

  /// Adds a slot, so that another key opens the vault.
  ///
  /// - Parameters:
  ///   - name: The slot's name: 1 to 100 bytes without control characters.
  ///   - key: The key that opens the new slot. A ``SlotKey/recipient(_:slot:)`` is opened by its
  ///     identity, and a ``SlotKey/provider(_:slot:)`` gets a new random secret.
  ///   - present: A key that opens the keyring now.
  ///   - cost: The work of opening the slot with a passphrase or a recovery code, as the binary
  ///     logarithm of scrypt's N, 16 to 20. Each step doubles time and memory; 17 takes 128 MiB. If
  ///     `nil`, the cost is chosen to take about half a second on this computer, at least 17 and at
  ///     most 18.
  /// - Throws: ``VaultError``: `.invalidArgument` for a name that is taken or invalid or a cost out
  ///   of range, `.invalidKey` for an invalid recipient, the errors of ``test(_:)``,
  ///   `.keyringRolledBack` for an older keyring, and the other errors of opening the vault.
  public func addSlot(
    _ name: String, _ key: SlotKey, unlockedBy present: SlotKey, cost: Int? = nil
  ) throws {
    try change(unlockedBy: present) { keyring throws(KeyError) in
      let secret = try key.resolve()
      try keyring.addSlot(name, opening: secret, cost: try .chosen(cost, for: [secret]))
    }
  }

  /// Adds a slot with a recovery code, to print and store in case a passphrase is forgotten.
  ///
  /// - Parameters:
  ///   - name: The slot's name.
  ///   - present: A key that opens the keyring now.
  /// - Returns: The code in printable form. It is not stored anywhere.
  /// - Throws: The errors of ``addSlot(_:_:unlockedBy:cost:)``.
  public func addRecoveryCode(
    _ name: String = "recovery", unlockedBy present: SlotKey
  ) throws -> Secret {
    // A noncopyable value cannot leave a generic closure.
    let code: Secret
    do {
      code = try RecoveryCode.random()
    } catch {
      throw VaultError(error, path: path)
    }
    try addSlot(name, .recoveryCode(code.copy()), unlockedBy: present)
    return code
  }

  /// Removes a slot.
  ///
  /// The last slot cannot be removed.
  ///
  /// An older copy of the keyring does not open the vault any more. However, the slot's key still
  /// opens an older copy of the vault with its keyring, and a user who extracted the vault's data
  /// key, which is in the memory of an open vault, can still open this vault.
  /// ``Vault/rotate(unlockedBy:keeping:progress:)-(_,_,(RekeyProgress)->Void)`` with `keeping` also
  /// prevents the latter.
  ///
  /// - Parameters:
  ///   - name: The name of the slot.
  ///   - present: A key that opens the keyring now.
  /// - Throws: ``VaultError``: `.noSuchSlot`, `.invalidArgument` for the last slot or inside a
  ///   transaction of the vault, the errors of ``test(_:)`` and the errors of opening the vault for
  ///   writing. If a former call was interrupted after it had removed the slot, the error is
  ///   `.noSuchSlot`, and the vault records the removal now.
  public func removeSlot(_ name: String, unlockedBy present: SlotKey) throws {
    try changeForGood("the slot '\(name)' is removed", unlockedBy: present) {
      keyring throws(KeyError) in try keyring.removeSlot(name)
    }
  }

  /// Renames a slot.
  ///
  /// - Parameters:
  ///   - name: The slot's present name.
  ///   - newName: The new name.
  ///   - key: The slot's own key, which authenticates the name.
  /// - Throws: The errors of ``addSlot(_:_:unlockedBy:cost:)``, and `.noSuchSlot`.
  public func renameSlot(_ name: String, to newName: String, _ key: SlotKey) throws {
    try mapping {
      let key = try reading(key)
      _ = try unlockedForChange(by: key.named(name)).keyring.storing { keyring throws(KeyError) in
        try keyring.renameSlot(name, to: newName, opening: try key.resolve())
      }
    }
  }

  /// Changes the key of a slot to a key of any kind.
  ///
  /// This derives one key for the old slot key and one for the new. An older copy of the keyring,
  /// which the old key opens, does not open the vault any more.
  ///
  /// - Parameters:
  ///   - name: The name of the slot, or `nil` for the slot that the present key opens.
  ///   - newKey: The new key of the slot.
  ///   - present: A key that opens the keyring now.
  ///   - cost: The work of opening the slot from now on, as for ``addSlot(_:_:unlockedBy:cost:)``.
  /// - Throws: The errors of ``addSlot(_:_:unlockedBy:cost:)``, `.noSuchSlot`, and the errors of
  ///   opening the vault for writing. If a former call was interrupted after it had stored the new
  ///   key, and the present key opens no slot any more, the error is `.wrongKey`, and the vault
  ///   records the change now.
  public func changeKey(
    ofSlot name: String? = nil, to newKey: SlotKey, unlockedBy present: SlotKey, cost: Int? = nil
  ) throws {
    try changeForGood(
      "the key is changed", unlockedBy: present, or: newKey.named(name ?? present.slot)
    ) { keyring throws(KeyError) in
      let opened = keyring.keyring.slots.first { $0.id == keyring.slotID }?.name ?? ""
      let secret = try newKey.resolve()
      try keyring.changeSecret(
        ofSlot: name ?? opened, to: secret, cost: try .chosen(cost, for: [secret]))
    }
  }

  /// Raises the cost of a slot with a passphrase or a recovery code.
  ///
  /// Computers become faster, and the cost of a slot stays. The cost is never lowered, and a slot
  /// of another kind does not change. Older copies of the keyring retain the old cost.
  ///
  /// - Parameters:
  ///   - key: The key that opens the slot.
  ///   - cost: The new cost, as for ``addSlot(_:_:unlockedBy:cost:)``.
  /// - Returns: The slot before and afterwards; both are equal if it did not change.
  /// - Throws: ``VaultError``: `.invalidArgument` for a cost out of range or one that is too high
  ///   with that of the other slots, the errors of ``test(_:)``, and those of opening the vault.
  @discardableResult
  public func raiseCost(
    ofSlotOpenedBy key: SlotKey, to cost: Int? = nil
  ) throws -> (before: Slot, after: Slot) {
    try mapping {
      let key = try reading(key)
      let unlocked = try unlockedForChange(by: key).keyring
      let before = try Self.openedSlot(of: unlocked.keyring)
      var raised = unlocked.keyring
      let secret = try key.resolve()
      guard try raised.raiseCost(opening: secret, to: try .chosen(cost, for: [secret])) else {
        return (before, before)
      }
      _ = try unlocked.storing { keyring throws(KeyError) in keyring = raised }
      return (before, try Self.openedSlot(of: raised))
    }
  }

  /// Returns the sealing keys, for a database that does not have this keyring.
  ///
  /// The vault itself uses them without this call. A shared vault on a server gets them in its
  /// configuration, so that its sealed values are readable for those who can open a slot.
  ///
  /// - Parameter key: The key that opens a slot.
  /// - Returns: The keys. They remain valid after every rotation: if that takes access away, the
  ///   keyring retains them and adds one.
  /// - Throws: ``VaultError``: the errors of ``test(_:)``.
  public func sealingKeys(unlockedBy key: SlotKey) throws -> SealingKeys {
    try mapping { try UnlockedKeyring(file, key: key).keyring.sealingKeys() }
  }

  // MARK: Parts

  private func change(
    unlockedBy key: SlotKey, _ change: (inout OpenKeyring) throws(KeyError) -> Void
  ) throws {
    try mapping { _ = try unlockedForChange(by: key).keyring.storing(change) }
  }

  /// Returns a key whose source is read now and not again, so that it is the same in each use.
  private func reading(_ key: SlotKey) throws(KeyError) -> SlotKey {
    // Check before the secret is requested.
    guard file.exists else { throw file.missing }
    return try key.reading()
  }

  /// Returns the unlocked keyring, which the vault accepts, and the open vault.
  ///
  /// A change gives a keyring the next generation. An older keyring that was put back would
  /// otherwise become acceptable by its changes, with the slots that were removed since.
  ///
  /// - Throws: `.keyringRolledBack`, and the other errors of the key and of opening the vault.
  func unlockedForChange(
    by key: SlotKey
  ) throws -> (keyring: UnlockedKeyring, vault: VaultFile) {
    let (unlocked, vault) = try Reopening.whileKeyringChanges(file) {
      let unlocked = try UnlockedKeyring(file, key: key)
      return (unlocked, try Self.vault(of: unlocked, at: vaultPath).file())
    }
    // The opening may have recorded in the keyring that the file of a pending key is in place.
    let found = try file.read()
    guard let latest = unlocked.keyring.following(found.keyring),
      latest.keyring.slots.contains(where: { $0.id == latest.slotID })
    else { return (unlocked, vault) }
    return (UnlockedKeyring(file, keyring: latest, spareReason: found.spareReason), vault)
  }

  /// Checks that this thread is not inside a transaction of the vault.
  ///
  /// The keyring is stored at once, but a rollback of the transaction would also undo the record
  /// that no older keyring may open the vault.
  ///
  /// - Throws: `.invalidArgument` inside a transaction.
  func checkNotInTransaction() throws(VaultError) {
    guard let identity = HeldFile.Identity(path: vaultPath),
      HandleRegistry.files(with: identity).contains(where: { $0.sessions.isInTransaction })
    else { return }
    throw VaultError(
      .invalidArgument,
      "The keyring of '\(vaultPath)' cannot be changed inside a transaction of the vault. End the "
        + "transaction first.")
  }

  func mapping<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  /// Records in a vault that no keyring with an older generation may open it.
  static func noteGeneration(of unlocked: UnlockedKeyring, inVaultAt path: String) throws {
    try vault(of: unlocked, at: path).file()
      .noteKeyring(generation: unlocked.keyring.keyring.generation)
  }

  private static func vault(of unlocked: UnlockedKeyring, at path: String) throws -> Vault {
    try Vault(at: path, key: VaultKey(.keyring(unlocked)), configuration: configuration)
  }

  /// The configuration with which the vault of a keyring is opened.
  private static var configuration: VaultConfiguration {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    // The file may come from someone else, like every file that a keyring command is used on.
    configuration.isUntrusted = true
    configuration.isOfKeyring = true
    return configuration
  }
}
