public import ObjectVaultModel
public import ObjectVaultStores

extension ObjectStore {
  /// The vault of the objects.
  ///
  /// Available for stores of a vault; for those of another database, use `database`.
  public var vault: Vault { database.vault }
}

extension MigrationContext {
  /// The vault.
  ///
  /// Its stores take part in the transaction of the upgrade.
  public var vault: Vault { database.vault }
}

extension Database {
  /// The database as the vault that it is.
  fileprivate var vault: Vault {
    guard let vault = self as? Vault else {
      preconditionFailure("The database is not a vault. Use `database` instead of `vault`.")
    }
    return vault
  }
}
