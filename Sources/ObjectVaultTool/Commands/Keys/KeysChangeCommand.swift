internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysChangeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change",
    abstract: "Change the key of a slot, such as a passphrase.",
    discussion: """
      Without a slot it changes the one that the present key opens. With one, any key of the \
      keyring can change it: 'keys change VAULT bob --slot admin' gives bob a new passphrase. The \
      slot gets the cost of --cost, or that of this machine. The vault records the change and \
      rejects older copies of the keyring; it can be open at the same time. An older copy of the \
      vault still opens with the old key. Anyone who stored the keys that the old one unlocked can \
      open this vault; 'keys rotate --revoke' prevents that.
      """)

  @OptionGroup var options: KeyringOptions

  @Argument(help: ArgumentHelp("The slot to change.", valueName: "changed-slot"))
  var changedSlot: String?

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
    let publicKey = try recipient.slotKey(for: nil)
    let isTyped = publicKey == nil && newSlotOptions.newProvider == nil
    let present = try options.unlockingKey(of: keyring, before: isTyped ? newKeys : nil)
    let slot = changedSlot.map { "slot '\(PrintableText.escaped($0))' of " } ?? ""
    let key =
      try publicKey
      ?? newSlotOptions.slotKey(newKeys, for: "\(slot)'\(options.name)'", slot: nil)
    try keyring.changeKey(
      ofSlot: changedSlot, to: key, unlockedBy: present, cost: cost.cost)
    try StandardOutput.shared.write(
      changedSlot.map { "Changed the key of the slot '\(PrintableText.escaped($0))'.\n" }
        ?? "Changed the key of the slot.\n")
  }
}
