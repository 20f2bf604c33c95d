import ObjectVaultCore

/// A given key, before it is known whether it opens a file or a slot of a keyring.
struct GivenSecret: Sendable {
  /// The place that the key was read from.
  enum Place: Sendable {
    case file, environment, descriptor, terminal
  }

  private enum Form: Sendable {
    case source(KeySource, Place)
    /// A key that can only open a slot of a keyring.
    case slot(SlotKey)
  }

  private let form: Form

  init(_ source: KeySource, place: Place) { form = .source(source, place) }

  /// Creates the secret from a key that can only open a slot of a keyring.
  init(_ key: SlotKey) { form = .slot(key) }

  /// Creates the secret from typed text.
  init(typed secret: SharedSecret, holding contents: KeySource.Contents) {
    self.init(
      .closure(holding: contents) { secret.withSecret { $0.copy() } }, place: .terminal)
  }

  /// Whether the secret is the content of a file or a descriptor, which can be of several kinds.
  var isContent: Bool {
    if case .source(_, let place) = form { place == .file || place == .descriptor } else { false }
  }

  /// The key, if it can only open a slot of a keyring.
  var keyringOnlyKey: SlotKey? {
    if case .slot(let key) = form { key } else { nil }
  }

  /// Whether the text has the form of a raw key in hexadecimal: 64 or 96 digits.
  var looksRaw: Bool {
    guard case .passphrase(let secret)? = try? key().resolve() else { return false }
    return secret.withSecret { secret in
      guard secret.count == 64 || secret.count == 96 else { return false }
      return secret.decodedHexadecimal() != nil
    }
  }

  /// Returns the secret as the key of a file.
  ///
  /// - Returns: The key.
  /// - Throws: ``ToolError`` for a key that can only open a slot of a keyring.
  func key() throws -> VaultKey {
    switch form {
    case .source(let source, _): return .source(source)
    case .slot:
      throw ToolError(
        .usage,
        "An identity or a key provider opens a slot of a keyring, and the file has no keyring or "
          + "is to have none. Use another key.")
    }
  }

  /// Returns the secret as the key of a slot.
  func slotKey(_ kind: SlotKind, slot: String? = nil) -> SlotKey {
    switch form {
    case .source(let source, _): .source(source, as: kind, slot: slot)
    case .slot(let key): key.named(slot)
    }
  }
}
