internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysRenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename a slot.",
    discussion: """
      The key of the slot is required, since it authenticates the name.
      """)

  @OptionGroup var options: KeyringOptions

  @Argument(help: ArgumentHelp("The slot's name.", valueName: "old-name"))
  var oldName: String

  @Argument(help: ArgumentHelp("Its new name.", valueName: "new-name"))
  var newName: String

  func validate() throws {
    if let slot = options.slots.slot, slot != oldName {
      throw ValidationError(
        "The key must be that of the slot '\(oldName)' itself. Omit --slot.")
    }
  }

  func run() throws {
    let keyring = try options.keyring()
    var options = options
    options.slots.slot = oldName
    let key = try options.unlockingKey(of: keyring)
    try keyring.renameSlot(oldName, to: newName, key)
    try StandardOutput.shared.write(
      "Renamed the slot '\(PrintableText.escaped(oldName))' to "
        + "'\(PrintableText.escaped(newName))'.\n")
  }
}
