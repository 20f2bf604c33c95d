import ObjectVaultKeys

extension ResolvedKey {
  /// The bytes of a passphrase or of a raw key.
  var secret: SharedSecret {
    switch self {
    case .passphrase(let secret), .raw(let secret, _): secret
    case .keyring: preconditionFailure("a keyring has no bytes of its own")
    }
  }
}
