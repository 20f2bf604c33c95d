public import ObjectVaultCore
import Synchronization

extension Vaults {
  /// Assigns the vault at another path, such as that of another user, to a name.
  ///
  /// The classes of the name stay registered. The new vault is opened, and created if missing,
  /// before the old one is released. If that fails, nothing changes. Then the old vault is closed:
  /// its stores and queries fail with `.closed`. Transactions of records in progress continue to
  /// use the old vault and fail too, but an operation in progress on another thread continues as
  /// after `Vault.close()`. Release objects that were fetched from the old vault: an object does not
  /// record which vault it came from.
  ///
  /// If the path is that of the present vault, the key is checked against the file, and the vault
  /// stays open unchanged.
  ///
  /// - Parameters:
  ///   - name: The name of a registered vault, or `nil` for the main one.
  ///   - path: The path of the new vault's file.
  ///   - key: The key that opens the file.
  ///   - configuration: The options for opening the file.
  /// - Returns: The vault that now has the name.
  /// - Throws: ``VaultError``: `.noSuchVault`; `.invalidArgument` if the file belongs to another
  ///   registered vault; otherwise the errors of `Vault.store(of:)`.
  @discardableResult
  public func replace(
    _ name: String? = nil, at path: String, key: VaultKey,
    configuration: VaultConfiguration = VaultConfiguration()
  ) throws -> Vault {
    let old = try entry(named: name)
    let new = try successor(of: old, at: path, key, configuration)
    try new.open()
    return try settle(new, afterOpening: old)
  }

  /// Assigns the vault at another path to a name without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - name: The name of a registered vault, or `nil` for the main one.
  ///   - path: The path of the new vault's file.
  ///   - key: The key that opens the file.
  ///   - configuration: The options for opening the file.
  /// - Returns: The vault that now has the name.
  /// - Throws: The errors of the synchronous form.
  @discardableResult
  public func replace(
    _ name: String? = nil, at path: String, key: VaultKey,
    configuration: VaultConfiguration = VaultConfiguration()
  ) async throws -> Vault {
    let old = try entry(named: name)
    let new = try successor(of: old, at: path, key, configuration)
    try await new.open()
    return try settle(new, afterOpening: old)
  }

  private func successor(
    of old: RegisteredVault, at path: String, _ key: VaultKey, _ configuration: VaultConfiguration
  ) throws -> RegisteredVault {
    let vault = try Vault(at: path, key: key, configuration: configuration)
    try check(vault, mayReplace: old)
    return RegisteredVault(name: old.name, vault: vault, classes: old.classes)
  }

  private func settle(_ new: RegisteredVault, afterOpening old: RegisteredVault) throws -> Vault {
    // If the old handle was closed or its file was removed, the old handle is useless.
    if try Vault.canonical(new.vault.path) == Vault.canonical(old.vault.path),
      (try? old.vault.open()) != nil
    {
      new.vault.close()
      return old.vault
    }
    do {
      try put(new.vault, inPlaceOf: old)
    } catch {
      new.vault.close()
      throw error
    }
    old.vault.close()
    return new.vault
  }

  /// Replaces a registered vault by another one.
  private func put(_ new: Vault, inPlaceOf old: RegisteredVault) throws {
    try registered.withLock { registered in
      guard let index = registered.firstIndex(where: { $0.vault === old.vault }) else {
        throw VaultError(
          .noSuchVault,
          "The vault '\(old.name)' was replaced or unregistered by another caller in the meantime. "
            + "Try again.")
      }
      try Self.check(new, isNewAmong: registered[..<index] + registered[(index + 1)...])
      registered[index] = RegisteredVault(
        name: old.name, vault: new, classes: old.classes, isStarted: true)
    }
  }

  /// Throws if another registered vault uses the same file.
  private func check(_ new: Vault, mayReplace old: RegisteredVault) throws {
    let others = registered.withLock { $0 }.filter { $0.vault !== old.vault }
    try Self.check(new, isNewAmong: others[...])
  }
}
