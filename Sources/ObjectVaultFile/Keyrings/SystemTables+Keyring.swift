import Foundation
package import ObjectVaultDriver
package import ObjectVaultKeys
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

// The keyring of a vault, as its system tables record it.

extension VaultIdentity {
  /// Checks that an open keyring belongs to the vault and is up to date.
  ///
  /// - Throws: `.keyringMismatch` if the keyring belongs to another vault, `.keyringRolledBack` if
  ///   it is older than one that was in use before.
  package func check(_ keyring: UnlockedKeyring, path: String) throws(VaultError) {
    let document = keyring.keyring.keyring
    try check(UUID(bytes: document.vaultID), document.generation, of: keyring.file, path: path)
  }

  /// Checks that the keyring that opened a file belongs to the vault and is up to date.
  ///
  /// - Throws: The errors of ``check(_:path:)-(UnlockedKeyring,_)``.
  package func check(_ keyring: KeyringFacts, path: String) throws(VaultError) {
    try check(keyring.vaultID, keyring.generation, of: keyring.file, path: path)
  }

  private func check(
    _ vaultID: UUID, _ generation: UInt64, of file: KeyringFile, path: String
  ) throws(VaultError) {
    if let id, id != vaultID {
      throw VaultError(
        .keyringMismatch,
        "The keyring '\(file.path)' belongs to another vault than '\(path)'. Put the right keyring "
          + "next to the vault.")
    }
    guard let keyringGeneration, generation < keyringGeneration else { return }
    throw VaultError(
      .keyringRolledBack,
      "The keyring '\(file.path)' (generation \(generation)) is older than the one last used with "
        + "'\(path)' (generation \(keyringGeneration)): slots that were removed since could open "
        + "it. Restore the latest keyring.")
  }
}

extension SystemTables {
  /// The identifier and keyring generation of the vault, for its keyring.
  package var identity: VaultIdentity {
    get throws {
      var identity = VaultIdentity(id: try vaultID, keyringGeneration: try notedKeyringGeneration)
      for (number, code) in try sealingCodes() { identity.sealingCodes[number] = code }
      return identity
    }
  }

  /// The lowest generation of a keyring that may open the vault.
  private var notedKeyringGeneration: UInt64? {
    get throws { try value("keyring_generation").flatMap { UInt64($0) } }
  }

  /// Checks that a keyring belongs to the vault and is up to date.
  ///
  /// - Throws: `.keyringMismatch` if the keyring that opened the file belongs to another vault,
  ///   `.keyringRolledBack` if it is older than one that was in use before.
  package func check(_ keyring: KeyringFacts, path: String) throws {
    try VaultIdentity(id: vaultID, keyringGeneration: notedKeyringGeneration)
      .check(keyring, path: path)
  }

  /// Checks that an open keyring belongs to the vault and is up to date.
  ///
  /// - Throws: The errors of ``check(_:path:)-(KeyringFacts,_)``.
  package func check(_ keyring: UnlockedKeyring, path: String) throws {
    try VaultIdentity(id: vaultID, keyringGeneration: notedKeyringGeneration)
      .check(keyring, path: path)
  }

  /// Records that no keyring with an older generation may open the vault.
  ///
  /// A later generation that is recorded already stays. Must be called inside a transaction.
  package func noteKeyring(generation: UInt64) throws {
    guard try isVault(), try notedKeyringGeneration ?? 0 < generation else { return }
    try session.with(
      "INSERT OR REPLACE INTO objectvault_info VALUES ('keyring_generation', ?1)"
    ) { statement in
      statement.binder.bind(text: String(generation), at: 0)
      try statement.run()
    }
  }
}
