import ObjectVaultTerminal
import ObjectVaultCore

/// A new master key for a keyring.
///
/// Only the slots with an available key are kept.
struct Revocation {
  let keyring: VaultKeyring
  /// The path of the vault in questions.
  let vault: String
  /// The key that unlocks the keyring.
  let present: SlotKey
  let given: KeptSlotOptions
  /// Whether no questions are asked.
  let isSilent: Bool

  /// The slots to keep and to remove.
  struct Plan {
    /// The present slots.
    let slots: [VaultKeyring.Slot]
    var kept: [SlotKey] = []
    var dropped: [String] = []
    /// The removed slots that no option names.
    var unnamed: [String] = []

    var keptNames: [String] { kept.compactMap(\.slot) }
  }

  /// Returns the slots to keep, with their keys, and the slots to remove.
  ///
  /// The keys are the given ones and, on a terminal, the typed ones. The slot `removed` is removed
  /// in any case.
  func plan(removing removed: String?) throws -> Plan {
    let opened = try keyring.opened(by: present)
    let removals = given.drop + [removed].compactMap(\.self)
    for name in given.slotNames + removals
    where !opened.slots.contains(where: { $0.isNamed(name) }) {
      throw VaultError(
        .noSuchSlot,
        "The keyring has no slot '\(PrintableText.escaped(name))'. It has "
          + "\(Self.list(opened.slots.map(\.name))).")
    }
    var plan = Plan(slots: opened.slots)
    for slot in opened.slots {
      if removals.contains(where: slot.isNamed) {
        plan.dropped.append(slot.name)
      } else if let key = given.key(of: slot) {
        try keyring.test(key)
        plan.kept.append(key)
      } else if let recipient = slot.recipient {
        // The public key is enough to write the slot again.
        plan.kept.append(.recipient(recipient, slot: slot.name))
      } else if slot.isNamed(opened.slot.name) {
        plan.kept.append(present.named(slot.name))
      } else if let key = try typedKey(of: slot) {
        plan.kept.append(key)
      } else {
        plan.dropped.append(slot.name)
        plan.unnamed.append(slot.name)
      }
    }
    guard !plan.kept.isEmpty else {
      throw ToolError(
        .usage,
        "No slot would remain. Unlock the keyring with a slot to keep, or provide the key of one "
          + "with --keep-key-file, --keep-key-env, --keep-key-fd or --keep-provider. Nothing was "
          + "done.")
    }
    guard !isSilent || plan.unnamed.isEmpty else {
      throw ToolError(
        .usage,
        "Slots that would be removed too: \(Self.list(plan.unnamed)). Provide the keys of those to "
          + "keep with --keep-key-file, --keep-key-env, --keep-key-fd or --keep-provider, and name "
          + "each slot to remove with --drop. Nothing was done.")
    }
    return plan
  }

  /// Lists the slots to keep and to remove, and asks for confirmation.
  func confirm(_ plan: Plan) throws {
    guard !isSilent else { return }
    let dropped = plan.dropped.isEmpty ? "none" : Self.list(plan.dropped)
    let facts = "Slots to keep: \(Self.list(plan.keptNames)). Slots to remove: \(dropped)."
    guard let terminal = TerminalPrompt() else {
      throw ToolError(
        .usage,
        "\(facts) There is no terminal to ask on. Use --yes to continue without confirmation, and "
          + "--keep-key-file, --keep-key-env or --keep-key-fd to keep more slots. Nothing was done."
      )
    }
    guard try terminal.confirm("\(facts) Continue?") else {
      throw ToolError(.usage, "Nothing was done.")
    }
  }

  /// Asks until the typed key opens its slot.
  ///
  /// Returns `nil` if the slot is to be removed, no terminal is available, or the key cannot be
  /// typed.
  private func typedKey(of slot: VaultKeyring.Slot) throws -> SlotKey? {
    guard !isSilent, slot.kind != .provider, let terminal = TerminalPrompt() else { return nil }
    let name = PrintableText.escaped(slot.name)
    let end = "of slot '\(name)' of '\(vault)' (empty to remove the slot): "
    while true {
      let key: SlotKey
      if slot.kind == .keyFile {
        let path = terminal.readLine("Path of the key file \(end)")
        if path.isEmpty { return nil }
        key = .keyFile(path, slot: slot.name)
      } else {
        let typed = SharedSecret(try terminal.readHidden("\(slot.kind.question) \(end)"))
        if typed.count == 0 { return nil }
        key = GivenSecret(typed: typed, holding: .passphrase)
          .slotKey(slot.kind, slot: slot.name)
      }
      do {
        try keyring.test(key)
        return key
      } catch let error as VaultError
        where [.wrongKey, .invalidKey, .noKey, .keySourceUnreadable].contains(error.code)
      {
        terminal.say("\(error.message)\n")
      }
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\(PrintableText.escaped($0))'" }.joined(separator: ", ")
  }
}
