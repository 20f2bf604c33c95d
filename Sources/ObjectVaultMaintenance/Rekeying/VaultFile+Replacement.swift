import ObjectVaultDriver
import ObjectVaultFile
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores
import Synchronization

// Removing the file, and replacing it with another one.

extension VaultFile {
  // MARK: Removal

  /// Makes every later use fail, waits for operations in progress, and closes the connections.
  ///
  /// A thread that is reading does not wait for other readers, which may be waiting for it. Those
  /// continue with the open file until their call ends.
  func invalidate() throws {
    try sessions.checkProcess()
    if sessions.writerLock.isHeldByCurrentThread {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be removed inside one of its own transactions. End the transaction first."
      )
    }
    try excludingWriters {
      sessions.becomeRemoved()
      sessions.writer = nil
    }
    // Not under the writer lock: a reader may be waiting to write.
    sessions.readers.close()
    invalidateTables()
  }

  /// Records in the file that no older generation of the keyring may open the vault.
  func noteKeyring(generation: UInt64) throws {
    try transaction { try SystemTables($0).noteKeyring(generation: generation) }
  }

  // MARK: Replacement

  /// Calls `body` with the open database file and its cipher.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: `.invalidArgument` in memory; the error of `body`.
  func withOpened<R>(_ body: (OpenedFile) throws -> R) throws -> R {
    try sessions.checkUsable()
    guard let opened else { throw VaultError.inMemory(path) }
    return try describingErrors {
      try Self.checkPath(path, leadsTo: opened.held.identity)
      return try body(opened)
    }
  }

  /// Replaces this file with another one; every handle on it continues with the new file.
  ///
  /// - Parameters:
  ///   - what: The operation in the past participle, for errors: "rekeyed".
  ///   - rewriting: Returns the rewriting that creates the new file from the open one.
  /// - Throws: `.readOnly`; `.invalidArgument` inside a transaction or read scope; the error of
  ///   `rewriting`.
  func replaceFile(
    _ what: String, _ rewriting: (OpenedFile) throws -> FileRewriting
  ) throws {
    if isReadOnly {
      throw VaultError(
        .readOnly,
        "'\(path)' is open for reading only and cannot be \(what). Open it without `isReadOnly`.")
    }
    if sessions.isInScope {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be \(what) inside one of its own transactions or read scopes. End them "
          + "first.")
    }
    try describingErrors {
      // A handle opened in the meantime must find this file, and not open the new one as another.
      // This lock comes before the writer lock because a thread that opens a handle may be about to
      // write.
      try HandleRegistry.whileOpening(path) {
        try excludingWriters { try replaceFileAlone(rewriting) }
      }
    }
  }

  /// Replaces this file, which this thread is opening, as ``replaceFile(_:_:)`` does.
  func replaceFileWhileOpening(_ rewriting: (OpenedFile) throws -> FileRewriting) throws {
    try describingErrors { try excludingWriters { try replaceFileAlone(rewriting) } }
  }

  private func replaceFileAlone(_ rewriting: (OpenedFile) throws -> FileRewriting) throws {
    try sessions.checkUsable()
    guard let identity else { throw VaultError.inMemory(path) }
    try Self.checkPath(path, leadsTo: identity)
    let files = HandleRegistry.files(with: identity)
    try Self.whileSuspended(files[...]) {
      sessions.writer = nil
      var rewriting = try withOpened(rewriting)
      var taken: [OpenedFile] = []
      var isReplaced = false
      // Open the new file before it is moved into place: after that nothing may fail.
      rewriting.beforeReplacing = { made in
        for file in files { taken.append(try file.open(made)) }
      }
      rewriting.afterReplacing = { isReplaced = true }
      let result = Result { try rewriting.run() }
      for (file, opened) in zip(files, taken) {
        if isReplaced { file.take(opened) } else { opened.close() }
      }
      try result.get()
    }
    // Return to write-ahead logging. If this fails now, the next opening does it.
    try? SystemTables(sessions.writerSession()).continueWriteAheadLog()
  }

  /// Calls `body` while none of the files has a reader connection.
  private static func whileSuspended<R>(
    _ files: ArraySlice<VaultFile>, _ body: () throws -> R
  ) throws -> R {
    guard let file = files.first else { return try body() }
    try file.sessions.readers.suspend(within: file.settings.busyTimeout)
    defer { file.sessions.readers.resume() }
    return try whileSuspended(files.dropFirst(), body)
  }

  private func open(_ made: FileRewriting.Made) throws -> OpenedFile {
    let (held, _) = try HeldFile.acquire(made.path, readOnly: isReadOnly, creating: false)
    return OpenedFile(
      held: held, cipher: made.key.cipher, key: made.key.key, keyring: try made.key.keyring())
  }

  /// Continues with the file that replaced the open one.
  private func take(_ taken: OpenedFile) {
    HandleRegistry.remove(self, with: identity)
    let old = openedFile.withLock { opened in
      defer { opened = taken }
      return opened
    }
    HandleRegistry.add(self)
    renewSealer()
    old?.close()
  }
}
