internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct EncryptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encrypt",
    abstract: "Encrypt a plaintext SQLite database.",
    discussion: """
      With --to the encrypted file is a new one, and the original remains in plaintext. Without it \
      the encrypted file replaces the original after verification: every page is authenticated and \
      the contents of both are compared. Until then the original remains. No other process may \
      have it open.

      Plaintext that was written to the disk before, to snapshots and to backups cannot be removed \
      by this.

      With --keyring the key opens a slot of a keyring, a small file next to the vault that must \
      be stored with it; see objectvault keys --help.
      """)

  @Argument(help: "The SQLite database.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The path of the new encrypted file.", valueName: "path"),
    completion: .file())
  var to: String?

  @OptionGroup(title: "Key options (read from the terminal if none is given)")
  var keys: FirstKeyOptions

  @Option(help: "The cipher format; see objectvault create --help.")
  var cipherFormat = CreateCommand.Format.native

  @OptionGroup var page: PageSizeOption

  @OptionGroup var header: HeaderOption

  @OptionGroup var work: FileWorkOptions

  func run() throws {
    try ExistingFile.check(file, isWhat: "file")
    let to = try to.map(ExistingFile.plain)
    if let to { try ExistingFile.refuseTaken(to) }
    let target = to ?? file
    try keys.refuseLeftoverKeyring(of: target)
    let key = try keys.key(for: target)
    let name = PrintableText.escaped(file)
    let facts = try work.run(
      on: file,
      stopped: to == nil ? "'\(name)' is unchanged, in plaintext." : "Nothing was created."
    ) { progress in
      try DatabaseFile(at: file, key: nil, busyTimeout: work.timeout).encrypt(
        with: key, to: to, format: cipherFormat.cipherFormat, pageSize: page.pageSize,
        header: header.header, progress: progress)
    }
    let place = to.map { " into '\(PrintableText.escaped($0))'" } ?? ""
    let rest = to == nil ? "" : " '\(name)' is still in plaintext."
    try StandardOutput.shared.write(
      "Encrypted '\(name)'\(place) (\(facts)).\(rest)\(keys.note(ofVaultAt: target))\n")
  }
}
