internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

struct CreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Makes a new, empty vault.",
    discussion: """
      A file that exists is never overwritten. A key that is asked for is asked for twice.

      The native cipher format is the newest that the installed SQLCipher writes: 4 with \
      SQLCipher 4, 3 with SQLCipher 3.4. The portable one is format 3 with pages of 4096 bytes, \
      which both read and write.
      """)

  /// The words for the formats on the command line.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case native, portable
  }

  @Argument(help: "The path of the vault to make.")
  var vault: String

  @Option(help: "The cipher format of the file.")
  var cipherFormat = Format.native

  @OptionGroup(title: "Key options (asked for on the terminal where none is given)")
  var keys: KeyOptions

  func run() throws {
    try refuseOverwriting()
    var configuration = VaultConfiguration()
    configuration.cipherFormat = cipherFormat == .portable ? .portable : .native
    let key = try keys.key(for: vault, isNew: true)
    let facts: CipherFacts
    do {
      let made = try Vault(at: vault, key: key, configuration: configuration)
      try made.open()
      facts = try made.cipherFacts
      made.close()
    } catch let error as VaultError
      where [.cannotOpen, .readOnly, .noSuchFile].contains(error.code)
    {
      throw ToolError(.cannotCreate, error.message)
    }
    try StandardOutput.shared.write(
      "Created '\(PrintableText.escaped(vault))' "
        + "(cipher format \(facts.format), pages of \(facts.pageSize) bytes).\n")
  }

  private func refuseOverwriting() throws {
    let name = PrintableText.escaped(vault)
    if ExistingFile.isTaken(vault) {
      throw ToolError(
        .cannotCreate,
        "'\(name)' exists already and was not touched. Give another path, or remove it first.")
    }
    // The engine would play the log of an earlier file into the new one.
    for suffix in ["-wal", "-journal"] where ExistingFile(vault + suffix)?.size ?? 0 > 0 {
      throw ToolError(
        .cannotCreate,
        "'\(name)\(suffix)' is left over from an earlier vault of this name. Move it away if that "
          + "vault is to be rescued, or remove it; then try again.")
    }
  }
}
