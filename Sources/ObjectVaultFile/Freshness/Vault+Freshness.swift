import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

extension Vault {
  /// Returns the number of transactions committed since the first call, by any handle in any
  /// process.
  ///
  /// The first call starts the count, which is itself a commit. From then on every transaction of
  /// this library that changes something increments the number, also if it changes only the schema.
  /// If you store the number elsewhere, you can detect a file that was restored from an older copy,
  /// although all its pages are authentic: see
  /// ``verify(expectingCommitCount:progress:)-(_,(RekeyProgress)->Void)``. Changes by other programs
  /// are not counted.
  ///
  /// - Returns: The number at the last commit; in a read scope, at the beginning of the scope.
  /// - Throws: ``VaultError``: `.invalidArgument` inside a transaction and for a file of another
  ///   program, `.readOnly` if counting has not begun and the vault is read-only.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func commitCount() throws -> Int {
    let file = try file()
    if file.sessions.isInTransaction {
      throw VaultError(
        .invalidArgument,
        "The commit count of '\(path)' is not final inside one of its own transactions. Read it "
          + "after the commit.")
    }
    if let count = try file.read({ try SystemTables($0).commitCount }) { return count }
    if file.isReadOnly {
      throw VaultError(
        .readOnly,
        "'\(path)' does not count its commits yet, and it is open for reading only. Read the count "
          + "once with a vault that is open for writing.")
    }
    return try file.transaction { session in
      // Another process may have started the count.
      if let count = try SystemTables(session).commitCount { return count }
      guard try Schema(on: session).hasTable("objectvault_info") else {
        throw VaultError(
          .invalidArgument,
          "'\(path)' was created by another program, and only vaults count commits. Request the "
            + "store of a class first, which makes the file a vault.")
      }
      try CommitCounter.begin(on: session)
      // This transaction is the first one counted.
      return 1
    }
  }
}

extension SystemTables {
  /// The number of committed transactions; `nil` if the file does not count them.
  var commitCount: Int? { get throws { try value(CommitCounter.key).flatMap { Int($0) } } }
}
