internal import ArgumentParser
import ObjectVaultCore

/// Where the key comes from that takes the place of another one.
struct NewKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the new key from this file, which only you may read (mode 0600). One newline at its end is not part of it.",
      valueName: "path"))
  var newKeyFile: String?

  @Option(
    help: ArgumentHelp("Read the new key from this environment variable.", valueName: "name"))
  var newKeyEnv: String?

  @Option(
    help: ArgumentHelp("Read the new key from this open file descriptor.", valueName: "number"))
  var newKeyFd: Int32?

  @Flag(help: "The new key is a raw one in hexadecimal: 64 digits, or 96 with the file's new salt.")
  var newRawKey = false

  mutating func validate() throws { try choice.validate() }

  private var choice: KeyChoice {
    KeyChoice(
      file: newKeyFile, environment: newKeyEnv, descriptor: newKeyFd, isRaw: newRawKey,
      option: "--new-key")
  }

  /// The new key; asks for it twice on the terminal where no source is given.
  ///
  /// - Parameter subject: What the key is for, as the question names it.
  func key(for subject: String) throws -> VaultKey { try choice.key(for: subject, isNew: true) }
}
