import Foundation
import ObjectVaultKeys

/// The key of a file that is about to be made, with what a keyring has to be told of it.
///
/// The order is fixed: ``announce()``, the file is made and gets its place, ``confirm()``; or
/// ``withdraw()`` where nothing comes of it. Whenever the process ends in between, the keyring opens
/// the file that stands there.
final class NewFileKey {
  let cipher: FileCipher
  /// What opens the file.
  let key: VaultKey
  private let note: KeyringNote?

  /// - Parameters:
  ///   - key: What the file is to be opened with.
  ///   - path: Where the file is to be.
  ///   - vault: What is known of the vault that the file holds.
  init(
    _ key: VaultKey, forFileAt path: String, scheme: CipherScheme, pageSize: Int,
    vault: VaultIdentity = .new
  ) throws {
    guard pageSize >= scheme.smallestPageSize else {
      throw VaultError(
        .invalidArgument,
        "Pages of \(pageSize) bytes are too small for \(scheme.description), whose authentication codes "
          + "need room. Use pages of \(scheme.smallestPageSize) bytes or more.")
    }
    self.key = key
    if let file = key.keyringFile(besideVault: path) {
      guard scheme.hasStandardPages else {
        throw VaultError(
          .unsupportedCipherSettings,
          "A keyring cannot describe the cipher settings of '\(path)' (\(scheme.description)). "
            + "Upgrade the file first: that gives it the settings of the newest format.")
      }
      let format = scheme.format
      let note = try KeyringNote(
        key, file, format: format, pageSize: pageSize, vault: vault)
      self.note = note
      cipher = note.cipher
    } else {
      note = nil
      let resolved = try key.resolve(besideVault: path)
      let salt = try resolved.salt ?? FileSalt.random()
      cipher = FileCipher(
        scheme: scheme, pageSize: pageSize, rawKey: try resolved.rawKey(for: scheme, salt: salt),
        salt: salt)
    }
  }

  /// A key for a file with the format's own settings.
  convenience init(
    _ key: VaultKey, forFileAt path: String, format: CipherFormat, pageSize: Int,
    vault: VaultIdentity = .new
  ) throws {
    try self.init(
      key, forFileAt: path, scheme: CipherScheme(format), pageSize: pageSize, vault: vault)
  }

  /// A data key in a keyring.
  ///
  /// - Parameter key: What opens the file; the open keyring itself unless given.
  init(_ note: KeyringNote, key: VaultKey? = nil) {
    self.note = note
    self.key = key ?? VaultKey(.keyring(note.unlocked))
    cipher = note.cipher
  }

  /// A key for a copy of a file, in a keyring of the copy's own with the same slots, also those whose
  /// secrets nobody gave.
  convenience init(
    copying unlocked: UnlockedKeyring, beside file: KeyringFile, inPlaceOf salt: FileSalt?,
    format: CipherFormat, pageSize: Int
  ) throws {
    self.init(
      try KeyringNote(
        copying: unlocked, to: file, inPlaceOf: salt, format: format, pageSize: pageSize))
  }

  /// The identifier that the file must have for its keyring; `nil` where it has none.
  var vaultID: UUID? { note?.vaultID }

  /// The keyring that has the key, and its generation.
  var keyring: KeyringFacts? { note?.facts }

  /// Writes the key into the keyring; the file may be made after that.
  func announce() throws { try note?.announce() }

  /// Writes down that the file has its place.
  func confirm() throws { try note?.confirm() }

  /// Takes the key back: the file was not made.
  func withdraw() { note?.withdraw() }
}

/// What is known of the vault that a file holds, when its key goes into a keyring.
struct VaultIdentity {
  /// The identifier inside the file; a database of another program's has none.
  var id: UUID?
  /// The salt of the file as it is now.
  var salt: FileSalt?
  /// The generation before which the file takes no keyring, as it is written inside it.
  var keyringGeneration: UInt64?

  /// A vault that is made just now.
  static let new = VaultIdentity()
}

/// Which keyring opens a file, as far as it is no secret.
struct KeyringFacts: Sendable {
  let file: KeyringFile
  let vaultID: UUID
  let generation: UInt64
}
