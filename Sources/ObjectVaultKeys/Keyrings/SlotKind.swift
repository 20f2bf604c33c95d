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
  /// A private key, of which the keyring has only the public key.
  case recipient = 5
  /// A secret that a program or service outside the process decrypts.
  case provider = 6

  /// The name for files and users.
  package var name: String {
    switch self {
    case .passphrase: "passphrase"
    case .recoveryCode: "recovery code"
    case .keyFile: "key file"
    case .raw: "raw key"
    case .recipient: "identity"
    case .provider: "key provider"
    }
  }

  /// The name with its article, in the middle of a sentence.
  var nameWithArticle: String { (self == .recipient ? "an " : "a ") + name }

  /// Whether the secret can be guessed and is therefore stretched.
  package var isStretched: Bool { self == .passphrase || self == .recoveryCode }

  /// The lowest version of a keyring document that can have a slot of the kind.
  var documentVersion: UInt32 { rawValue < SlotKind.recipient.rawValue ? 1 : 2 }
}
