package import ObjectVaultCore

extension VaultKey {
  /// The key of vaults in tests that are not about keys.
  ///
  /// It is a raw key, because the key derivation of a passphrase would take longer than most tested
  /// operations.
  package static let ofTests = VaultKey.raw(hex: digitsOfTests)

  /// The hexadecimal digits of the key.
  package static let digitsOfTests = String(repeating: "5a", count: 32)
}
