internal import ArgumentParser

/// The option to write a copy under another key that leaves the sealing keys behind.
struct SealingKeysOption: ParsableArguments, Sendable {
  @Flag(
    help: ArgumentHelp(
      "With another key: write the copy although that does not have the sealing keys of the "
        + "keyring. Values that are sealed under them can then be read only by a program that gets "
        + "those keys elsewhere."))
  var omitSealingKeys = false

  /// Throws `ValidationError` if there is no other key.
  func check(with newKeys: NewKeyOptions) throws {
    if omitSealingKeys, !newKeys.isGiven {
      throw ValidationError("--omit-sealing-keys requires another key, such as --new-key-file.")
    }
  }
}
