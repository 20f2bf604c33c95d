internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

/// The key for a file that will be encrypted for the first time.
struct FirstKeyOptions: ParsableArguments, Sendable {
  @OptionGroup var sources: KeySourceOptions

  @Flag(
    help: ArgumentHelp(
      "Create a keyring next to the vault (VAULT.keyring): it can have several keys, which "
        + "can be changed in an instant."))
  var keyring = false

  @Option(
    help: ArgumentHelp(
      "With --keyring, the name of its first slot; '\(VaultKeyring.firstSlotName)' by default.",
      valueName: "name"))
  var slot: String?

  @Option(
    help: ArgumentHelp(
      "With --keyring, the kind of the key: a passphrase, 32 random bytes or more in a file "
        + "(key-file), or hexadecimal digits (raw).",
      valueName: "kind"))
  var keyKind: NewSlotKind?

  func validate() throws {
    if !keyring, slot != nil || keyKind != nil {
      throw ValidationError("--slot and --key-kind require --keyring.")
    }
    try sources.check(isRecoveryCode: false)
    if sources.needsKeyring, !keyring || keyKind != nil {
      throw ValidationError(
        "--identity and --provider require --keyring, and cannot be combined with --key-kind.")
    }
    if sources.rawKey, let keyKind, keyKind != .raw {
      throw ValidationError("--raw-key cannot be combined with --key-kind \(keyKind.rawValue).")
    }
    if keyKind == .keyFile, sources.choice.isAsked {
      throw ValidationError(
        "A key file cannot be typed. Use --key-file PATH, with 32 random bytes or more.")
    }
  }

  /// Returns the key.
  ///
  /// Without a source, it is requested twice on the terminal.
  func key(for path: String) throws -> VaultKey {
    let isRaw = sources.rawKey || keyKind == .raw
    let kind: SlotKind = isRaw ? .raw : keyKind?.slotKind ?? .passphrase
    var choice = sources.choice
    choice.isRaw = isRaw
    let subject = "'\(PrintableText.escaped(path))'"
    let secret = try choice.secret(kind, for: subject, isNew: true)
    let key = keyring ? VaultKey.keyring(secret.slotKey(kind, slot: slot)) : try secret.key()
    Warning.write(ofNewKey: key.weakness, for: subject)
    return key
  }

  /// Returns the text about the new keyring, which follows the text about the file.
  func note(ofVaultAt path: String) -> String {
    guard keyring else { return "" }
    let slot = PrintableText.escaped(slot ?? VaultKeyring.firstSlotName)
    return
      " Store its keyring, '\(PrintableText.escaped(path)).keyring' (slot '\(slot)'), with it: "
      + "without the keyring no one can open the vault."
  }

  /// Throws an error if a keyring of an earlier file exists.
  ///
  /// It would be mistaken for the keyring of the new file.
  func refuseLeftoverKeyring(of path: String) throws {
    let file = KeyringFile(besideVault: path)
    // The keyring of a vault that was never created is not in the way.
    let isUnfinished = try? file.read().keyring.epochs.allSatisfy { $0.state == .pending }
    guard file.exists, !keyring || isUnfinished != true else { return }
    throw ToolError(
      .cannotCreate,
      "'\(PrintableText.escaped(file.path))' is left over from an earlier vault of this name. Move "
        + "it away if a copy of that vault may need it, or remove it; then try again.")
  }
}
