internal import ArgumentParser
import ObjectVaultCore

/// The source of a key.
struct KeySourceOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Read the key from this file, which only you can read (mode 0600), or from standard "
        + "input (-). One newline at its end is not part of it.",
      valueName: "path"),
    completion: .file())
  var keyFile: String?

  @Option(help: ArgumentHelp("Read the key from this environment variable.", valueName: "name"))
  var keyEnv: String?

  @Option(help: ArgumentHelp("Read the key from this open file descriptor.", valueName: "number"))
  var keyFd: Int32?

  @Option(
    help: ArgumentHelp(
      "Open a slot of the keyring with the identity in this file, which only you can read (mode "
        + "0600): see 'keys generate'.",
      valueName: "path"),
    completion: .file())
  var identity: String?

  @Option(
    help: ArgumentHelp(
      "Open a slot of the keyring with this key provider: the program 'objectvault-key-NAME'.",
      valueName: "name"))
  var provider: String?

  @Flag(
    help:
      "The key is raw, in hexadecimal: 64 digits, or 96 with the salt of the file.")
  var rawKey = false

  mutating func validate() throws { try choice.validate() }

  var choice: KeyChoice {
    KeyChoice(
      file: keyFile, environment: keyEnv, descriptor: keyFd,
      slotKey: identity.map { .identity($0) } ?? provider.map { .provider($0) }, isRaw: rawKey,
      option: "--key")
  }

  /// Whether the key can only be one of a keyring.
  var needsKeyring: Bool { identity != nil || provider != nil }

  /// Throws `ValidationError` if the options contradict each other.
  func check(isRecoveryCode: Bool) throws {
    if isRecoveryCode, rawKey {
      throw ValidationError("Use --recovery-code or --raw-key, not both.")
    }
    if needsKeyring, isRecoveryCode || rawKey {
      throw ValidationError(
        "--identity and --provider cannot be combined with --recovery-code or --raw-key.")
    }
    if identity != nil, provider != nil {
      throw ValidationError("Use --identity or --provider, not both.")
    }
  }

  /// Whether the key is read from standard input.
  var usesStandardInput: Bool { choice.usesStandardInput }
}
