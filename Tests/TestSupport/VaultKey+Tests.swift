package import ObjectVaultCore

extension VaultKey {
  /// That of vaults whose tests are not about keys: a passphrase would cost each opening a derivation, which
  /// takes longer than most of what is tested.
  package static let ofTests = VaultKey.raw(hex: digitsOfTests)

  /// Its hexadecimal digits.
  package static let digitsOfTests = String(repeating: "5a", count: 32)
}
