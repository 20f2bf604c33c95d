import ObjectVaultConformance
import ObjectVaultCore

/// A new master key for a keyring: only the slots whose keys are at hand go over to it.
struct Revocation {
  let keyring: VaultKeyring
  /// The vault, as questions name it.
  let vault: String
  /// What unlocks the keyring.
  let present: SlotKey
  let given: KeptSlotOptions
  /// Whether nobody is asked anything.
  let isSilent: Bool

  /// What becomes of the slots.
  struct Plan {
    var kept: [SlotKey] = []
    var dropped: [String] = []

    var keptNames: [String] { kept.compactMap(\.slot) }
  }

  /// Finds the keys of the slots that stay: those given, and on a terminal those typed.
  ///
  /// - Parameter removed: The slot that goes in any case.
  func plan(removing removed: String?) throws -> Plan {
    let slots = try keyring.slots()
    for name in given.slotNames + given.drop + [removed].compactMap(\.self)
    where !slots.contains(where: { $0.name == name }) {
      throw VaultError(
        .noSuchSlot,
        "The keyring has no slot '\(PrintableText.escaped(name))'. It has "
          + "\(Self.list(slots.map(\.name))).")
    }
    let opened = try keyring.test(present)
    var plan = Plan()
    for slot in slots {
      if slot.name == removed || given.drop.contains(slot.name) {
        plan.dropped.append(slot.name)
      } else if let key = given.key(of: slot) {
        try keyring.test(key)
        plan.kept.append(key)
      } else if slot.name == opened.name {
        plan.kept.append(present.named(slot.name))
      } else if let key = try typedKey(of: slot) {
        plan.kept.append(key)
      } else {
        plan.dropped.append(slot.name)
      }
    }
    guard !plan.kept.isEmpty else {
      throw ToolError(
        .usage,
        "No slot would be left. Unlock the keyring by one that stays, or give its key with "
          + "--keep-key-file, --keep-key-env or --keep-key-fd. Nothing was done.")
    }
    let unnamed = plan.dropped.filter { $0 != removed && !given.drop.contains($0) }
    guard !isSilent || unnamed.isEmpty else {
      throw ToolError(
        .usage,
        "For good would go too: \(Self.list(unnamed)). Give the keys of those that stay with "
          + "--keep-key-file, --keep-key-env or --keep-key-fd, and name each that goes with --drop. "
          + "Nothing was done.")
    }
    return plan
  }

  /// Says what stays and what goes, and asks whether that is meant.
  func confirm(_ plan: Plan) throws {
    guard !isSilent else { return }
    let gone = plan.dropped.isEmpty ? "None goes." : "For good go: \(Self.list(plan.dropped))."
    let facts = "Slots that stay: \(Self.list(plan.keptNames)). \(gone)"
    guard let terminal = TerminalPrompt() else {
      throw ToolError(
        .usage,
        "\(facts) There is no terminal to ask on. Say --yes to go on without asking; "
          + "--keep-key-file, --keep-key-env and --keep-key-fd keep further slots. Nothing was done."
      )
    }
    guard try terminal.confirm("\(facts) Go on?") else {
      throw ToolError(.usage, "Nothing was done.")
    }
  }

  /// Asks until the key opens its slot.
  ///
  /// - Returns: `nil` where the slot is to go, or nobody can be asked.
  private func typedKey(of slot: VaultKeyring.Slot) throws -> SlotKey? {
    guard !isSilent, let terminal = TerminalPrompt() else { return nil }
    let name = PrintableText.escaped(slot.name)
    let end = "of slot '\(name)' of '\(vault)' (nothing: the slot goes): "
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
