internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

struct KeysChangeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change",
    abstract: "Changes the key of a slot, such as a passphrase.",
    discussion: """
      Without a slot it is the one that the present key opens. With one, any key of the keyring may \
      change it: 'keys change VAULT bob --slot admin' gives bob a new passphrase. No page of the vault \
      is touched. Copies of the keyring that were made before still open with the old key; 'keys \
      rotate --revoke' makes them useless for this vault.
      """)

  @OptionGroup var options: KeyringOptions

  @Argument(help: ArgumentHelp("The slot to change.", valueName: "changed-slot"))
  var changedSlot: String?

  @OptionGroup(title: "Options for the new key (asked for on the terminal where none is given)")
  var newKeys: NewKeyOptions

  @OptionGroup var newSlotOptions: NewSlotOptions

  func validate() throws {
    try newSlotOptions.check(with: newKeys)
    try newKeys.refuseSharedDescriptor(with: options.sources)
  }

  func run() throws {
    let keyring = try options.keyring()
    let present = try options.unlockingKey(of: keyring, before: newKeys)
    let slot = changedSlot.map { "slot '\(PrintableText.escaped($0))' of " } ?? ""
    let key = try newKeys.slotKey(
      newSlotOptions.newKind, for: "\(slot)'\(options.name)'", slot: nil)
    try keyring.changeKey(ofSlot: changedSlot, to: key, unlockedBy: present)
    try StandardOutput.shared.write(
      changedSlot.map { "Changed the key of the slot '\(PrintableText.escaped($0))'.\n" }
        ?? "Changed the key of the slot.\n")
  }
}
