import ObjectVaultCore

/// A given key, before it is known whether it opens a file or a slot of a keyring.
struct GivenSecret: Sendable {
  /// The place that the key was read from.
  enum Place: Sendable {
    case file, environment, descriptor, terminal
  }

  private let source: KeySource
  let place: Place

  init(_ source: KeySource, place: Place) {
    self.source = source
    self.place = place
  }

  /// Creates the secret from typed text.
  init(typed secret: SharedSecret, holding contents: KeySource.Contents) {
    source = .closure(holding: contents) { secret.withSecret { $0.copy() } }
    place = .terminal
  }

  /// Whether the text has the form of a raw key in hexadecimal: 64 or 96 digits.
  var looksRaw: Bool {
    guard case .passphrase(let secret)? = try? key.resolve() else { return false }
    return secret.withSecret { secret in
      guard secret.count == 64 || secret.count == 96 else { return false }
      return secret.decodedHexadecimal() != nil
    }
  }

  /// The secret as the key of a file.
  var key: VaultKey { .source(source) }

  /// Returns the secret as the key of a slot.
  func slotKey(_ kind: SlotKind, slot: String? = nil) -> SlotKey {
    .source(source, as: kind, slot: slot)
  }
}
