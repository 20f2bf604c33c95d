public import ObjectVaultCore

// `save` has an asynchronous form of its own. Every other operation runs inside `read` or
// `transaction`. The vault is resolved before the caller suspends.

extension Record where Self: Sendable {
  /// Updates or inserts the object and assigns its object ID without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the object.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public mutating func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    self = try await Self.openStore(in: source).save(self, owned: owned)
  }

  /// Returns the store of the class in its vault, or in another one.
  fileprivate static func openStore(
    in source: (any VaultSource)?
  ) async throws -> ObjectStore<Self> {
    try await MeantVault(of: Self.self, source).vault.store(of: Self.self)
  }
}

extension Record where Self: AnyObject & Sendable {
  /// Updates or inserts the object and assigns its object ID without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the object.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    _ = try await Self.openStore(in: source).save(self, owned: owned)
  }
}
