internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

/// Where the key comes from; the same for every subcommand that opens a vault.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the key from this file, which only you may read (mode 0600). One newline at its end is not part of it.",
      valueName: "path"))
  var keyFile: String?

  @Option(help: ArgumentHelp("Read the key from this environment variable.", valueName: "name"))
  var keyEnv: String?

  @Option(help: ArgumentHelp("Read the key from this open file descriptor.", valueName: "number"))
  var keyFd: Int32?

  @Flag(
    help: "The key is a raw one in hexadecimal: 64 digits, or 96 with the file's salt.")
  var rawKey = false

  mutating func validate() throws { try choice.validate() }

  private var choice: KeyChoice {
    KeyChoice(
      file: keyFile, environment: keyEnv, descriptor: keyFd, isRaw: rawKey, option: "--key")
  }

  /// Whether the key is read from standard input.
  var usesStandardInput: Bool { keyFd == 0 }

  /// The key; asks for it on the terminal where no source is given.
  ///
  /// - Parameters:
  ///   - path: The vault, as the question names it.
  ///   - isNew: Whether the key is being chosen, so that it is asked for twice.
  func key(for path: String, isNew: Bool = false) throws -> VaultKey {
    try key(forSubject: "'\(PrintableText.escaped(path))'", isNew: isNew)
  }

  /// The key; asks for it where no source is given, and names what it is for as it stands here.
  func key(forSubject subject: String, isNew: Bool = false) throws -> VaultKey {
    try choice.key(for: subject, isNew: isNew)
  }
}
