/// A key that opens a slot of a keyring.
///
/// ```swift
/// let vault = try Vault(at: "school.vault", key: .keyring(.passphrase("correct horse")))
/// ```
///
/// Slots of the key's kind are tried one after the other, at one derivation each. If the key names
/// its slot, only that slot is tried.
public struct SlotKey: Sendable {
  private enum Form: Sendable {
    case resolved(SlotSecret)
    case source(KeySource, SlotKind)
    case refused(KeyError)
  }

  private let form: Form
  /// The name of the slot that the key opens; `nil` if unknown.
  public let slot: String?

  private init(slot: String?, _ make: () throws(KeyError) -> SlotSecret) {
    self.slot = slot
    do throws(KeyError) {
      form = .resolved(try make())
    } catch {
      form = .refused(error)
    }
  }

  private init(slot: String?, form: Form) {
    self.slot = slot
    self.form = form
  }

  /// Returns a key from the UTF-8 bytes of a passphrase, unchanged and not normalised.
  ///
  /// - Parameters:
  ///   - text: A text of 1 byte to 1 MiB. It stays in memory as long as the program retains it.
  ///   - slot: The name of the slot, if known.
  /// - Returns: The key.
  public static func passphrase(_ text: String, slot: String? = nil) -> SlotKey {
    passphrase(bytes: text.utf8, slot: slot)
  }

  /// Returns a key from a passphrase of any bytes, which need not be valid text.
  public static func passphrase(
    bytes: some Collection<UInt8>, slot: String? = nil
  ) -> SlotKey {
    SlotKey(slot: slot) { () throws(KeyError) in
      guard bytes.count <= ResolvedKey.maximumPassphraseCount else {
        throw ResolvedKey.passphraseTooLong(bytes.count)
      }
      return try .passphrase(Secret(copying: bytes))
    }
  }

  /// Returns a key from a passphrase that is already in protected memory.
  public static func passphrase(_ secret: consuming Secret, slot: String? = nil) -> SlotKey {
    do throws(KeyError) {
      return SlotKey(slot: slot, form: .resolved(try .passphrase(secret)))
    } catch {
      return SlotKey(slot: slot, form: .refused(error))
    }
  }

  /// Returns a key from a typed recovery code; case, hyphens and spaces are ignored.
  public static func recoveryCode(_ text: String, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot) { () throws(KeyError) in try .recoveryCode(shortSecret(text)) }
  }

  /// Returns a key from a recovery code that is already in protected memory.
  public static func recoveryCode(_ secret: consuming Secret, slot: String? = nil) -> SlotKey {
    let secret = SharedSecret(secret)
    return SlotKey(slot: slot) { () throws(KeyError) in
      try secret.withSecret { code throws(KeyError) in try .recoveryCode(code) }
    }
  }

  /// Returns a key from a file of 32 random bytes or more, at most 64 KiB.
  ///
  /// Only the owner may have access to the file (mode 0600). Every byte counts. The file is read
  /// each time the key is needed.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - slot: The name of the slot, if known.
  /// - Returns: The key.
  public static func keyFile(_ path: String, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot, form: .source(.file(path), .keyFile))
  }

  /// Returns a key from 32 random bytes or more that the program holds.
  public static func raw(_ bytes: some Collection<UInt8>, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot) { () throws(KeyError) in
      guard bytes.count <= KeySource.maximumCount else {
        throw KeyError(
          .invalidKey,
          "A raw key has at most \(KeySource.maximumCount) bytes, but this one has \(bytes.count). "
            + "Check that it is the right key.")
      }
      return try .raw(Secret(copying: bytes))
    }
  }

  /// Returns a raw key from protected memory: 32 random bytes or more.
  public static func raw(_ secret: consuming Secret, slot: String? = nil) -> SlotKey {
    do throws(KeyError) {
      return SlotKey(slot: slot, form: .resolved(try .raw(secret)))
    } catch {
      return SlotKey(slot: slot, form: .refused(error))
    }
  }

  /// Returns a key from an identity file, to which only the owner may have access (mode 0600).
  ///
  /// It opens the slots of the identity's recipient. The file is read each time the key is needed.
  /// Adding a slot with this key adds one for its recipient.
  ///
  /// - Parameters:
  ///   - path: The path of the file: see ``KeyringIdentity``.
  ///   - slot: The name of the slot, if known.
  /// - Returns: The key.
  public static func identity(_ path: String, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot, form: .source(.file(path), .recipient))
  }

  /// Returns a key from an identity that the program holds.
  public static func identity(_ identity: KeyringIdentity, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot, form: .resolved(.identity(identity)))
  }

  /// Returns the public key of a recipient, which can be added to a keyring but opens no slot.
  ///
  /// Use it for a new slot, or to keep the slot of the recipient under a new master key.
  ///
  /// - Parameters:
  ///   - recipient: The recipient.
  ///   - slot: The name of the slot, if known.
  /// - Returns: The key.
  public static func recipient(_ recipient: KeyringRecipient, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot, form: .resolved(.recipient(recipient)))
  }

  /// Returns a key whose secret a program or service outside the process decrypts.
  ///
  /// The provider is called each time the key is needed, and once for each slot with its name that
  /// is tried. A slot that is added with this key gets a new random secret, which the provider
  /// encrypts and decrypts once.
  ///
  /// - Parameters:
  ///   - provider: The provider.
  ///   - slot: The name of the slot, if known.
  /// - Returns: The key.
  public static func provider(_ provider: any KeyProvider, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot) { () throws(KeyError) in try .provider(provider) }
  }

  /// Returns a key that is read from a source each time it is needed.
  ///
  /// - Parameters:
  ///   - source: The source. The contents that the source declares are ignored here.
  ///   - kind: The kind of the key; a passphrase by default. A raw key can be in hexadecimal. For
  ///     `.recipient` the source contains an identity; `.provider` is not possible.
  ///   - slot: The name of the slot, if known.
  /// - Returns: The key.
  public static func source(
    _ source: KeySource, as kind: SlotKind = .passphrase, slot: String? = nil
  ) -> SlotKey {
    SlotKey(slot: slot, form: .source(source, kind))
  }

  /// Returns the same key for the slot with this name.
  public func named(_ slot: String?) -> SlotKey { SlotKey(slot: slot, form: form) }

  /// Returns the code as a secret; rejects long texts before they are copied.
  private static func shortSecret(_ text: String) throws(KeyError) -> Secret {
    guard text.utf8.count <= 1_000 else {
      throw KeyError(
        .recoveryCodeMistyped,
        "The text is too long for a recovery code. Check that it is the right text.")
    }
    return Secret(utf8: text)
  }
}

extension SlotKey {
  /// Returns the bytes of the key; a source is read now.
  package func resolve() throws(KeyError) -> SlotSecret {
    switch form {
    case .resolved(let secret):
      try secret.checkProcess()
      return secret
    case .refused(let error): throw error
    case .source(let source, .passphrase): return try .passphrase(try source.text())
    case .source(let source, .recoveryCode): return try .recoveryCode(try source.text())
    case .source(let source, .keyFile): return try .keyFile(try source.bytes())
    case .source(let source, .recipient):
      return .identity(try KeyringIdentity(text: try source.bytes()))
    case .source(_, .provider):
      throw KeyError(
        .invalidKey, "A source cannot be a key provider. Use the key of the provider itself.")
    case .source(let source, .raw):
      let bytes = try source.bytes()
      // 64 digits or more are a hexadecimal key: random bytes almost never look like that.
      if bytes.count >= 2 * SlotSecret.minimumKeyCount,
        let decoded = bytes.withoutFinalNewline().decodedHexadecimal()
      {
        return try .raw(decoded)
      }
      return try .raw(bytes)
    }
  }

  /// Returns the same key with the bytes that its source has now, which is not read again.
  package func reading() throws(KeyError) -> SlotKey {
    SlotKey(slot: slot, form: .resolved(try resolve()))
  }

  /// Whether the key is the public key of a recipient, which opens no slot.
  package var isPublic: Bool {
    guard case .resolved(let secret) = form, case .recipient = secret.form else { return false }
    return true
  }

  /// Throws the errors of ``resolve()`` that need no source to be read.
  package func validate() throws(KeyError) {
    if case .refused(let error) = form { throw error }
  }
}

extension SlotKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The constant `<secret>`.
  public var description: String { "<secret>" }
  /// The constant `<secret>`.
  public var debugDescription: String { "<secret>" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
