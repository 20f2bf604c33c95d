// The errors for a key that does not open a file, each with its remedy.
extension KeyError {
  static func tooShort(_ file: String, _ size: Int64) -> KeyError {
    KeyError(
      .truncated,
      "'\(file)' has only \(size) bytes, less than the smallest page: it is truncated or is no "
        + "vault; restore it from a backup, or check the path")
  }

  static func unevenLength(_ file: String, _ size: Int64) -> KeyError {
    KeyError(
      .truncated,
      "'\(file)' has \(size) bytes, which no page size divides, and its first page does not answer "
        + "to the key: it is truncated or is no vault; restore it from a backup, or check the path")
  }

  static func wrongKey(_ file: String, key: ResolvedKey) -> KeyError {
    // The keyring has the salt of the file, so it is the correct key.
    if key.kind == .keyring { return damagedFirstPage(file) }
    return KeyError(
      .wrongKey,
      "the \(key.kind.name) does not open '\(file)'; check the key and the path",
      detail: "A file whose first 16 bytes (the salt) are damaged, that was cut within its first "
        + "page or that was made with other cipher settings looks the same.")
  }

  package static func damagedFirstPage(_ file: String) -> KeyError {
    KeyError(
      .damaged,
      "the key is right, but page 1 of '\(file)' is damaged: its seal does not fit while other pages' "
        + "do; restore the file from a backup, or salvage what is left")
  }

  static func damagedSaltOrFirstPage(_ file: String) -> KeyError {
    KeyError(
      .damaged,
      "the key decrypts the start of '\(file)', but page 1 as a whole does not fit: it or the salt "
        + "in its first 16 bytes is damaged, or the file was cut within it, or its program sets cipher "
        + "settings that cannot be found out; restore the file from a backup, name its settings, or "
        + "salvage what is left")
  }

  static func unknownSettings(_ file: String) -> KeyError {
    KeyError(
      .unsupportedSettings,
      "the key decrypts the start of '\(file)', but no page authenticates: its program sets cipher "
        + "settings that cannot be found out, such as its own 'fast_kdf_iter'; name them "
        + "(--from-fast-kdf-iter, --from-hmac-salt-mask, --from-hmac-pgno)")
  }

  static func unsupportedSettings(_ file: String, _ scheme: CipherScheme) -> KeyError {
    KeyError(
      .unsupportedSettings,
      "the key opens '\(file)' only with cipher settings that this call does not accept "
        + "(\(scheme.description)); 'objectvault upgrade' gives it the settings of the newest format"
    )
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
      ? ". Its header leaves room for authentication codes, which someone may have removed: if the "
        + "file had them before, restore it from a backup"
      : ""
    return KeyError(
      .unauthenticated,
      "the key opens '\(file)' only without page authentication (\(found.scheme.description)), so that "
        + "a changed page would go unnoticed; if its program made it so, name that: \(naming)\(doubt)"
    )
  }

  static func damagedSalt(_ file: String) -> KeyError {
    KeyError(
      .damaged,
      "the key is right, but the salt in the first 16 bytes of '\(file)' is damaged: page 1 answers "
        + "to the salt that belongs to the key; restore the file from a backup, or salvage it")
  }

  static func foreignSalt(_ file: String) -> KeyError {
    KeyError(
      .saltMismatch,
      "the raw key opens '\(file)', but the salt given with it (the last 16 of 48 bytes) is not the "
        + "file's; give the key's 32 bytes alone, or the right salt")
  }
}
