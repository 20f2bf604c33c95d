import ObjectVaultDriver
package import ObjectVaultKeys

extension VaultIdentity {
  /// Checks that sealed values remain readable under a new key of the file.
  ///
  /// The keys of a keyring exist only in that keyring.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - newKey: The new key.
  ///   - keyring: The present keyring; `nil` if the file has none.
  /// - Throws: `.invalidArgument` if values are sealed under keys of the keyring and the new key is
  ///   another one.
  package func checkSealing(
    ofFileAt path: String, under newKey: VaultKey, leaving keyring: KeyringFacts?
  ) throws {
    guard !sealingCodes.isEmpty, let keyring,
      newKey.keyringFile(besideVault: path)?.path != keyring.file.path || !keyring.file.exists
    else { return }
    let codes = try VaultSealer(keyring.sealingKeys, path: path).codes()
    guard codes.contains(where: { sealingCodes[$0.number] == $0.code }) else { return }
    throw VaultError(
      .invalidArgument,
      "'\(path)' has values sealed under the keys of its keyring, which no other key contains. "
        + "Rotate the key of the keyring, or copy the objects to a new vault.")
  }
}
