internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

/// Which slot of which keyring a key opens.
struct SlotOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The keyring, where it does not lie beside the vault as VAULT.keyring.", valueName: "path"),
    completion: .file())
  var keyring: String?

  @Option(
    help: ArgumentHelp(
      "The slot of the keyring that the key opens; without it those of its kind are tried.",
      valueName: "name"))
  var slot: String?

  @Flag(help: "The key is a recovery code of the keyring.")
  var recoveryCode = false

  /// Whether anything was said of a keyring.
  var isGiven: Bool { keyring != nil || slot != nil || recoveryCode }

  /// The kind of key that is to be asked for on the terminal.
  ///
  /// - Throws: ``ToolError`` for a slot whose key nobody can type.
  func kindToAsk(_ keyring: VaultKeyring, isRaw: Bool) throws -> SlotKind {
    let kind = try kind(keyring, isRaw: isRaw)
    guard kind == .keyFile else { return kind }
    let name = slot.map { "The slot '\(PrintableText.escaped($0))'" } ?? "The keyring"
    throw ToolError(.usage, "\(name) is opened by a key file. Give --key-file PATH.")
  }

  /// The key of a slot, as it was given.
  func slotKey(
    _ secret: GivenSecret, _ keyring: VaultKeyring, asked: SlotKind?, isRaw: Bool
  ) throws -> SlotKey {
    if let asked { return secret.slotKey(asked, slot: slot) }
    let kind = try kind(keyring, isRaw: isRaw)
    guard kind == .passphrase, slot == nil, secret.place == .file || secret.place == .descriptor,
      try keyring.slots().contains(where: { $0.kind == .keyFile })
    else { return secret.slotKey(kind, slot: slot) }
    // What a file holds can be either. To try it as a key file costs nothing.
    let keyFile = secret.slotKey(.keyFile)
    do {
      return keyFile.named(try keyring.test(keyFile).name)
    } catch let error as VaultError where [.wrongKey, .invalidKey, .noKey].contains(error.code) {
      return secret.slotKey(.passphrase)
    }
  }

  /// What kind of key it is: what was said, or what the slot is opened by, or what most likely.
  private func kind(_ keyring: VaultKeyring, isRaw: Bool) throws -> SlotKind {
    let slots = try keyring.slots()
    if let slot, !slots.contains(where: { $0.name == slot }) {
      let names = slots.map { "'\(PrintableText.escaped($0.name))'" }.joined(separator: ", ")
      throw VaultError(
        .noSuchSlot,
        "The keyring '\(PrintableText.escaped(keyring.path))' has no slot "
          + "'\(PrintableText.escaped(slot))'. It has \(names).")
    }
    if isRaw { return .raw }
    if recoveryCode { return .recoveryCode }
    if let named = slots.first(where: { $0.name == slot }) { return named.kind }
    let kinds = Set(slots.map(\.kind))
    return [.passphrase, .recoveryCode, .raw, .keyFile].first(where: kinds.contains) ?? .passphrase
  }
}
