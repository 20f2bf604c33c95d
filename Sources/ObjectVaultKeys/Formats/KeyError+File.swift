// The errors for a key that does not open a file, each with its remedy.
extension KeyError {
  static func tooShort(_ file: String, _ size: Int64) -> KeyError {
    KeyError(
      .truncated,
      "'\(file)' has only \(size) bytes, less than the smallest page. It is truncated or is not a "
        + "vault. Restore it from a backup, or check the path.")
  }

  static func unevenLength(_ file: String, _ size: Int64) -> KeyError {
    KeyError(
      .truncated,
      "'\(file)' has \(size) bytes, which is not a multiple of any page size, and the key does not "
        + "authenticate its first page. It is truncated or is not a vault. Restore it from a "
        + "backup, or check the path.")
  }

  static func notEncrypted(_ file: String) -> KeyError {
    KeyError(
      .notEncrypted,
      "'\(file)' is an unencrypted SQLite database. Open it without a key, or encrypt it into a "
        + "vault first.")
  }

  /// Returns the error for a file with a plaintext header that this key does not open.
  static func saltNotInFile(_ file: String, key: ResolvedKey) -> KeyError {
    KeyError(
      .wrongKey,
      "The \(key.kind.name) does not open '\(file)', which begins with a plaintext header instead "
        + "of its salt. Use the key of its keyring, or a raw key of 48 bytes that includes the salt.",
      detail: "A file of which only the first 16 bytes were overwritten causes the same error.")
  }

  package static func damagedHeader(_ file: String) -> KeyError {
    KeyError(
      .damaged,
      "The key is correct, but the plaintext header in the first 32 bytes of '\(file)' is damaged "
        + "or does not match the file's length: page 1 authenticates without it. Restore the file "
        + "from a backup, or salvage it.")
  }

  static func wrongKey(_ file: String, key: ResolvedKey) -> KeyError {
    // The keyring has the salt of the file, so it is the correct key.
    if key.kind == .keyring { return damagedFirstPage(file) }
    return KeyError(
      .wrongKey,
      "The \(key.kind.name) does not open '\(file)'. Check the key and the path.",
      detail:
        "A damaged salt (the first 16 bytes), a file cut within its first page, and other cipher "
        + "settings cause the same error.")
  }

  package static func damagedFirstPage(_ file: String) -> KeyError {
    KeyError(
      .damaged,
      "The key is correct, but page 1 of '\(file)' is damaged: its authentication code does not "
        + "match, while those of other pages do. Restore the file from a backup, or salvage what "
        + "is left.")
  }

  static func damagedSaltOrFirstPage(_ file: String) -> KeyError {
    KeyError(
      .damaged,
      "The key decrypts the start of '\(file)', but page 1 does not authenticate. The page or the "
        + "salt in its first 16 bytes is damaged, the file is cut within the page, or the file "
        + "uses cipher settings that cannot be detected. Restore the file from a backup, specify "
        + "its settings, or salvage what is left.")
  }

  static func unknownSettings(_ file: String) -> KeyError {
    KeyError(
      .unsupportedSettings,
      "The key decrypts the start of '\(file)', but no page authenticates. The file uses cipher "
        + "settings that cannot be detected, such as its own 'fast_kdf_iter'. Specify them "
        + "(--from-fast-kdf-iter, --from-hmac-salt-mask, --from-hmac-pgno).")
  }

  static func unsupportedSettings(_ file: String, _ scheme: CipherScheme) -> KeyError {
    KeyError(
      .unsupportedSettings,
      "The key opens '\(file)' only with cipher settings that this call does not accept "
        + "(\(scheme.description)). Run 'objectvault upgrade' to convert the file to the newest "
        + "format.")
  }

  static func unauthenticated(_ file: String, _ found: RecognisedFile) -> KeyError {
    let isFormat1 = found.scheme == CipherScheme(.format1)
    let naming =
      !isFormat1
      ? "--from-no-hmac for 'objectvault upgrade'"
      : found.hasRoomForSeals
        ? "--from-format 1 for 'objectvault upgrade'"
        : "--from-format 1 for objectvault, minimumCipherFormat = 1 for a VaultConfiguration"
    let doubt =
      found.hasRoomForSeals
      ? " Its header leaves room for authentication codes, which an attacker may have removed. If "
        + "the file had them before, restore it from a backup."
      : ""
    return KeyError(
      .unauthenticated,
      "The key opens '\(file)' only without page authentication (\(found.scheme.description)), so "
        + "a changed page would go unnoticed. If its program writes files without authentication "
        + "codes, specify \(naming).\(doubt)")
  }

  static func damagedSalt(_ file: String) -> KeyError {
    KeyError(
      .damaged,
      "The key is correct, but the salt in the first 16 bytes of '\(file)' is damaged: page 1 "
        + "authenticates with the salt that belongs to the key. Restore the file from a backup, or "
        + "salvage it.")
  }

  static func foreignSalt(_ file: String) -> KeyError {
    KeyError(
      .saltMismatch,
      "The raw key opens '\(file)', but the salt passed with it (the last 16 of 48 bytes) is not "
        + "the file's. Pass only the 32 bytes of the key, or the correct salt.")
  }
}
