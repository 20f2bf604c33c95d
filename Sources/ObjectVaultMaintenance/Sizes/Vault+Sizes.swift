import ObjectVaultDriver
public import ObjectVaultFile
import ObjectVaultSession
import ObjectVaultStores

extension Vault {
  /// Returns the sizes of the parts of the file: classes, indexes, blobs and free space.
  ///
  /// Reads and decrypts every page, which takes about as long as ``verify(expectingCommitCount:progress:)-(_,(RekeyProgress)->Void)``.
  /// Reading and writing can continue.
  ///
  /// ```swift
  /// let report = try vault.sizeReport()
  /// print(report.bytes(ofClass: "Student"), report.freeBytes)
  /// ```
  ///
  /// - Returns: The report.
  /// - Throws: ``VaultError``: `.invalidArgument` for a vault in memory and inside a transaction,
  ///   and the errors of opening the file.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func sizeReport() throws -> SizeReport {
    let file = try file()
    if file.sessions.isInTransaction {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be measured inside one of its own transactions. End the transaction first."
      )
    }
    return try file.readScope {
      try file.read { session in
        try file.withOpened { opened in
          let examined = ExaminedDatabase(
            held: opened.held, encryption: FileEncryption(opened.cipher), keyring: opened.keyring,
            reader: session.engine)
          return try SizeReport(try examined.pages(of: path))
        }
      }
    }
  }
}

extension DatabaseFile {
  /// Returns the sizes of the parts of the file: classes, tables, indexes, blobs and free space.
  ///
  /// Nothing is written, and other processes may continue to use the file.
  ///
  /// - Returns: The report.
  /// - Throws: ``VaultError``: the errors of opening the file, such as `.keyringRolledBack`.
  public func sizeReport() throws -> SizeReport {
    try whileExamined({ _ in }) { examined, _ in
      let pages = try examined.pages(of: path)
      if let keyring = examined.keyring {
        try LostClasses.identity(in: pages, StoredSchema(pages)).check(keyring, path: path)
      }
      return try SizeReport(pages)
    }
  }
}
