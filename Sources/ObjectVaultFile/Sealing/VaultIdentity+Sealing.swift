import ObjectVaultDriver
import ObjectVaultKeys

extension VaultIdentity {
  /// Checks that sealed values remain readable under a new key of the file.
  ///
  /// The keys of a keyring exist only in keyrings.
  ///
  /// - Parameters:
  ///   - path: The path of the present file.
  ///   - newKey: The key of the new file.
  /// - Throws: `.invalidArgument` if values are sealed under keys of the present keyring that the
  ///   new key does not contain.
  package func checkSealing(ofFileAt path: String, under newKey: NewFileKey) throws {
    guard !sealingCodes.isEmpty, let sealingKeys else { return }
    let present = try VaultSealer(sealingKeys, path: path).codes()
    let used = present.filter { sealingCodes[$0.number] == $0.code }
    let keyring = try newKey.keyring()
    let contained = try keyring.map { try VaultSealer($0.sealingKeys, path: path).codes() } ?? []
    guard used.contains(where: { key in !contained.contains { $0 == key } }) else { return }
    if let keyring {
      throw VaultError(
        .invalidArgument,
        "'\(path)' has values sealed under keys of its keyring, which '\(keyring.file.path)' does "
          + "not contain. Move that keyring away, so that a new one gets the keys.")
    }
    throw VaultError(
      .invalidArgument,
      "'\(path)' has values sealed under keys of its keyring, which only a keyring can contain. Use "
        + "a keyring for the new key, or write a copy without sealing keys.")
  }
}
