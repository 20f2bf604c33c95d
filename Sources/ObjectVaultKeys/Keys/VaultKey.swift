/// What opens a vault.
///
/// ```swift
/// let vault = try Vault(at: "school.vault", key: .passphrase("correct horse"))
/// ```
///
/// The bytes are copied at once into memory that is locked where the system allows it and wiped
/// when the last vault that uses the key is gone. A key that cannot be one (empty, or of a wrong
/// length) is refused when the vault is made, before any file is touched.
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

  /// A key that is at hand, such as a keyring that was opened already.
  package init(_ resolved: ResolvedKey) { form = .resolved(resolved) }

  /// A passphrase, stretched the way SQLCipher does, so that every SQLCipher tool opens the file
  /// with it.
  ///
  /// Its UTF-8 bytes count, unchanged and not normalised. The text itself stays in memory as long
  /// as the program keeps it: ``passphrase(_:)-(Secret)`` and ``source(_:)`` avoid that.
  ///
  /// - Parameter text: not empty, at most 1 MiB.
  public static func passphrase(_ text: String) -> VaultKey {
    VaultKey { () throws(KeyError) in
      let count = text.utf8.count
      guard count <= ResolvedKey.maximumPassphraseCount else {
        throw ResolvedKey.passphraseTooLong(count)
      }
      return try .passphrase(Secret(utf8: text))
    }
  }

  /// A passphrase of any bytes, also ones that are not a text.
  ///
  /// - Parameter bytes: not empty, at most 1 MiB. The original stays the caller's to wipe.
  public static func passphrase(bytes: some Collection<UInt8>) -> VaultKey {
    VaultKey { () throws(KeyError) in
      guard bytes.count <= ResolvedKey.maximumPassphraseCount else {
        throw ResolvedKey.passphraseTooLong(bytes.count)
      }
      return try .passphrase(Secret(copying: bytes))
    }
  }

  /// A passphrase that is in protected memory already.
  public static func passphrase(_ secret: consuming Secret) -> VaultKey {
    do throws(KeyError) {
      return VaultKey(form: .resolved(try .passphrase(secret)))
    } catch {
      return VaultKey(form: .refused(error))
    }
  }

  /// A raw key: 32 bytes, or 48 of which the last 16 are the file's salt.
  ///
  /// Nothing is derived from it, so it must come from a random generator.
  ///
  /// - Parameter bytes: 32 or 48. The original stays the caller's to wipe.
  public static func raw(_ bytes: some Collection<UInt8>) -> VaultKey {
    VaultKey { () throws(KeyError) in
      let count = bytes.count
      guard count <= 48 else { throw ResolvedKey.rawOfWrongLength(count) }
      return try .raw(Secret(copying: bytes))
    }
  }

  /// A raw key that is in protected memory already: 32 bytes, or 48 with the file's salt.
  public static func raw(_ secret: consuming Secret) -> VaultKey {
    do throws(KeyError) {
      return VaultKey(form: .resolved(try .raw(secret)))
    } catch {
      return VaultKey(form: .refused(error))
    }
  }

  /// A raw key in hexadecimal: 64 digits, or 96 with the file's salt.
  ///
  /// - Parameter hex: digits of either case and nothing else.
  public static func raw(hex: String) -> VaultKey {
    VaultKey { () throws(KeyError) in
      let count = hex.utf8.count
      guard count <= ResolvedKey.maximumPassphraseCount else {
        throw KeyError(.invalidKey, "a raw key has 64 hexadecimal digits, or 96 with the salt")
      }
      return try .raw(hexadecimal: Secret(utf8: hex))
    }
  }

  /// A key that is read from somewhere else each time it is needed.
  public static func source(_ source: KeySource) -> VaultKey {
    VaultKey(form: .source(source))
  }

  /// A key in the keyring beside the vault, in the file `VAULT.keyring`.
  ///
  /// The slot's key opens the keyring, which holds the key of the file. So it can be changed in an
  /// instant, several people can each have their own, and a recovery code can stand in for a
  /// passphrase that was forgotten: see `VaultKeyring`. A new vault gets a new keyring, with one slot.
  ///
  /// - Parameters:
  ///   - key: What opens a slot of the keyring; with the name of the slot, where it is known, no other
  ///     one is tried.
  ///   - path: The keyring's path, where it is not beside the vault.
  public static func keyring(_ key: SlotKey, at path: String? = nil) -> VaultKey {
    VaultKey(form: .keyring(key, path: path))
  }
}

extension VaultKey {
  /// The key's bytes; a source is read now, a keyring opened.
  ///
  /// - Parameter vault: The path of the vault that a keyring stands beside.
  /// - Throws: `noKey`, `invalidKey` or `keySourceUnreadable`; of a keyring `keyringMissing`,
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
        throw KeyError(.keyringMissing, "there is no file here that a keyring could stand beside")
      }
      return .keyring(try UnlockedKeyring(file, key: key))
    }
  }

  /// Throws now what ``resolve(besideVault:)`` would throw, without reading a source or a keyring.
  package func validate() throws(KeyError) {
    switch form {
    case .refused(let error): throw error
    case .keyring(let key, _): try key.validate()
    case .resolved, .source: break
    }
  }

  /// What opens a slot, where the key is in a keyring that is not open yet.
  package var slotKey: SlotKey? {
    if case .keyring(let key, _) = form { key } else { nil }
  }

  /// The keyring's file, where the key is in one.
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
  /// Always `<secret>`.
  public var description: String { "<secret>" }
  /// Always `<secret>`.
  public var debugDescription: String { "<secret>" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
