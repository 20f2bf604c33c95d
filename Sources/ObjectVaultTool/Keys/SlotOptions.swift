internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

/// The keyring and the slot that a key opens.
struct SlotOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The keyring, if it is not next to the vault as VAULT.keyring.", valueName: "path"),
    completion: .file())
  var keyring: String?

  @Option(
    help: ArgumentHelp(
      "The slot of the keyring that the key opens; by default all slots of its kind are tried.",
      valueName: "name"))
  var slot: String?

  @Flag(help: "The key is a recovery code of the keyring.")
  var recoveryCode = false

  /// Whether an option for a keyring was given.
  var isGiven: Bool { keyring != nil || slot != nil || recoveryCode }

  /// Returns the kind of key to request on the terminal.
  ///
  /// - Parameters:
  ///   - keyring: The keyring.
  ///   - isRaw: Whether the key was declared as raw.
  /// - Returns: The kind of key.
  /// - Throws: ``ToolError`` if the slot has a key that cannot be typed.
  func kindToAsk(_ keyring: VaultKeyring, isRaw: Bool) throws -> SlotKind {
    let kind = try kind(keyring, isRaw: isRaw)
    let name = slot.map { "The slot '\(PrintableText.escaped($0))'" } ?? "The keyring"
    switch kind {
    case .passphrase, .recoveryCode, .raw: return kind
    case .keyFile: throw ToolError(.usage, "\(name) requires a key file. Use --key-file PATH.")
    case .recipient: throw ToolError(.usage, "\(name) requires an identity. Use --identity PATH.")
    case .provider:
      throw ToolError(.usage, "\(name) requires a key provider. Use --provider NAME.")
    }
  }

  /// Returns the key of a slot from the given secret.
  func slotKey(
    _ secret: GivenSecret, _ keyring: VaultKeyring, asked: SlotKind?, isRaw: Bool
  ) throws -> SlotKey {
    if let asked { return secret.slotKey(asked, slot: slot) }
    if let key = secret.keyringOnlyKey { return key.named(slot) }
    let kind = try kind(keyring, isRaw: isRaw)
    guard kind == .passphrase, slot == nil, secret.isContent,
      try keyring.slots().contains(where: { $0.kind == .keyFile })
    else { return secret.slotKey(kind, slot: slot) }
    // The content of a file can be either kind. Trying it as a key file costs nothing.
    let keyFile = secret.slotKey(.keyFile)
    do {
      return keyFile.named(try keyring.test(keyFile).name)
    } catch let error as VaultError where [.wrongKey, .invalidKey, .noKey].contains(error.code) {
      return secret.slotKey(.passphrase)
    }
  }

  /// Returns the kind of key: the given one, the kind of the slot, or the most likely one.
  private func kind(_ keyring: VaultKeyring, isRaw: Bool) throws -> SlotKind {
    let slots = try keyring.slots()
    let named = slot.flatMap { name in slots.first { $0.isNamed(name) } }
    if let slot, named == nil {
      let names = slots.map { "'\(PrintableText.escaped($0.name))'" }.joined(separator: ", ")
      throw VaultError(
        .noSuchSlot,
        "The keyring '\(PrintableText.escaped(keyring.path))' has no slot "
          + "'\(PrintableText.escaped(slot))'. It has \(names).")
    }
    if isRaw { return .raw }
    if recoveryCode { return .recoveryCode }
    if let named { return named.kind }
    let kinds = Set(slots.map(\.kind))
    return [.passphrase, .recoveryCode, .raw, .keyFile, .recipient, .provider]
      .first(where: kinds.contains) ?? .passphrase
  }
}
