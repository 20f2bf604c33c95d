internal import ArgumentParser
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

  mutating func validate() throws {
    let given = [keyFile != nil, keyEnv != nil, keyFd != nil].filter(\.self).count
    guard given <= 1 else {
      throw ValidationError("Give one of --key-file, --key-env and --key-fd, not several.")
    }
    if let keyFd, keyFd < 0 {
      throw ValidationError("A file descriptor is 0 or more; --key-fd has \(keyFd).")
    }
  }

  /// Whether the key is read from standard input.
  var usesStandardInput: Bool { keyFd == 0 }

  /// The key; asks for it on the terminal where no source is given.
  ///
  /// - Parameters:
  ///   - path: The vault, as the question names it.
  ///   - isNew: Whether the key is being chosen, so that it is asked for twice.
  func key(for path: String, isNew: Bool = false) throws -> VaultKey {
    let contents: KeySource.Contents = rawKey ? .raw : .passphrase
    if let keyFile { return .source(.file(keyFile, holding: contents)) }
    if let keyEnv { return .source(.environment(keyEnv, holding: contents)) }
    if let keyFd { return .source(.descriptor(keyFd, holding: contents)) }
    let secret = SharedSecret(
      try TerminalPrompt.askForKey(
        rawKey ? "Raw key (hexadecimal)" : "Passphrase", of: path, twice: isNew))
    return .source(.closure(holding: contents) { secret.withSecret { $0.copy() } })
  }
}
