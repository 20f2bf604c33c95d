import ObjectVaultDriver
import ObjectVaultKeys
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

// The keyring of a vault, as its system tables record it.

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
    if let id = try vaultID, id != keyring.vaultID {
      throw VaultError(
        .keyringMismatch,
        "The keyring '\(keyring.file.path)' belongs to another vault than '\(path)'. Put the right "
          + "keyring next to the vault.")
    }
    guard let noted = try notedKeyringGeneration else { return }
    guard keyring.generation >= noted else {
      throw VaultError(
        .keyringRolledBack,
        "The keyring '\(keyring.file.path)' (generation \(keyring.generation)) is older than the "
          + "one last used with '\(path)' (generation \(noted)): slots that were removed since "
          + "could open it. Restore the latest keyring.")
    }
  }

  /// Records that no keyring with an older generation may open the vault.
  ///
  /// Must be called inside a transaction.
  package func noteKeyring(generation: UInt64) throws {
    guard try isVault() else { return }
    try session.with(
      "INSERT OR REPLACE INTO objectvault_info VALUES ('keyring_generation', ?1)"
    ) { statement in
      statement.binder.bind(text: String(generation), at: 0)
      try statement.run()
    }
  }
}
