import ObjectVaultKeys
import ObjectVaultSession

extension VaultKey {
  /// Returns the bytes of the key; the operation on this thread can be cancelled meanwhile.
  ///
  /// - Parameter vault: The path of the vault next to the keyring.
  /// - Returns: The resolved key.
  /// - Throws: The errors of `resolve(besideVault:)`; `.cancelled`.
  func resolveUnlessCancelled(besideVault vault: String) throws -> ResolvedKey {
    guard let cancellation = Cancellation.current else { return try resolve(besideVault: vault) }
    do {
      return try KeyCancellation.$isCancelled.withValue({ cancellation.isCancelled }) {
        try resolve(besideVault: vault)
      }
    } catch {
      try Cancellation.check()
      throw error
    }
  }
}
