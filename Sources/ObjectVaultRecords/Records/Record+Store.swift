public import ObjectVaultCore

extension Record {
  /// The store of the class in its vault, or in another one: the way to all that is not offered at the
  /// class itself. The table is made where the file has none yet.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` where the class is registered with no vault, or not with
  ///   that one; otherwise as `Vault.store(of:)`.
  public static func store(in source: (any VaultSource)? = nil) throws -> ObjectStore<Self> {
    try MeantVault(of: Self.self, source).vault.store(of: Self.self)
  }

  /// The store of the class, without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault.
  public static func store(in source: (any VaultSource)? = nil) async throws -> ObjectStore<Self> {
    try await MeantVault(of: Self.self, source).vault.store(of: Self.self)
  }

  /// Runs `body` as one transaction of the class's vault, or of another one: all that it does to that is
  /// kept, or, when it throws, nothing.
  ///
  /// Where a vault is named, operations inside that name none go to it, of whatever class.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - deferringReferences: Whether objects may refer to others that are stored later in the
  ///     transaction.
  ///   - body: What is to be done.
  /// - Returns: What `body` returns.
  /// - Throws: as `Vault.transaction`.
  @discardableResult
  public static func transaction<R>(
    in source: (any VaultSource)? = nil, deferringReferences: Bool = false, _ body: () throws -> R
  ) throws -> R {
    let meant = try MeantVault(of: Self.self, source)
    return try meant.vault.transaction(deferringReferences: deferringReferences) {
      try TransactionScope.with(meant, isNamed: source != nil, body)
    }
  }

  /// Runs `body` as one transaction of the class's vault, or of another one, that is kept where `body`
  /// answers `true`, and undone where it answers `false` or throws.
  ///
  /// - Parameters: as ``transaction(in:deferringReferences:_:)-(_,_,()->R)``.
  /// - Returns: What `body` answered.
  /// - Throws: as `Vault.attempt`.
  @discardableResult
  public static func attempt(
    in source: (any VaultSource)? = nil, deferringReferences: Bool = false,
    _ body: () throws -> Bool
  ) throws -> Bool {
    let meant = try MeantVault(of: Self.self, source)
    return try meant.vault.attempt(deferringReferences: deferringReferences) {
      try TransactionScope.with(meant, isNamed: source != nil, body)
    }
  }

  /// Runs `body` as one transaction on the vault's own thread, without blocking the caller's. `body` is
  /// synchronous: inside, the synchronous forms of all operations are used.
  ///
  /// - Throws: as `Vault.transaction`.
  @discardableResult
  public static func transaction<R: Sendable>(
    in source: (any VaultSource)? = nil, deferringReferences: Bool = false,
    _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    let meant = try MeantVault(of: Self.self, source)
    let (vaults, isNamed) = (Vaults.current, source != nil)
    return try await meant.vault.transaction(deferringReferences: deferringReferences) {
      // That thread has none of the task's values.
      try Vaults.$current.withValue(vaults) {
        try TransactionScope.with(meant, isNamed: isNamed, body)
      }
    }
  }

  /// Runs `body` as one transaction on the vault's own thread that is kept where `body` answers `true`,
  /// and undone where it answers `false` or throws, without blocking the caller's.
  ///
  /// - Returns: What `body` answered.
  /// - Throws: as `Vault.attempt`.
  @discardableResult
  public static func attempt(
    in source: (any VaultSource)? = nil, deferringReferences: Bool = false,
    _ body: @escaping @Sendable () throws -> Bool
  ) async throws -> Bool {
    let meant = try MeantVault(of: Self.self, source)
    let (vaults, isNamed) = (Vaults.current, source != nil)
    return try await meant.vault.attempt(deferringReferences: deferringReferences) {
      // That thread has none of the task's values.
      try Vaults.$current.withValue(vaults) {
        try TransactionScope.with(meant, isNamed: isNamed, body)
      }
    }
  }

  /// Runs `body` while every read of the class's vault on its thread, or of another vault, sees one and
  /// the same state: a transaction that reads.
  ///
  /// - Throws: as `Vault.read`.
  @discardableResult
  public static func read<R>(
    in source: (any VaultSource)? = nil, _ body: () throws -> R
  ) throws -> R {
    let meant = try MeantVault(of: Self.self, source)
    return try meant.vault.read {
      try TransactionScope.with(meant, isNamed: source != nil, body)
    }
  }

  /// Runs `body` as a transaction that reads on a thread of the vault's own, without blocking the
  /// caller's. `body` is synchronous.
  ///
  /// - Throws: as `Vault.read`.
  @discardableResult
  public static func read<R: Sendable>(
    in source: (any VaultSource)? = nil, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    let meant = try MeantVault(of: Self.self, source)
    let (vaults, isNamed) = (Vaults.current, source != nil)
    return try await meant.vault.read {
      try Vaults.$current.withValue(vaults) {
        try TransactionScope.with(meant, isNamed: isNamed, body)
      }
    }
  }
}
