internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

struct KeysListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Shows the slots of a keyring. No key is needed.",
    discussion: """
      With --format json the result is one object: "vault", "keyring" (both paths) and "slots" (an \
      array of objects with "name" and "kind": passphrase, recovery-code, key-file or raw).
      """)

  @OptionGroup var place: KeyringPlaceOptions

  @Option(
    help: ArgumentHelp(
      "The keyring, where it does not lie beside the vault as VAULT.keyring.", valueName: "path"),
    completion: .file())
  var keyring: String?

  @Option(help: "The form of the output.")
  var format = ClassesCommand.Format.table

  func run() throws {
    let keyring = try place.keyring(at: keyring)
    let slots = try keyring.slots()
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
      ])
      try StandardOutput.shared.write(json.indentedText + "\n")
    }
  }
}

extension SlotKind {
  /// What programs call it.
  var word: String {
    switch self {
    case .passphrase: "passphrase"
    case .recoveryCode: "recovery-code"
    case .keyFile: "key-file"
    case .raw: "raw"
    }
  }
}
