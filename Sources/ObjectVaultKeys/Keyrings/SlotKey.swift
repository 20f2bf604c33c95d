/// What opens a slot of a keyring.
///
/// ```swift
/// let vault = try Vault(at: "school.vault", key: .keyring(.passphrase("correct horse")))
/// ```
///
/// Slots of the key's kind are tried one after the other, at one derivation each; with the name of
/// the slot only that one is.
public struct SlotKey: Sendable {
  private enum Form: Sendable {
    case resolved(SlotSecret)
    case source(KeySource, SlotKind)
    case refused(KeyError)
  }

  private let form: Form
  /// The name of the slot that it opens; `nil` where that is not known.
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

  /// A passphrase. Its UTF-8 bytes count, unchanged and not normalised.
  ///
  /// - Parameters:
  ///   - text: not empty, at most 1 MiB. It stays in memory as long as the program keeps it.
  ///   - slot: the slot's name, where it is known.
  public static func passphrase(_ text: String, slot: String? = nil) -> SlotKey {
    passphrase(bytes: text.utf8, slot: slot)
  }

  /// A passphrase of any bytes, also ones that are not a text.
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

  /// A passphrase that is in protected memory already.
  public static func passphrase(_ secret: consuming Secret, slot: String? = nil) -> SlotKey {
    do throws(KeyError) {
      return SlotKey(slot: slot, form: .resolved(try .passphrase(secret)))
    } catch {
      return SlotKey(slot: slot, form: .refused(error))
    }
  }

  /// A recovery code as somebody typed it: case, hyphens and spaces do not count.
  public static func recoveryCode(_ text: String, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot) { () throws(KeyError) in try .recoveryCode(shortSecret(text)) }
  }

  /// A recovery code that is in protected memory already.
  public static func recoveryCode(_ secret: consuming Secret, slot: String? = nil) -> SlotKey {
    let secret = SharedSecret(secret)
    return SlotKey(slot: slot) { () throws(KeyError) in
      try secret.withSecret { code throws(KeyError) in try .recoveryCode(code) }
    }
  }

  /// A file of 32 random bytes or more, at most 64 KiB, that only its owner may read (mode 0600).
  /// Every byte counts. It is read each time the key is needed.
  public static func keyFile(_ path: String, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot, form: .source(.file(path), .keyFile))
  }

  /// A key that a program holds: 32 random bytes or more.
  public static func raw(_ bytes: some Collection<UInt8>, slot: String? = nil) -> SlotKey {
    SlotKey(slot: slot) { () throws(KeyError) in
      guard bytes.count <= KeySource.maximumCount else {
        throw KeyError(
          .invalidKey, "a raw key has at most \(KeySource.maximumCount) bytes, not \(bytes.count)")
      }
      return try .raw(Secret(copying: bytes))
    }
  }

  /// A raw key that is in protected memory already: 32 random bytes or more.
  public static func raw(_ secret: consuming Secret, slot: String? = nil) -> SlotKey {
    do throws(KeyError) {
      return SlotKey(slot: slot, form: .resolved(try .raw(secret)))
    } catch {
      return SlotKey(slot: slot, form: .refused(error))
    }
  }

  /// A key that is read from somewhere else each time it is needed.
  ///
  /// - Parameters:
  ///   - source: where it is read from. What the source says it holds does not count here.
  ///   - kind: what it is; a passphrase unless said otherwise. A raw key may be written in hexadecimal.
  ///   - slot: the slot's name, where it is known.
  public static func source(
    _ source: KeySource, as kind: SlotKind = .passphrase, slot: String? = nil
  ) -> SlotKey {
    SlotKey(slot: slot, form: .source(source, kind))
  }

  /// The same key, of the slot of this name.
  public func named(_ slot: String?) -> SlotKey { SlotKey(slot: slot, form: form) }

  /// A code of a sane length, so that nothing huge is copied.
  private static func shortSecret(_ text: String) throws(KeyError) -> Secret {
    guard text.utf8.count <= 1_000 else {
      throw KeyError(.recoveryCodeMistyped, "this is too long for a recovery code")
    }
    return Secret(utf8: text)
  }
}

extension SlotKey {
  /// What it is.
  package var kind: SlotKind? {
    switch form {
    case .resolved(let secret): secret.kind
    case .source(_, let kind): kind
    case .refused: nil
    }
  }

  /// The key's bytes; a source is read now.
  package func resolve() throws(KeyError) -> SlotSecret {
    switch form {
    case .resolved(let secret):
      try secret.secret.checkProcess()
      return secret
    case .refused(let error): throw error
    case .source(let source, .passphrase): return try .passphrase(try source.text())
    case .source(let source, .recoveryCode): return try .recoveryCode(try source.text())
    case .source(let source, .keyFile): return try .keyFile(try source.bytes())
    case .source(let source, .raw):
      let bytes = try source.bytes()
      // 64 digits or more are a key in hexadecimal: as random bytes they would be next to impossible.
      if bytes.count >= 2 * SlotSecret.minimumKeyCount,
        let decoded = bytes.withoutFinalNewline().decodedHexadecimal()
      {
        return try .raw(decoded)
      }
      return try .raw(bytes)
    }
  }

  /// Throws now what ``resolve()`` would throw, without reading a source.
  package func validate() throws(KeyError) {
    if case .refused(let error) = form { throw error }
  }
}

extension SlotKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `<secret>`.
  public var description: String { "<secret>" }
  /// Always `<secret>`.
  public var debugDescription: String { "<secret>" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
