public import ObjectVaultCore

extension Record {
  /// Returns the store of the class in its vault, or in another one.
  ///
  /// The store offers every operation, also those that the class itself does not. The table is
  /// created if the file does not have it yet.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: The store of the class in its vault, or in another one.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with a vault, or not
  ///   with the named one; otherwise the errors of `Vault.store(of:)`.
  @available(*, noasync, message: "Call it with 'await'.")
  public static func store(in source: (any VaultSource)? = nil) throws -> ObjectStore<Self> {
    try MeantVault(of: Self.self, source).vault.store(of: Self.self)
  }

  /// Runs `body` as one transaction of the class's vault, or of another one.
  ///
  /// All changes that `body` makes to the vault are stored, or none if it throws.
  ///
  /// If `source` names a vault, operations inside `body` that name no vault use that one, for every
  /// class.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - deferringReferences: Whether objects may refer to others that are stored later in the
  ///     transaction.
  ///   - body: A closure that runs inside the transaction.
  /// - Returns: The return value of `body`.
  /// - Throws: The errors of `Vault.transaction`.
  @available(*, noasync, message: "Call it with 'await'.")
  @discardableResult
  public static func transaction<R>(
    in source: (any VaultSource)? = nil, deferringReferences: Bool = false, _ body: () throws -> R
  ) throws -> R {
    let meant = try MeantVault(of: Self.self, source)
    return try meant.vault.transaction(deferringReferences: deferringReferences) {
      try TransactionScope.with(meant, isNamed: source != nil, body)
    }
  }

  /// Runs `body` as one transaction on a thread of the vault without blocking the caller's thread.
  ///
  /// `body` is synchronous and uses the synchronous forms of all operations.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - deferringReferences: Whether objects may refer to others that are stored later in the
  ///     transaction.
  ///   - body: A closure that runs inside the transaction.
  /// - Returns: The return value of `body`.
  /// - Throws: The errors of `Vault.transaction`.
  @discardableResult
  public static func transaction<R: Sendable>(
    in source: (any VaultSource)? = nil, deferringReferences: Bool = false,
    _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    let meant = try MeantVault(of: Self.self, source)
    let (vaults, isNamed) = (Vaults.current, source != nil)
    return try await meant.vault.transaction(deferringReferences: deferringReferences) {
      // Task-local values are not available on the vault's thread.
      try Vaults.$current.withValue(vaults) {
        try TransactionScope.with(meant, isNamed: isNamed, body)
      }
    }
  }

  /// Runs `body` as one transaction of a vault that is committed if `body` returns `true`.
  ///
  /// The transaction is rolled back if `body` returns `false` or throws.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - deferringReferences: Whether objects may refer to others that are stored later in the
  ///     transaction.
  ///   - body: A closure that runs inside the transaction.
  /// - Returns: The return value of `body`.
  /// - Throws: The errors of `Vault.attempt`.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
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

  /// Runs `body` as a read transaction of the class's vault, or of another one.
  ///
  /// Every read of the vault on this thread returns data of the same state.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - body: A closure that runs inside the transaction.
  /// - Returns: The return value of `body`.
  /// - Throws: The errors of `Vault.read`.
  @available(*, noasync, message: "Call it with 'await'.")
  @discardableResult
  public static func read<R>(
    in source: (any VaultSource)? = nil, _ body: () throws -> R
  ) throws -> R {
    let meant = try MeantVault(of: Self.self, source)
    return try meant.vault.read {
      try TransactionScope.with(meant, isNamed: source != nil, body)
    }
  }

  /// Runs `body` as a read transaction on a thread of the vault without blocking the caller's
  /// thread.
  ///
  /// `body` is synchronous.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - body: A closure that runs inside the transaction.
  /// - Returns: The return value of `body`.
  /// - Throws: The errors of `Vault.read`.
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
