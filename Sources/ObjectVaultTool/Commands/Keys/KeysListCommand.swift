internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the slots of a keyring. No key is needed.",
    discussion: """
      A keyring that does not match its vault is reported on standard error, with exit status 1: \
      above all an interrupted rotation, after which the vault is still encrypted with the old \
      data key.

      With --format json the result is one object: "vault", "keyring" (both paths), "slots" (an \
      array of objects with "name" and "kind": passphrase, recovery-code, key-file or raw) and \
      "state" (matches, unfinishedRotation, neverFinished or ofAnotherFile; null if the vault is \
      missing).
      """)

  @OptionGroup var place: KeyringPlaceOptions

  @Option(
    help: ArgumentHelp(
      "The keyring, if it is not next to the vault as VAULT.keyring.", valueName: "path"),
    completion: .file())
  var keyring: String?

  @Option(help: "The form of the output.")
  var format = ClassesCommand.Format.table

  func run() throws {
    let keyring = try place.keyring(at: keyring)
    let slots = try keyring.slots()
    let state = try keyring.state
    switch format {
    case .table:
      let table = TextTable(
        ["slot", "opened by"].map { .init(title: $0, alignment: .left) },
        to: StandardOutput.shared, lineWidth: StandardOutput.terminalWidth)
      for slot in slots { try table.add([slot.name, slot.kind.name]) }
      try table.finish()
    case .json:
      let json = JSONValue.object([
        .init("vault", .string(keyring.vaultPath)), .init("keyring", .string(keyring.path)),
        .init(
          "slots",
          .array(
            slots.map { slot in
              .object([
                .init("name", .string(slot.name)), .init("kind", .string(slot.kind.word)),
              ])
            })),
        .init("state", state.map { .string($0.rawValue) } ?? .null),
      ])
      try StandardOutput.shared.write(json.indentedText + "\n")
    }
    guard let finding = state?.finding else { return }
    try StandardOutput.shared.flush()
    StandardError.write("! \(finding)\n")
    throw CheckFoundSomething()
  }
}

extension KeyringState {
  /// The text about a keyring in an abnormal state; `nil` if it matches the vault.
  var finding: String? {
    switch self {
    case .matches: nil
    case .unfinishedRotation:
      "A change of the vault's data key is unfinished: the vault is still encrypted with the old "
        + "data key, which older keyrings and removed keys open. Run the interrupted command again "
        + "('keys rotate', 'keys rotate --revoke', 'keys remove --revoke' or 'restore')."
    case .neverFinished:
      "The keyring was created for a file that was never completed. It has no key for this file, "
        + "which has its own key. Run the interrupted command again, or remove the keyring with "
        + "'doctor --clean'."
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
