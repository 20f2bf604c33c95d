/// A key whose bytes are available.
package enum ResolvedKey: Sendable {
  /// The bytes of a passphrase, stretched with the salt of the file before use.
  case passphrase(SharedSecret)
  /// 32 bytes that are used unchanged, and the salt given with them, which a new file uses.
  case raw(SharedSecret, salt: FileSalt?)
  /// An open keyring, which has a data key for each file of its vault.
  case keyring(UnlockedKeyring)

  /// The kind of a key.
  package enum Kind: Sendable, Hashable {
    case passphrase
    case raw
    case keyring

    /// The name for users.
    var name: String {
      switch self {
      case .passphrase: "passphrase"
      case .raw: "raw key"
      case .keyring: "keyring"
      }
    }
  }

  package var kind: Kind {
    switch self {
    case .passphrase: .passphrase
    case .raw: .raw
    case .keyring: .keyring
    }
  }

  /// The salt that was given with a raw key.
  package var salt: FileSalt? {
    if case .raw(_, let salt) = self { salt } else { nil }
  }

  /// The same key for another file, which has its own salt.
  package var withoutSalt: ResolvedKey {
    if case .raw(let secret, _) = self { .raw(secret, salt: nil) } else { self }
  }

  /// Returns the raw key for a file.
  ///
  /// A passphrase costs one derivation: about 45 ms for format 3, 230 ms for format 4.
  ///
  /// - Parameters:
  ///   - scheme: The cipher scheme of the file.
  ///   - salt: The salt of the file.
  /// - Returns: The raw key.
  /// - Throws: `keyringMismatch` if a keyring has no data key for the file.
  package func rawKey(
    for scheme: CipherScheme, salt: FileSalt
  ) throws(KeyError) -> SharedSecret {
    switch self {
    case .raw(let secret, _): return secret
    case .keyring(let unlocked): return try unlocked.dataKey(of: salt)
    case .passphrase(let secret):
      return try secret.withSecret { passphrase throws(KeyError) in
        SharedSecret(
          try KeyDerivation.pbkdf2(
            passphrase, salt: salt.bytes, rounds: scheme.rounds,
            hash: scheme.format.hash))
      }
    }
  }
}

extension ResolvedKey {
  /// Throws an error if the key was created before a fork.
  ///
  /// - Throws: `madeBeforeFork` in a process that was forked since the key was created.
  package func checkProcess() throws(KeyError) {
    switch self {
    case .passphrase(let secret), .raw(let secret, _): try secret.checkProcess()
    case .keyring(let unlocked): try unlocked.keyring.checkProcess()
    }
  }

  /// The maximum length of a passphrase: 1 MiB.
  static let maximumPassphraseCount = 1 << 20

  /// Returns the bytes as a passphrase.
  static func passphrase(_ bytes: consuming Secret) throws(KeyError) -> ResolvedKey {
    try bytes.checkProcess()
    let count = bytes.count
    guard count > 0 else {
      throw KeyError(.noKey, "The passphrase is empty. Enter at least one character.")
    }
    guard count <= maximumPassphraseCount else { throw passphraseTooLong(count) }
    return .passphrase(SharedSecret(bytes))
  }

  /// Returns 32 bytes as a raw key, or 48 as a raw key and the salt of the file.
  static func raw(_ bytes: consuming Secret) throws(KeyError) -> ResolvedKey {
    try bytes.checkProcess()
    switch bytes.count {
    case KeyDerivation.rawKeyCount:
      return .raw(SharedSecret(bytes), salt: nil)
    case KeyDerivation.rawKeyCount + FileSalt.count:
      let salt = bytes.withUnsafeBytes { FileSalt($0.suffix(FileSalt.count)) }
      return .raw(SharedSecret(bytes.prefix(KeyDerivation.rawKeyCount)), salt: salt)
    case 0:
      throw KeyError(.noKey, "The raw key is empty. Pass 32 bytes, or 48 with the salt.")
    case let count:
      throw rawOfWrongLength(count)
    }
  }

  /// Returns 64 or 96 hexadecimal digits as a raw key.
  static func raw(hexadecimal digits: borrowing Secret) throws(KeyError) -> ResolvedKey {
    try digits.checkProcess()
    let count = digits.count
    guard count > 0 else {
      throw KeyError(
        .noKey, "The raw key is empty. Pass 64 hexadecimal digits, or 96 with the salt.")
    }
    guard count == 64 || count == 96 else {
      throw KeyError(
        .invalidKey,
        "A raw key has 64 hexadecimal digits, or 96 with the salt, but this one has \(count) "
          + "characters. Omit spaces and prefixes.")
    }
    guard let bytes = digits.decodedHexadecimal() else {
      throw KeyError(
        .invalidKey,
        "The raw key has characters that are not hexadecimal digits. Use only 0-9 and a-f.")
    }
    return try raw(bytes)
  }

  static func rawOfWrongLength(_ count: Int) -> KeyError {
    KeyError(
      .invalidKey,
      "A raw key has 32 bytes, or 48 with the salt, but this one has \(count). To use text as the "
        + "key, pass it as a passphrase.")
  }

  static func passphraseTooLong(_ count: Int) -> KeyError {
    KeyError(
      .invalidKey,
      "A passphrase has at most \(maximumPassphraseCount) bytes, but this one has \(count). Use a "
        + "shorter one.")
  }
}
