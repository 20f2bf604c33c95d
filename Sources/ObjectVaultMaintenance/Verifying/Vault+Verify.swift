import ObjectVaultDriver
public import ObjectVaultFile
import ObjectVaultSession
import ObjectVaultStores

extension Vault {
  /// Verifies the whole file in its present state.
  ///
  /// ``DatabaseFile/verify(expectingCommitCount:progress:)`` describes the checks. Reading and writing
  /// can continue during the verification.
  ///
  /// - Parameters:
  ///   - expectedCounter: The number of commits that the caller knows of. The report states whether
  ///     the file has fewer.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The report, which contains all problems of the file.
  /// - Throws: ``VaultError``: `.invalidArgument` inside a transaction, and the errors of opening
  ///   the file.
  public func verify(
    expectingCommitCount expectedCounter: Int? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> VerificationReport {
    let file = try file()
    if file.sessions.isInTransaction {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be verified inside one of its own transactions. End the transaction first."
      )
    }
    try progress(.beginning)
    return try file.readScope {
      try file.read { session in
        try file.withOpened { opened in
          let examined = ExaminedDatabase(
            held: opened.held, encryption: FileEncryption(opened.cipher),
            keyring: opened.keyring, reader: session.engine)
          return try Verification(
            path: path, examined: examined, expectedCounter: expectedCounter, progress: progress
          ).run()
        }
      }
    }
  }

  /// Verifies the whole file without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - expectedCounter: The number of commits that the caller knows of. The report states whether
  ///     the file has fewer.
  ///   - progress: Receives the progress.
  /// - Returns: The report, which contains all problems of the file.
  /// - Throws: The errors of ``verify(expectingCommitCount:progress:)-(_,(RekeyProgress)->Void)``, and
  ///   `.cancelled`.
  public func verify(
    expectingCommitCount expectedCounter: Int? = nil,
    progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws -> VerificationReport {
    try await onExecutor(.read) {
      try self.verify(expectingCommitCount: expectedCounter, progress: progress)
    }
  }
}
