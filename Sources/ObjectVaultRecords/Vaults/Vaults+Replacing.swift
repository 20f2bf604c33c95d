public import ObjectVaultCore
import Synchronization

extension Vaults {
  /// Has a name mean the vault at another path: that of another user, say. Its classes stay.
  ///
  /// The new vault is opened, and made where it is missing, before the old one is let go of: where that
  /// fails, nothing was changed. Then the old one is closed, so that stores and queries of it fail with
  /// `.closed`; transactions of records in progress go on meaning the old one, and fail too. Let go of
  /// objects that were fetched from it: an object does not know which vault it came from.
  ///
  /// Where the path is that of the present vault, the key is proved against it, and the vault stays as
  /// it is, open.
  ///
  /// - Parameters:
  ///   - name: The name of a registered vault; `nil` for the main one.
  ///   - path: The path of the new vault's file.
  ///   - key: What opens it.
  ///   - configuration: How it is opened.
  /// - Returns: The vault that the name means from now on.
  /// - Throws: ``VaultError``: `.noSuchVault`; `.invalidArgument` where the file is that of another
  ///   registered vault; otherwise as `Vault.store(of:)`.
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

  /// Has a name mean the vault at another path, without blocking the caller's thread.
  ///
  /// - Throws: as the synchronous form.
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
    // The old handle may have been closed or its file removed, and is of no use then.
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

  /// Puts another vault in the place of one.
  private func put(_ new: Vault, inPlaceOf old: RegisteredVault) throws {
    try registered.withLock { registered in
      guard let index = registered.firstIndex(where: { $0.vault === old.vault }) else {
        throw VaultError(
          .noSuchVault,
          "The vault '\(old.name)' was replaced or unregistered by somebody else meanwhile.")
      }
      try Self.check(new, isNewAmong: registered[..<index] + registered[(index + 1)...])
      registered[index] = RegisteredVault(
        name: old.name, vault: new, classes: old.classes, isStarted: true)
    }
  }

  /// Sees that a vault is of another file than all others but one.
  private func check(_ new: Vault, mayReplace old: RegisteredVault) throws {
    let others = registered.withLock { $0 }.filter { $0.vault !== old.vault }
    try Self.check(new, isNewAmong: others[...])
  }
}
