package import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
package import ObjectVaultKeys

/// The key of a file that is about to be created, with its entry in a keyring.
///
/// The order of calls is fixed: ``announce()``, then the file is created and moved to its place,
/// then ``confirm()``; or ``withdraw()`` if the file is not created. If the process ends in
/// between, the keyring opens the file that exists then.
package final class NewFileKey {
  package let cipher: FileCipher
  /// The key that opens the file.
  package let key: VaultKey
  private let note: KeyringNote?

  /// Resolves a key for a new file.
  ///
  /// - Parameters:
  ///   - key: The key of the file.
  ///   - path: The path of the file.
  ///   - scheme: The cipher settings of the file.
  ///   - pageSize: The page size in bytes.
  ///   - vault: The known facts about the vault in the file.
  /// - Throws: `.unsupportedCipherSettings` if a keyring cannot describe the settings or the engine
  ///   cannot write them, `.invalidArgument` for a plaintext header without a keyring, and the
  ///   errors of the key and of the keyring.
  package init(
    _ key: VaultKey, forFileAt path: String, scheme: CipherScheme, pageSize: Int,
    vault: VaultIdentity = .new
  ) throws {
    guard pageSize >= scheme.smallestPageSize else {
      throw VaultError(
        .invalidArgument,
        "Pages of \(pageSize) bytes have no room for the authentication codes of "
          + "\(scheme.description). Use pages of \(scheme.smallestPageSize) bytes or more.")
    }
    self.key = key
    try scheme.checkHeader(ofFileAt: path)
    if let file = key.keyringFile(besideVault: path) {
      guard scheme.hasStandardPages else {
        throw VaultError(
          .unsupportedCipherSettings,
          "A keyring cannot describe the cipher settings of '\(path)' (\(scheme.description)). "
            + "Upgrade the file to the newest format first.")
      }
      let note = try KeyringNote(key, file, scheme: scheme, pageSize: pageSize, vault: vault)
      self.note = note
      cipher = note.cipher
    } else {
      guard scheme.header == .encrypted else { throw VaultError.headerNeedsKeyring(path) }
      note = nil
      let resolved = try key.resolve(besideVault: path)
      let salt = try resolved.salt ?? FileSalt.random()
      cipher = FileCipher(
        scheme: scheme, pageSize: pageSize, rawKey: try resolved.rawKey(for: scheme, salt: salt),
        salt: salt)
    }
  }

  /// Creates a key from a data key in a keyring.
  ///
  /// If `key` is `nil`, the open keyring itself opens the file.
  package init(_ note: KeyringNote, key: VaultKey? = nil) {
    self.note = note
    self.key = key ?? VaultKey(.keyring(note.unlocked))
    cipher = note.cipher
  }

  /// Creates a key for the copy of a file, in a new keyring of the copy with the same slots.
  ///
  /// The slots include those whose secrets were not given.
  package convenience init(
    copying unlocked: UnlockedKeyring, beside file: KeyringFile, inPlaceOf start: FileStart?,
    scheme: CipherScheme, pageSize: Int, recorded: UInt64? = nil
  ) throws {
    self.init(
      try KeyringNote(
        copying: unlocked, to: file, inPlaceOf: start, scheme: scheme, pageSize: pageSize,
        recorded: recorded))
  }

  /// The vault identifier that the file must have for its keyring, or `nil` without a keyring.
  package var vaultID: UUID? { note?.vaultID }

  /// The keyring that the keyring of the key is derived from, or `nil` if there is none.
  package var originalKeyring: UnlockedKeyring? { note?.origin }

  /// The stored keyring that gets the key, or `nil` if there is none yet.
  package var changedKeyring: UnlockedKeyring? { note?.changed }

  /// The keyring that holds the key, and its generation.
  package func keyring() throws(KeyError) -> KeyringFacts? { try note?.facts() }

  /// Stores the key in the keyring as pending.
  ///
  /// The file may be created after that.
  package func announce() throws { try note?.announce() }

  /// Records in the keyring that the file is in its place.
  package func confirm() throws { try note?.confirm() }

  /// Removes the key from the keyring, because the file was not created.
  package func withdraw() { note?.withdraw() }
}

extension CipherScheme {
  /// Checks that the engine can write a file with this form of its first bytes.
  ///
  /// - Parameter path: The path of the file, for messages.
  /// - Throws: `.unsupportedCipherSettings` if the engine cannot, `.invalidArgument` if the cipher
  ///   format cannot.
  package func checkHeader(ofFileAt path: String) throws {
    guard header == .plaintext, format != .format4 else { return }
    let engine = try Engine.prove()
    guard engine.newestFormat >= .format4 else {
      throw VaultError(
        .unsupportedCipherSettings,
        "'\(path)' cannot have a plaintext header, because SQLCipher \(engine.cipherVersion) always "
          + "encrypts it. Use SQLCipher 4, or an encrypted header.")
    }
    throw VaultError(
      .invalidArgument,
      "'\(path)' cannot have a plaintext header in cipher format \(format.rawValue). Use the native "
        + "format, or an encrypted header.")
  }
}

extension VaultError {
  /// Returns the error for a plaintext header without a keyring.
  fileprivate static func headerNeedsKeyring(_ path: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "'\(path)' can have a plaintext header only with a keyring, because the file does not contain "
        + "its salt then. Use a keyring key, or an encrypted header.")
  }
}

/// The known facts about the vault in a file, for its entry in a keyring.
package struct VaultIdentity {
  /// The identifier inside the file, or `nil` for a database of another program.
  package var id: UUID?
  /// The present salt of the file.
  package var salt: FileSalt?
  /// The first bytes of another file that is replaced; `nil` if there is none.
  package var replacedStart: FileStart?
  /// The lowest generation of a keyring that the file accepts, as recorded in the file.
  package var keyringGeneration: UInt64?

  /// The codes of the recorded sealing keys, by number.
  package var sealingCodes: [UInt32: String] = [:]
  /// The sealing keys of the present keyring, which a new keyring retains; `nil` if the file has no
  /// keyring, or if they are left out.
  package var sealingKeys: SealingKeys?

  package init(id: UUID? = nil, salt: FileSalt? = nil, keyringGeneration: UInt64? = nil) {
    self.id = id
    self.salt = salt
    self.keyringGeneration = keyringGeneration
  }

  /// The identity of a vault that is being created.
  package static let new = VaultIdentity()

  /// Whether the first bytes of a file at the path are known.
  var hasFile: Bool { salt != nil || replacedStart != nil }

  /// Returns whether the present file can have the key of an epoch.
  func mayHave(_ epoch: KeyringEpoch) -> Bool {
    if epoch.salt == salt { return true }
    switch replacedStart {
    case .salt(let start)?: return epoch.salt == start
    case .plaintextHeader?: return epoch.header == .plaintext
    case nil: return false
    }
  }
}

/// The public facts about the keyring that opens a file.
package struct KeyringFacts: Sendable {
  package let file: KeyringFile
  package let vaultID: UUID
  package let generation: UInt64
  /// The keys of sealed values.
  package let sealingKeys: SealingKeys
  /// Whether the spare copy was opened, because the keyring could not be.
  package var isSpare = false
}
