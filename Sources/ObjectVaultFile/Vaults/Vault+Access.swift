import ObjectVaultDriver
public import ObjectVaultModel
public import ObjectVaultStores

extension ObjectStore {
  /// The vault of the objects.
  ///
  /// - Throws: ``VaultError`` `.invalidArgument` for a store of another database; use `database`.
  public var vault: Vault {
    get throws { try database.vault }
  }
}

extension MigrationContext {
  /// The vault.
  ///
  /// Its stores take part in the transaction of the upgrade.
  ///
  /// - Throws: ``VaultError`` `.invalidArgument` in the upgrade of another database; use `database`.
  public var vault: Vault {
    get throws { try database.vault }
  }
}

extension Database {
  /// The database as the vault that it is.
  fileprivate var vault: Vault {
    get throws {
      if let vault = self as? Vault { return vault }
      throw VaultError(
        .invalidArgument, "'\(handle.location)' is not a vault. Use 'database' instead of 'vault'.")
    }
  }
}
