internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysRecoveryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recovery",
    abstract: "Create a recovery code and print it once.",
    discussion: """
      The code is eight groups of six characters and opens a new slot of the keyring: every \
      subcommand accepts it with --recovery-code. It is written to standard output and stored \
      nowhere. Print it, or write it down, and store it away from the vault and its backups; never \
      put it into a file next to the vault, a mail or a photograph.
      """)

  @OptionGroup var options: KeyringOptions

  @Argument(help: ArgumentHelp("The name of the new slot.", valueName: "new-slot"))
  var newSlot = "recovery"

  func run() throws {
    let keyring = try options.keyring()
    let name = PrintableText.escaped(newSlot)
    if try keyring.slots().contains(where: { $0.name == newSlot }) {
      throw ToolError(
        .usage,
        "The keyring already has a slot '\(name)'. Use another name, or remove that slot first: "
          + "keys remove '\(options.name)' '\(name)'.")
    }
    let present = try options.unlockingKey(of: keyring)
    let code = try keyring.addRecoveryCode(newSlot, unlockedBy: present)
    do {
      try SecretOutput.writeLine(code)
    } catch {
      throw ToolError(.inputOutput, withdrawn(keyring, present))
    }
    StandardError.write(
      "This code alone opens '\(options.name)' (slot '\(name)'). It is not shown again. Print it "
        + "or write it down, and store it away from the vault and its backups.\n")
  }

  /// Removes the slot of a code that could not be printed completely, and returns the error
  /// message.
  private func withdrawn(_ keyring: VaultKeyring, _ present: SlotKey) -> String {
    let failure = "The recovery code cannot be written to standard output."
    do {
      try keyring.removeSlot(newSlot, unlockedBy: present)
      return "\(failure) No slot was added."
    } catch {
      let name = PrintableText.escaped(newSlot)
      return "\(failure) The code of the slot '\(name)' is lost: remove it with 'keys remove'."
    }
  }
}
