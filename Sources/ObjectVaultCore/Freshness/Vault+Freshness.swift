extension Vault {
  /// How many transactions were committed since this was called first: by any handle, in any process.
  ///
  /// The first call begins to count, which is a commit itself. From then on every transaction of this
  /// library that changes something raises the number by one, as part of itself. Whoever keeps the
  /// number elsewhere notices a file that was put back from an older copy, whose pages are all
  /// authentic: see ``verify(expectingCounter:progress:)-(_,(RekeyProgress)->Void)``. A file that was
  /// changed by other programs does not tell.
  ///
  /// - Returns: The number as of the last commit; in a read scope, as of its beginning.
  /// - Throws: ``VaultError``: `.invalidArgument` inside a transaction and for a file of another
  ///   program's, `.readOnly` where nobody counts yet and the vault is open for reading only.
  public func freshness() throws -> Int {
    let file = try file()
    if file.isInTransaction {
      throw VaultError(
        .invalidArgument,
        "What '\(path)' counts is not settled inside one of its own transactions. Ask after the commit."
      )
    }
    if let count = try file.read({ try SystemTables($0).commitCount }) { return count }
    if file.isReadOnly {
      throw VaultError(
        .readOnly,
        "Nobody counts the commits of '\(path)' yet, and it is open for reading only. Ask once with a "
          + "vault that may write.")
    }
    return try file.transaction { connection in
      // Another process may have been faster.
      if let count = try SystemTables(connection).commitCount { return count }
      guard try Schema(on: connection).hasTable("objectvault_info") else {
        throw VaultError(
          .invalidArgument,
          "'\(path)' was made by another program, and commits are counted in vaults only. Ask for a "
            + "store of a class first, which makes it one.")
      }
      try CommitCounter.begin(on: connection)
      // This transaction is the first that is counted.
      return 1
    }
  }

  /// How many transactions were committed, without blocking the caller's thread; see
  /// ``freshness()-()->Int``.
  public func freshness() async throws -> Int {
    try await onLane(.write) { try self.freshness() }
  }
}

extension SystemTables {
  /// How many transactions were committed; `nil` where nobody counts.
  var commitCount: Int? { get throws { try value(CommitCounter.key).flatMap { Int($0) } } }
}
