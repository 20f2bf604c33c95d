/// The kind of secret that opens a slot of a keyring.
public enum SlotKind: UInt8, Sendable, Hashable, CaseIterable {
  /// A memorised passphrase, stretched with scrypt.
  case passphrase = 1
  /// A printed recovery code, stretched with scrypt.
  case recoveryCode = 2
  /// The content of a file, 32 random bytes or more.
  case keyFile = 3
  /// A key of 32 bytes or more that a program holds.
  case raw = 4

  /// The name for files and users.
  package var name: String {
    switch self {
    case .passphrase: "passphrase"
    case .recoveryCode: "recovery code"
    case .keyFile: "key file"
    case .raw: "raw key"
    }
  }

  /// Whether the secret can be guessed and is therefore stretched.
  var isStretched: Bool { self == .passphrase || self == .recoveryCode }
}
