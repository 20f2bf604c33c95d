internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write an encrypted backup of a vault.",
    discussion: """
      Programs can use the vault during the backup. The copy has the key of the vault, or the one \
      that the options for a new key provide. Every page of it is authenticated and its contents \
      are compared before the backup succeeds. Nothing may exist at the path. The copy of a vault \
      with a keyring gets its own keyring with the same slots, PATH.keyring, which must be stored \
      with it. A keyring of an earlier backup must not exist there either.
      """)

  @Argument(help: "The path of the vault, or of another SQLCipher file.", completion: .file())
  var vault: String

  @Option(help: ArgumentHelp("The path of the backup.", valueName: "path"), completion: .file())
  var to: String

  @OptionGroup(title: "Key options (read from the terminal if none is given)")
  var keys: KeyOptions

  @OptionGroup(title: "Options for another key of the copy")
  var newKeys: NewKeyOptions

  @OptionGroup var sealing: SealingKeysOption

  @OptionGroup(title: "How the file is encrypted, if that is not detected")
  var recognition: RecognitionOptions

  @OptionGroup var work: FileWorkOptions

  func validate() throws {
    try newKeys.refuseSharedDescriptor(with: keys.sources)
    try sealing.check(with: newKeys)
  }

  func run() throws {
    try ExistingFile.check(vault, isWhat: "vault")
    let to = try ExistingFile.plain(to)
    try ExistingFile.refuseTaken(to)
    try ExistingFile.refuseKeyring(besideVault: to)
    let present = try keys.proved(for: [vault], before: newKeys.isGiven ? newKeys : nil) {
      try recognition.file($0, key: $1, busyTimeout: work.timeout)
    }
    let key = try present.key(for: vault)
    let (name, target) = (PrintableText.escaped(vault), PrintableText.escaped(to))
    let newKey = newKeys.isGiven ? try newKeys.key(for: "'\(target)'") : nil
    let facts = try work.run(
      on: vault, stopped: "No backup was created.", recognition: recognition, key: present
    ) { progress in
      try recognition.file(vault, key: key, busyTimeout: work.timeout).backup(
        to: to, key: newKey, omittingSealingKeys: sealing.omitSealingKeys, progress: progress)
    }
    let keyring =
      KeyringFile(besideVault: to).exists
      ? " Store its keyring, '\(target).keyring', with it." : ""
    try StandardOutput.shared.write(
      "Backed up '\(name)' to '\(target)' (\(facts)).\(keyring)\n")
  }
}
