internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Show which slot a key opens.",
    discussion: """
      The exit status is 77 if it opens none. If a slot opens, the keyring is authentic. A warning \
      appears if the keyring is damaged and only its spare copy opens. The vault is opened for \
      reading, if it exists: a keyring that is older than the vault accepts, or that of another \
      vault, is reported with exit status 65.
      """)

  @OptionGroup var options: KeyringOptions

  func run() throws {
    let keyring = try options.keyring()
    let (opened, error) = try keyring.tested(try options.unlockingKey(of: keyring))
    let slot = opened.slot
    try StandardOutput.shared.write(
      "The slot '\(PrintableText.escaped(slot.name))' (\(slot.kind.name)) opens.\n")
    if let reason = opened.spareReason {
      let name = PrintableText.escaped(keyring.path)
      Warning.write(
        "\(reason) The spare copy '\(name)~' was used. To repair the keyring, run: cp -p "
          + "'\(name)~' '\(name)'")
    }
    guard let error else { return }
    if error.rejectsKeyring { throw error }
    Warning.write("the keyring was not compared with the vault. \(error.message)")
  }
}

extension VaultError {
  /// Whether a vault rejects its keyring, which is older or that of another vault.
  var rejectsKeyring: Bool { [.keyringRolledBack, .keyringMismatch].contains(code) }
}
