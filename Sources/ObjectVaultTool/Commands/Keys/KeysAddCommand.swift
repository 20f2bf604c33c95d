internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a key that opens a vault.",
    discussion: """
      A key that opens the vault now unlocks the keyring; then the new one is read, or typed \
      twice. A weak key is accepted with a warning.

      --recipient adds the public key of a person or a server, which 'keys generate' printed. No \
      secret has to be exchanged. --new-provider lets a program decrypt the secret of the slot, \
      such as one for a hardware token.
      """)

  @OptionGroup var options: KeyringOptions

  @Argument(help: ArgumentHelp("The name of the new slot.", valueName: "new-slot"))
  var newSlot: String

  @OptionGroup(title: "Options for the new key (read from the terminal if none is given)")
  var newKeys: NewKeyOptions

  @OptionGroup var newSlotOptions: NewSlotOptions

  @OptionGroup var recipient: RecipientOption

  @OptionGroup var cost: SlotCostOption

  func validate() throws {
    try newSlotOptions.check(with: newKeys)
    try recipient.check(with: newKeys, newSlotOptions)
    try newKeys.refuseSharedDescriptor(with: options.sources)
  }

  func run() throws {
    let keyring = try options.keyring()
    let name = PrintableText.escaped(newSlot)
    // Report a taken name before asking for a new key.
    if try keyring.slots().contains(where: { $0.name == newSlot }) {
      throw ToolError(
        .usage,
        "The keyring already has a slot '\(name)'. Choose another name, or use 'keys change'.")
    }
    let publicKey = try recipient.slotKey(for: newSlot)
    let isTyped = publicKey == nil && newSlotOptions.newProvider == nil
    let present = try options.unlockingKey(of: keyring, before: isTyped ? newKeys : nil)
    let key =
      try publicKey
      ?? newSlotOptions.slotKey(
        newKeys, for: "slot '\(name)' of '\(options.name)'", slot: newSlot)
    try keyring.addSlot(newSlot, key, unlockedBy: present, cost: cost.cost)
    let kind = try keyring.slots().first { $0.name == newSlot }?.kind.name ?? ""
    try StandardOutput.shared.write("Added the slot '\(name)' (\(kind)).\n")
  }
}
