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

  @Flag(
    help:
      "The key is raw, in hexadecimal: 64 digits, or 96 with the salt of the file.")
  var rawKey = false

  mutating func validate() throws { try choice.validate() }

  var choice: KeyChoice {
    KeyChoice(
      file: keyFile, environment: keyEnv, descriptor: keyFd, isRaw: rawKey, option: "--key")
  }

  /// Whether the key is read from standard input.
  var usesStandardInput: Bool { choice.usesStandardInput }
}
