internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct DecryptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decrypt",
    abstract: "Decrypt a file into a plaintext SQLite database.",
    discussion: """
      The encrypted file is not changed. The new one has mode 0600 and protects nothing: anyone \
      who reads it, the disk or a backup of it reads everything, even after it was removed. The \
      command asks twice for confirmation; without a terminal it needs --yes. The answer no ends \
      with exit status 64.
      """)

  @Argument(help: "The path of the vault, or of another SQLCipher file.", completion: .file())
  var vault: String

  @Option(
    help: ArgumentHelp("The path of the new plaintext file.", valueName: "path"),
    completion: .file())
  var to: String

  @OptionGroup(title: "Key options (read from the terminal if none is given)")
  var keys: KeyOptions

  @OptionGroup(title: "How the file is encrypted, if that is not detected")
  var recognition: RecognitionOptions

  @Flag(help: "Write it without asking.")
  var yes = false

  @OptionGroup var work: FileWorkOptions

  func run() throws {
    try ExistingFile.check(vault, isWhat: "vault")
    let to = try ExistingFile.plain(to)
    try ExistingFile.refuseTaken(to)
    let (name, target) = (PrintableText.escaped(vault), PrintableText.escaped(to))
    try Confirmation.ask(
      [
        "Decrypt '\(name)' into '\(target)'? Anyone who can read that file, the disk or a backup "
          + "of it can read all data.",
        "Removing '\(target)' later may leave its content on the disk. Are you sure?",
      ], isGiven: yes, refusal: "'\(name)' would be decrypted into '\(target)'"
    )
    let present = try keys.proved(for: [vault]) {
      try recognition.file($0, key: $1, busyTimeout: work.timeout)
    }
    let key = try present.key(for: vault)
    try work.run(
      on: vault, stopped: "'\(target)' was not created.", recognition: recognition, key: present
    ) { progress in
      try recognition.file(vault, key: key, busyTimeout: work.timeout).decrypt(
        to: to, progress: progress)
    }
    try StandardOutput.shared.write(
      "Decrypted '\(name)' into '\(target)'. Remove it as soon as you no longer need it.\n"
    )
  }
}
