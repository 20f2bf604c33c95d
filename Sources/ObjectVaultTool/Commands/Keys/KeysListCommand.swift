internal import ArgumentParser
import Foundation
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the slots of a keyring. No key is needed.",
    discussion: """
      A keyring that does not match its vault is reported on standard error, with exit status 1: \
      above all an interrupted rotation, after which the vault is still encrypted with the old \
      data key. An older keyring with the same data key is not noticed, because only a key can \
      read the generation that the vault records: see 'keys test'.

      With --format json the result is one object: "vault", "keyring" (both paths), "slots" (an \
      array of objects with "name", "kind": passphrase, recovery-code, key-file, raw, recipient or \
      provider; "cost", the number of --cost; "created", a time in UTC; "recipient", "provider" and \
      "description"; null if unknown or not of that kind) and \
      "state" (matches, unfinishedRotation, neverFinished or ofAnotherFile; null if the vault is \
      missing).
      """)

  @OptionGroup var place: KeyringPlaceOptions

  @Option(
    help: ArgumentHelp(
      "The keyring, if it is not next to the vault as VAULT.keyring.", valueName: "path"),
    completion: .file())
  var keyring: String?

  @Flag(
    help: """
      Let the program of each key provider describe its slots. Anyone who can write the keyring \
      chooses which installed program runs.
      """)
  var describe = false

  @Option(help: "The form of the output.")
  var format = ClassesCommand.Format.table

  func run() throws {
    let keyring = try place.keyring(at: keyring)
    let slots = try keyring.slots()
    let state = try keyring.state
    let finding = state?.finding
    // It follows the report.
    defer { if let finding { StandardError.write("! \(finding)\n") } }
    try CheckFinding.report(finding == nil ? nil : .problem) {
      try write(slots, of: keyring, state)
    }
  }

  private func write(
    _ slots: [VaultKeyring.Slot], of keyring: VaultKeyring, _ state: KeyringState?
  ) throws {
    switch format {
    case .table:
      let table = TextTable(
        ["slot", "opened by", "cost", "created", "provider"]
          .map { .init(title: $0, alignment: .left) },
        to: StandardOutput.shared, lineWidth: StandardOutput.terminalWidth)
      for slot in slots {
        try table.add([
          slot.name, slot.kind.name, slot.costText ?? "", slot.createdDay ?? "unknown",
          provider(of: slot, in: keyring),
        ])
      }
      try table.finish()
      // A table cuts long values, and a cut recipient cannot be compared.
      for slot in slots {
        guard let recipient = slot.recipient else { continue }
        try StandardOutput.shared.write(
          "The recipient of '\(PrintableText.escaped(slot.name))' is \(recipient).\n")
      }
    case .json:
      let json = JSONValue.object([
        .init("vault", .string(keyring.vaultPath)), .init("keyring", .string(keyring.path)),
        .init(
          "slots",
          .array(
            slots.map { slot in
              .object([
                .init("name", .string(slot.name)), .init("kind", .string(slot.kind.word)),
                .init("cost", slot.cost.map { .number(String($0)) } ?? .null),
                .init("created", slot.createdTime.map { .string($0) } ?? .null),
                .init("recipient", slot.recipient.map { .string($0.description) } ?? .null),
                .init("provider", slot.provider.map { .string($0) } ?? .null),
                .init(
                  "description", description(of: slot, in: keyring).map { .string($0) } ?? .null),
              ])
            })),
        .init("state", state.map { .string($0.rawValue) } ?? .null),
      ])
      try StandardOutput.shared.write(json.indentedText + "\n")
    }
  }

  /// Returns the provider of a slot, and its description if requested.
  private func provider(of slot: VaultKeyring.Slot, in keyring: VaultKeyring) -> String {
    guard let provider = slot.provider else { return "" }
    return [provider, description(of: slot, in: keyring)].compactMap(\.self)
      .joined(separator: ": ")
  }

  /// Returns the provider's description of a slot, or the reason why it has none.
  private func description(of slot: VaultKeyring.Slot, in keyring: VaultKeyring) -> String? {
    guard describe, let provider = slot.provider else { return nil }
    do {
      return try keyring.describeSlot(slot.name, by: ProviderProgram(provider))
    } catch {
      return (error as? VaultError)?.message ?? "\(error)"
    }
  }
}

extension VaultKeyring.Slot {
  /// The time when the slot got its key, in UTC, such as `2026-11-26T08:30:00Z`.
  fileprivate var createdTime: String? { created.map { $0.formatted(.iso8601) } }

  /// The day when the slot got its key, in UTC, such as `2026-11-26`.
  fileprivate var createdDay: String? {
    created.map { $0.formatted(.iso8601.year().month().day()) }
  }
}

extension KeyringState {
  /// The text about a keyring in an abnormal state; `nil` if it matches the vault.
  var finding: String? {
    switch self {
    case .matches: nil
    case .unfinishedRotation:
      "A change of the vault's data key is unfinished: the vault is still encrypted with the old "
        + "data key, which older keyrings and removed keys open. Run 'keys rotate'."
    case .neverFinished:
      "The keyring was created for a file that was never completed. It has no key for this file. "
        + "If the file opens with its own key, run the interrupted command again, or rename the "
        + "keyring with 'doctor --clean'."
    case .ofAnotherFile:
      "The keyring has no key for this file. Restore a keyring and a vault that belong together, "
        + "or move the keyring away if the file has its own key."
    }
  }
}

extension SlotKind {
  /// The name of the kind in JSON output.
  var word: String {
    switch self {
    case .passphrase: "passphrase"
    case .recoveryCode: "recovery-code"
    case .keyFile: "key-file"
    case .raw: "raw"
    case .recipient: "recipient"
    case .provider: "provider"
    }
  }
}
