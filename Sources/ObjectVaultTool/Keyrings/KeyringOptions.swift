internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

/// The keyring that a subcommand works on, and the key that unlocks it.
struct KeyringOptions: ParsableArguments, Sendable {
  @OptionGroup var place: KeyringPlaceOptions

  @OptionGroup(title: "Options for the present key (asked for on the terminal where none is given)")
  var sources: KeySourceOptions

  @OptionGroup(title: "Options for the keyring")
  var slots: SlotOptions

  func validate() throws {
    if slots.recoveryCode, sources.rawKey {
      throw ValidationError("Give one of --recovery-code and --raw-key, not both.")
    }
  }

  var vault: String { place.vault }

  /// The vault, as questions and answers name it.
  var name: String { PrintableText.escaped(vault) }

  /// The keyring, which must be there.
  func keyring() throws -> VaultKeyring { try place.keyring(at: slots.keyring) }

  /// The key that unlocks the keyring; asks for it on the terminal where no source is given.
  func unlockingKey(of keyring: VaultKeyring) throws -> SlotKey {
    let asked =
      sources.choice.isAsked ? try slots.kindToAsk(keyring, isRaw: sources.rawKey) : nil
    let slot = slots.slot.map { "slot '\(PrintableText.escaped($0))' of " } ?? ""
    let secret = try sources.choice.secret(
      asked ?? .passphrase, for: "\(slot)'\(name)'", isNew: false)
    return try slots.slotKey(secret, keyring, asked: asked, isRaw: sources.rawKey)
  }
}
