import ObjectVaultCore

/// A key as it was given, before it is known whether it opens a file or a slot of a keyring.
struct GivenSecret: Sendable {
  /// Where it was found.
  enum Place: Sendable {
    case file, environment, descriptor, terminal
  }

  private let source: KeySource
  let place: Place

  init(_ source: KeySource, place: Place) {
    self.source = source
    self.place = place
  }

  /// What somebody typed.
  init(typed secret: SharedSecret, holding contents: KeySource.Contents) {
    source = .closure(holding: contents) { secret.withSecret { $0.copy() } }
    place = .terminal
  }

  /// Whether it is text of the form that a raw key in hexadecimal has: 64 digits, or 96.
  var looksRaw: Bool {
    guard case .passphrase(let secret)? = try? key.resolve() else { return false }
    return secret.withSecret { secret in
      guard secret.count == 64 || secret.count == 96 else { return false }
      return secret.decodedHexadecimal() != nil
    }
  }

  /// As a file's own key.
  var key: VaultKey { .source(source) }

  /// As the key of a slot.
  func slotKey(_ kind: SlotKind, slot: String? = nil) -> SlotKey {
    .source(source, as: kind, slot: slot)
  }
}
