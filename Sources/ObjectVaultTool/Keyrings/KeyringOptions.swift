internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

/// The keyring of a subcommand, and the key that unlocks it.
struct KeyringOptions: ParsableArguments, Sendable {
  @OptionGroup var place: KeyringPlaceOptions

  @OptionGroup(title: "Options for the present key (read from the terminal if none is given)")
  var sources: KeySourceOptions

  @OptionGroup(title: "Options for the keyring")
  var slots: SlotOptions

  @OptionGroup var verbose: VerboseOption

  func validate() throws {
    try sources.check(isRecoveryCode: slots.recoveryCode)
  }

  var vault: String { place.vault }

  /// The path of the vault in questions and messages.
  var name: String { PrintableText.escaped(vault) }

  /// Returns the keyring, which must exist.
  func keyring() throws -> VaultKeyring { try place.keyring(at: slots.keyring) }

  /// Returns the key that unlocks the keyring.
  ///
  /// A typed key is tested, and requested again if it is rejected. If a new key will be requested,
  /// the present one is tested before. `newKeys` are the options of that new key.
  func unlockingKey(
    of keyring: VaultKeyring, before newKeys: NewKeyOptions? = nil
  ) throws -> SlotKey {
    guard sources.choice.isAsked || newKeys?.isAsked == true else { return try asked(keyring) }
    return try sources.choice.retrying {
      let key = try asked(keyring)
      try keyring.test(key)
      return key
    }
  }

  private func asked(_ keyring: VaultKeyring) throws -> SlotKey {
    let asked =
      sources.choice.isAsked ? try slots.kindToAsk(keyring, isRaw: sources.rawKey) : nil
    let slot = slots.slot.map { "slot '\(PrintableText.escaped($0))' of " } ?? ""
    let secret = try sources.choice.secret(
      asked ?? .passphrase, for: "\(slot)'\(name)'", isNew: false)
    return try slots.slotKey(secret, keyring, asked: asked, isRaw: sources.rawKey)
  }
}
