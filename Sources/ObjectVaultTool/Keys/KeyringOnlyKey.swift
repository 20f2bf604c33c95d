import ObjectVaultCore

/// A key that can only open a slot of a keyring, as chosen with options.
enum KeyringOnlyKey: Sendable {
  case identity(String)
  case provider(String)

  /// The option that chooses the key.
  var option: String {
    switch self {
    case .identity: "--identity"
    case .provider: "--provider"
    }
  }

  /// Returns the key, which is not read yet.
  func slotKey() throws -> SlotKey {
    switch self {
    case .identity(let path): .identity(path)
    case .provider(let name): .provider(ProviderProgram(name))
    }
  }
}
