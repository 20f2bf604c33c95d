internal import ArgumentParser
import ObjectVaultDriver
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a slot.",
    discussion: """
      The last slot cannot be removed. On a terminal the command asks; otherwise it needs --yes. \
      The answer no ends with exit status 64.

      The key of the slot no longer opens the vault. Anyone with an older copy of the vault and \
      its keyring can still open that copy, and anyone who stored the keys that the slot unlocked \
      can open this vault too, until --revoke is used. --revoke creates a new master key and \
      encrypts the vault with a new data key. The slots of recipients remain without a key and \
      without a question, unless --drop names them. Every other slot that remains needs its key: \
      in addition to the one that unlocks, provide the keys with --keep-key-file, --keep-key-env, \
      --keep-key-fd and --keep-provider, or type them. Other slots without a key are removed too, \
      which is announced first; with --yes each of them must be named by --drop. Copies that were \
      made before open as before in any case.
      """)

  @OptionGroup var options: KeyringOptions

  @Argument(help: ArgumentHelp("The slot to remove.", valueName: "removed-slot"))
  var removedSlot: String

  @Flag(help: "Also create a new master key and a new data key.")
  var revoke = false

  @OptionGroup(title: "Slots that remain")
  var kept: KeptSlotOptions

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var work: FileWorkOptions

  func validate() throws {
    guard revoke || kept.isEmpty else {
      throw ValidationError("The --keep options and --drop require --revoke.")
    }
    if kept.slotNames.contains(where: removedSlot.hasSameBytes(as:)) {
      throw ValidationError("The slot '\(removedSlot)' cannot be both kept and removed.")
    }
  }

  func run() throws {
    let keyring = try options.keyring()
    let name = PrintableText.escaped(removedSlot)
    let present = try options.unlockingKey(of: keyring)
    guard revoke else {
      // Without the slot, the error also completes the record of an interrupted removal.
      if try keyring.slots().contains(where: { $0.isNamed(removedSlot) }) {
        try Confirmation.ask(
          ["Remove the slot '\(name)' of '\(options.name)'?"], isGiven: yes,
          refusal: "The slot '\(name)' would be removed")
      }
      try keyring.removeSlot(removedSlot, unlockedBy: present)
      try StandardOutput.shared.write(
        """
        Removed the slot '\(name)'. Its key still opens older copies of the vault with their \
        keyring. Anyone who stored the keys that the slot unlocked can still open this vault; to \
        prevent that, run 'keys rotate --revoke'.

        """)
      return
    }
    let dropped = try KeyRotation(options: options, work: work).revoke(
      keyring, present, removing: removedSlot, keeping: kept, isSilent: yes)
    try StandardOutput.shared.write(
      "Revoked \(dropped). The vault is encrypted with a new data key. Older copies still open "
        + "with their old keys.\n")
  }
}
