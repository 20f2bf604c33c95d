internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct KeysRotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Re-encrypt a vault with a new data key of its keyring.",
    discussion: """
      A verified copy with the new data key replaces the original, as with 'rekey'. No slot \
      changes: everyone who can open the vault still can. No other process may have it open.

      With --revoke the keyring also gets a new master key, in case someone who lost access stored \
      the old one. See 'keys remove' for the slots that remain; with --yes each removed slot must \
      be named by --drop.

      Control-C stops the work cleanly; the exit status is 130 (143 for SIGTERM, 129 for \
      SIGHUP).
      """)

  @OptionGroup var options: KeyringOptions

  @Flag(help: "Also create a new master key.")
  var revoke = false

  @OptionGroup(title: "Slots that remain")
  var kept: KeptSlotOptions

  @Flag(help: "With --revoke: do not ask.")
  var yes = false

  @OptionGroup var work: FileWorkOptions

  func validate() throws {
    guard revoke || kept.isEmpty && !yes else {
      throw ValidationError("The --keep options, --drop and --yes require --revoke.")
    }
  }

  func run() throws {
    let keyring = try options.keyring()
    let present = try options.unlockingKey(of: keyring)
    let rotation = KeyRotation(options: options, work: work)
    guard revoke else {
      let facts = try rotation.rotate(present, keeping: nil)
      try StandardOutput.shared.write(
        "Rotated the data key of '\(options.name)' (cipher format \(facts.format), pages of "
          + "\(facts.pageSize) bytes).\n")
      return
    }
    let dropped = try rotation.revoke(
      keyring, present, removing: nil, keeping: kept, isSilent: yes)
    try StandardOutput.shared.write(
      "Rotated the master key and the data key of '\(options.name)'; removed slots: \(dropped).\n"
    )
  }
}
