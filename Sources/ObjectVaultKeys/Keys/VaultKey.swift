/// A key that opens a vault.
///
/// ```swift
/// let vault = try Vault(at: "school.vault", key: .passphrase("correct horse"))
/// ```
///
/// The bytes are copied at once into memory that is locked if the system allows it, and wiped when
/// the last vault that uses the key is released. An invalid key (empty, or of a wrong length) is
/// rejected when the vault is created, before any file is accessed.
public struct VaultKey: Sendable {
  private enum Form: Sendable {
    case resolved(ResolvedKey)
    case source(KeySource)
    case keyring(SlotKey, path: String?)
    case refused(KeyError)
  }

  private let form: Form

  private init(_ make: () throws(KeyError) -> ResolvedKey) {
    do throws(KeyError) {
      form = .resolved(try make())
    } catch {
      form = .refused(error)
    }
  }

  private init(form: Form) {
    self.form = form
  }

  /// Creates a key from available bytes, such as a keyring that is already open.
  package init(_ resolved: ResolvedKey) { form = .resolved(resolved) }

  /// Returns a key from a passphrase, stretched as in SQLCipher.
  ///
  /// Every SQLCipher tool opens the file with the passphrase. Its UTF-8 bytes are used unchanged
  /// and not normalised. The text itself stays in memory as long as the program retains it;
  /// ``passphrase(_:)-(Secret)`` and ``source(_:)`` avoid that.
  ///
  /// - Parameter text: A text of 1 byte to 1 MiB.
  /// - Returns: The key.
  public static func passphrase(_ text: String) -> VaultKey {
    VaultKey { () throws(KeyError) in
      let count = text.utf8.count
      guard count <= ResolvedKey.maximumPassphraseCount else {
        throw ResolvedKey.passphraseTooLong(count)
      }
      return try .passphrase(Secret(utf8: text))
    }
  }

  /// Returns a key from a passphrase of any bytes, which need not be valid text.
  ///
  /// - Parameter bytes: 1 byte to 1 MiB. The caller must wipe the original.
  /// - Returns: The key.
  public static func passphrase(bytes: some Collection<UInt8>) -> VaultKey {
    VaultKey { () throws(KeyError) in
      guard bytes.count <= ResolvedKey.maximumPassphraseCount else {
        throw ResolvedKey.passphraseTooLong(bytes.count)
      }
      return try .passphrase(Secret(copying: bytes))
    }
  }

  /// Returns a key from a passphrase that is already in protected memory.
  public static func passphrase(_ secret: consuming Secret) -> VaultKey {
    do throws(KeyError) {
      return VaultKey(form: .resolved(try .passphrase(secret)))
    } catch {
      return VaultKey(form: .refused(error))
    }
  }

  /// Returns a raw key from 32 bytes, or from 48 bytes that end with the 16 bytes of the file's
  /// salt.
  ///
  /// No key is derived from it, so it must come from a random generator.
  ///
  /// - Parameter bytes: 32 or 48 bytes. The caller must wipe the original.
  /// - Returns: The key.
  public static func raw(_ bytes: some Collection<UInt8>) -> VaultKey {
    VaultKey { () throws(KeyError) in
      let count = bytes.count
      guard count <= 48 else { throw ResolvedKey.rawOfWrongLength(count) }
      return try .raw(Secret(copying: bytes))
    }
  }

  /// Returns a raw key from protected memory: 32 bytes, or 48 with the salt of the file.
  public static func raw(_ secret: consuming Secret) -> VaultKey {
    do throws(KeyError) {
      return VaultKey(form: .resolved(try .raw(secret)))
    } catch {
      return VaultKey(form: .refused(error))
    }
  }

  /// Returns a raw key from hexadecimal text: 64 digits, or 96 with the salt of the file.
  ///
  /// - Parameter hex: Digits of either case and nothing else.
  /// - Returns: The key.
  public static func raw(hex: String) -> VaultKey {
    VaultKey { () throws(KeyError) in
      let count = hex.utf8.count
      guard count <= ResolvedKey.maximumPassphraseCount else {
        throw KeyError(
          .invalidKey, "The raw key is too long. Pass 64 hexadecimal digits, or 96 with the salt.")
      }
      return try .raw(hexadecimal: Secret(utf8: hex))
    }
  }

  /// Returns a key that is read from a source each time it is needed.
  public static func source(_ source: KeySource) -> VaultKey {
    VaultKey(form: .source(source))
  }

  /// Returns a key in the keyring file `VAULT.keyring` next to the vault.
  ///
  /// The slot key opens the keyring, which contains the key of the file. It can therefore be
  /// changed in an instant, several people can have different slot keys, and a recovery code can
  /// replace a forgotten passphrase: see `VaultKeyring`. A new vault gets a new keyring with one
  /// slot.
  ///
  /// - Parameters:
  ///   - key: The key of a slot. If it names its slot, no other slot is tried.
  ///   - path: The path of the keyring, if it is not next to the vault.
  /// - Returns: The key.
  public static func keyring(_ key: SlotKey, at path: String? = nil) -> VaultKey {
    VaultKey(form: .keyring(key, path: path))
  }
}

extension VaultKey {
  /// Returns the bytes of the key; reads a source or opens a keyring now.
  ///
  /// - Parameter vault: The path of the vault next to the keyring.
  /// - Returns: The resolved key.
  /// - Throws: `noKey`, `invalidKey` or `keySourceUnreadable`; for a keyring `keyringMissing`,
  ///   `keyringMalformed`, `keyringNewer`, `keyringTampered`, `noSuchSlot`, `wrongKey`.
  package func resolve(besideVault vault: String? = nil) throws(KeyError) -> ResolvedKey {
    switch form {
    case .resolved(let key):
      try key.checkProcess()
      return key
    case .source(let source): return try source.read()
    case .refused(let error): throw error
    case .keyring(let key, _):
      guard let file = keyringFile(besideVault: vault) else {
        throw KeyError(
          .keyringMissing,
          "A keyring is next to its vault, and this operation has no vault file. Specify the path "
            + "of the keyring.")
      }
      return .keyring(try UnlockedKeyring(file, key: key))
    }
  }

  /// Throws the errors of ``resolve(besideVault:)`` that need no source or keyring to be read.
  package func validate() throws(KeyError) {
    switch form {
    case .refused(let error): throw error
    case .keyring(let key, _): try key.validate()
    case .resolved, .source: break
    }
  }

  /// The slot key, if the key is in a keyring that is not open yet.
  package var slotKey: SlotKey? {
    if case .keyring(let key, _) = form { key } else { nil }
  }

  /// Returns the keyring file, if the key is in one.
  package func keyringFile(besideVault vault: String?) -> KeyringFile? {
    switch form {
    case .keyring(_, let path?): KeyringFile(at: path)
    case .keyring(_, nil): vault.map { KeyringFile(besideVault: $0) }
    case .resolved(.keyring(let unlocked)): unlocked.file
    case .resolved, .source, .refused: nil
    }
  }
}

extension VaultKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The constant `<secret>`.
  public var description: String { "<secret>" }
  /// The constant `<secret>`.
  public var debugDescription: String { "<secret>" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
