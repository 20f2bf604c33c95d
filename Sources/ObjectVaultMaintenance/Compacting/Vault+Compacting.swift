import ObjectVaultDriver
import ObjectVaultEngine
public import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultSession
import ObjectVaultStores

extension Vault {
  /// Rewrites the file without free pages, so that it is as small as its contents allow.
  ///
  /// Removing objects frees pages, which later objects use; the file itself never becomes smaller.
  /// This method copies the rows into a new file under the same key, which is verified and then
  /// replaces the old one, as ``rekey(to:progress:)-(_,(RekeyProgress)->Void)`` describes. The
  /// folder must have room for the copy. The contents, the cipher format and the page size do not
  /// change; the salt does. A vault with a keyring gets a new data key, and its slots do not change.
  ///
  /// ```swift
  /// let result = try vault.compact()
  /// print("\(result.bytesFreed) bytes freed")
  /// ```
  ///
  /// - Parameter progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The sizes of the file before and after.
  /// - Throws: ``VaultError``: `.invalidArgument` for a vault in memory, and the errors of
  ///   ``rekey(to:progress:)-(_,(RekeyProgress)->Void)``. The file is unchanged then.
  @discardableResult
  public func compact(
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CompactionResult {
    let file = try file()
    if file.isInMemory { throw VaultError.inMemory(path) }
    return try file.measuringSize {
      try file.replaceFile("compacted") {
        try $0.compaction(of: path, configuration, progress)
      }
    }
  }

  /// Rewrites the file without free pages, without blocking the caller's thread.
  ///
  /// If the task is cancelled, the file is unchanged.
  ///
  /// - Parameter progress: Receives the progress.
  /// - Returns: The sizes of the file before and after.
  /// - Throws: The errors of ``compact(progress:)-((RekeyProgress)->Void)``, and `.cancelled`.
  @discardableResult
  public func compact(
    progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws -> CompactionResult {
    try await onExecutor(.write) { try self.compact(progress: progress) }
  }
}

extension VaultFile {
  /// Returns the sizes of the file before and after `body`.
  func measuringSize(_ body: () throws -> Void) throws -> CompactionResult {
    let before = try excludingWriters { try sessions.writerSession().engine.contentSize() }
    try body()
    return CompactionResult(bytesBefore: before, bytesAfter: try withOpened { $0.held.size })
  }
}

extension Connection {
  /// Returns the size of all pages in bytes, including those in a log.
  func contentSize() throws(DriverError) -> Int {
    let counts = [try pragma("page_count"), try pragma("page_size")]
    return counts.compactMap { $0.flatMap { Int($0) } }.reduce(1, *)
  }
}

extension OpenedFile {
  /// Returns the rewriting of the file under the same key.
  func compaction(
    of path: String, _ settings: VaultConfiguration,
    _ progress: @escaping (RekeyProgress) throws -> Void
  ) throws -> FileRewriting {
    try progress(.beginning)
    let newKey: NewFileKey
    let resolved = try key.resolve(besideVault: path)
    if case .keyring(let unlocked) = resolved {
      // The handle does not keep the keyring open.
      newKey = NewFileKey(
        try KeyringNote(
          rotating: unlocked, ofFileWith: cipher.salt, scheme: cipher.scheme,
          pageSize: cipher.pageSize), key: key)
    } else {
      newKey = try NewFileKey(
        sameAs: resolved, forFileAt: path, with: cipher.salt, scheme: cipher.scheme,
        pageSize: cipher.pageSize)
    }
    return FileRewriting(
      source: source(path), newKey: newKey, place: .ofSource, settings: settings,
      progress: progress, isCompacting: true)
  }
}
