/// What kind of secret opens a slot of a keyring.
public enum SlotKind: UInt8, Sendable, Hashable, CaseIterable {
  /// Words that somebody remembers; stretched by scrypt.
  case passphrase = 1
  /// A code that is printed and put away; stretched by scrypt.
  case recoveryCode = 2
  /// The content of a file, 32 random bytes or more.
  case keyFile = 3
  /// A key of 32 bytes or more that a program holds.
  case raw = 4

  /// What files and people call it.
  package var name: String {
    switch self {
    case .passphrase: "passphrase"
    case .recoveryCode: "recovery code"
    case .keyFile: "key file"
    case .raw: "raw key"
    }
  }

  /// Whether it may be guessed, and is therefore made slow to try.
  var isStretched: Bool { self == .passphrase || self == .recoveryCode }
}
