extension Vault {
  /// Checks the whole file as it is at this moment; see
  /// ``DatabaseFile/verify(expectingCounter:progress:)``. Reading and writing go on meanwhile.
  ///
  /// - Parameters:
  ///   - expectedCounter: The commits that the caller knows of; the report says whether the file has
  ///     fewer.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Throws: ``VaultError``: `.invalidArgument` inside a transaction, and what opening the file
  ///   throws. What is wrong with the file is in the report.
  public func verify(
    expectingCounter expectedCounter: Int? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> VerificationReport {
    let file = try file()
    if file.isInTransaction {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be verified inside one of its own transactions. End the transaction first."
      )
    }
    try progress(.beginning)
    return try file.readScope {
      try file.read { connection in
        try file.withOpened { opened in
          let examined = ExaminedDatabase(
            held: opened.held, encryption: FileEncryption(opened.cipher),
            keyring: opened.keyring, reader: connection.engine)
          return try Verification(
            path, examined, expectedCounter: expectedCounter, progress: progress
          ).run()
        }
      }
    }
  }

  /// Checks the whole file without blocking the caller's thread; see
  /// ``verify(expectingCounter:progress:)-(_,(RekeyProgress)->Void)``.
  public func verify(
    expectingCounter expectedCounter: Int? = nil,
    progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws -> VerificationReport {
    try await onLane(.read) {
      try self.verify(expectingCounter: expectedCounter, progress: progress)
    }
  }
}
