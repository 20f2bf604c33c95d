internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct CreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create an empty vault.",
    discussion: """
      An existing file is never overwritten. A key that is typed must be typed twice.

      The native cipher format is the newest that the installed SQLCipher writes: 4 with SQLCipher \
      4, 3 with SQLCipher 3.4. The portable format is 3 with pages of 4096 bytes, which both read \
      and write.

      With --keyring the key opens a slot of a keyring, a small file next to the vault that must \
      be stored with it; see objectvault keys --help.
      """)

  /// The cipher formats on the command line.
  enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
    case native, portable

    var cipherFormat: VaultConfiguration.CipherFormat { self == .portable ? .portable : .native }
  }

  @Argument(help: "The path of the new vault.", completion: .file())
  var vault: String

  @Option(help: "The cipher format of the file.")
  var cipherFormat = Format.native

  @OptionGroup var header: HeaderOption

  @OptionGroup(title: "Key options (read from the terminal if none is given)")
  var keys: FirstKeyOptions

  func run() throws {
    let vault = try ExistingFile.plain(vault)
    try Self.refuseOverwriting(vault)
    var configuration = VaultConfiguration()
    configuration.cipherFormat = cipherFormat.cipherFormat
    configuration.fileHeader = header.header
    try keys.refuseLeftoverKeyring(of: vault)
    let key = try keys.key(for: vault)
    // The key may have been typed, and another process may have created the file meanwhile.
    try ExistingFile.refuseTaken(vault)
    let facts: CipherInfo
    do {
      let made = try Vault(at: vault, key: key, configuration: configuration)
      try made.open()
      facts = try made.cipherInfo()
      made.close()
    } catch let error as VaultError
      where [.cannotOpen, .readOnly, .noSuchFile].contains(error.code)
    {
      throw ToolError(.cannotCreate, error.message)
    }
    try StandardOutput.shared.write(
      "Created '\(PrintableText.escaped(vault))' (\(facts))."
        + keys.note(ofVaultAt: vault) + "\n")
  }

  private static func refuseOverwriting(_ vault: String) throws {
    let name = PrintableText.escaped(vault)
    try ExistingFile.refuseTaken(vault)
    // The engine would replay the log of an earlier file into the new one.
    for suffix in ["-wal", "-journal"] where ExistingFile(vault + suffix)?.size ?? 0 > 0 {
      throw ToolError(
        .cannotCreate,
        "'\(name)\(suffix)' is left over from an earlier vault of this name. Move it away to "
          + "recover that vault, or remove it; then try again.")
    }
  }
}
