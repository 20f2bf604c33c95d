internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a vault from a backup.",
    discussion: """
      The backup is not changed. The vault is a copy of it with the same key, or the one that the \
      options for a new key provide; every page is authenticated and the contents are compared \
      before it gets its name. If a vault exists there, --replace is required, and the command \
      asks, or needs --yes: the contents of that vault are lost. If it and the backup have \
      keyrings, its own stays in use with its present slots, one of which the key of the backup \
      must open; a missing one is made from that of the backup, with its slots. So move a keyring \
      that is elsewhere next to the vault first. If the restored vault has no keyring, an old one \
      is renamed to VAULT.keyring.retired.
      """)

  @Argument(help: "The path of the backup.", completion: .file())
  var backup: String

  @Option(
    help: ArgumentHelp("The path of the restored vault.", valueName: "path"), completion: .file())
  var to: String

  @Flag(help: "Replace the vault at the path.")
  var replace = false

  @Flag(help: "With --replace: do not ask.")
  var yes = false

  @OptionGroup(
    title: "Options for the backup's key (read from the terminal if none is given)")
  var keys: KeyOptions

  @OptionGroup(title: "Options for another key of the vault")
  var newKeys: NewKeyOptions

  @OptionGroup var sealing: SealingKeysOption

  @OptionGroup(title: "How the backup is encrypted, if that is not detected")
  var recognition: RecognitionOptions

  @OptionGroup var work: FileWorkOptions

  func validate() throws {
    try newKeys.refuseSharedDescriptor(with: keys.sources)
    try sealing.check(with: newKeys)
  }

  func run() throws {
    try ExistingFile.check(backup, isWhat: "backup")
    let to = try ExistingFile.plain(to)
    let (name, target) = (PrintableText.escaped(backup), PrintableText.escaped(to))
    try ExistingFile.refuseCompanion(to)
    if ExistingFile.isTaken(to) {
      guard replace else {
        throw ToolError(
          .cannotCreate,
          "'\(target)' already exists and was not changed. Use --replace to replace it with the "
            + "backup, or use another path.")
      }
      if let file = ExistingFile(to), !file.isRegular {
        throw ToolError(
          .cannotCreate,
          "'\(target)' is not a regular file, so it cannot be replaced. Use the path of a vault.")
      }
      try Confirmation.ask(
        ["Replace '\(target)' with the backup '\(name)'? All that is now in '\(target)' is lost."],
        isGiven: yes, refusal: "All that is now in '\(target)' would be lost")
    }
    let present = try keys.proved(for: [backup], before: newKeys.isGiven ? newKeys : nil) {
      try recognition.file($0, key: $1, busyTimeout: work.timeout)
    }
    let key = try present.key(for: backup)
    let keyring = KeyringFile(besideVault: to)
    let (formerKeyrings, hadKeyring) = (keyring.retiredPaths, keyring.exists)
    let newKey = newKeys.isGiven ? try newKeys.key(for: "'\(target)'") : nil
    let facts = try work.run(
      on: backup, stopped: "Nothing was restored.", recognition: recognition, key: present
    ) { progress in
      try recognition.file(backup, key: key, busyTimeout: work.timeout).restore(
        to: to, replacing: replace, key: newKey, omittingSealingKeys: sealing.omitSealingKeys,
        progress: progress)
    }
    let retired = keyring.retiredPaths.first { !formerKeyrings.contains($0) }
    let note =
      retired.map {
        " The keyring of the replaced vault is now '\(PrintableText.escaped($0))': its slots do not "
          + "open the restored vault."
      } ?? ""
    let made = hadKeyring || !keyring.exists ? "" : Self.note(ofNewKeyringFor: to)
    try StandardOutput.shared.write(
      "Restored '\(name)' to '\(target)' (\(facts)).\(note)\(made)\n")
  }

  /// Returns the sentences about a keyring that was created for the vault.
  private static func note(ofNewKeyringFor vault: String) -> String {
    let slots = (try? VaultKeyring(ofVaultAt: vault).slots()) ?? []
    let names = slots.map { "'\(PrintableText.escaped($0.name))'" }
    return " Store its keyring, '\(PrintableText.escaped(vault)).keyring', with it. The slots are "
      + "those of the backup: \(names.joined(separator: ", "))."
  }
}
