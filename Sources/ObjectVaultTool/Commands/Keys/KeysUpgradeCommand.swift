internal import ArgumentParser
import ObjectVaultCore
import ObjectVaultTerminal

struct KeysUpgradeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Raise the cost of a slot to that of this machine.",
    discussion: """
      The cost of a slot with a passphrase or a recovery code is fixed when its key is set. A \
      faster machine guesses faster. This command sets the cost of the slot that the key opens so \
      that each attempt takes about half a second here, or to --cost. The cost is never lowered. \
      The key stays the same. Older copies of the keyring retain the old cost.
      """)

  @OptionGroup var options: KeyringOptions

  @OptionGroup var cost: SlotCostOption

  func run() throws {
    let keyring = try options.keyring()
    let key = try options.unlockingKey(of: keyring)
    let (before, after) = try keyring.raiseCost(ofSlotOpenedBy: key, to: cost.cost)
    let name = PrintableText.escaped(before.name)
    guard let old = before.costText, let new = after.costText else {
      try StandardOutput.shared.write(
        "The key of the slot '\(name)' (\(before.kind.name)) cannot be guessed and needs no cost. "
          + "Nothing was changed.\n")
      return
    }
    try StandardOutput.shared.write(
      before == after
        ? "The slot '\(name)' has the cost \(old), which is high enough. Nothing was changed.\n"
        : "Raised the cost of the slot '\(name)' from \(old) to \(new).\n")
  }
}

extension VaultKeyring.Slot {
  /// The cost with its memory, such as `17 (128 MiB)`; `nil` for a key that is not stretched.
  var costText: String? {
    guard let cost, let memory else { return nil }
    return "\(cost) (\(memory >> 20) MiB)"
  }
}
