import ObjectVaultEngine
import Synchronization

// The end of the file, and another one in its place.

extension VaultFile {
  // MARK: Removal

  /// Makes every use from now on fail, waits for those in progress, and closes the connections.
  ///
  /// A thread that is reading itself does not wait for the other readers, which may be waiting for
  /// it; they go on with the file they have open until their call ends.
  func invalidate() throws {
    try checkProcess()
    if gate.isHeldByCurrentThread {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be removed inside one of its own transactions. End the transaction first."
      )
    }
    try closeWriter()
    // Outside the gate: a reader may be waiting to write.
    readers.close()
    tables.withLock { $0.invalidateAll() }
  }

  private func closeWriter() throws(VaultError) {
    try enter()
    defer { gate.leave() }
    removed.store(true, ordering: .releasing)
    writerConnection = nil
  }

  /// Writes down that no keyring older than this may open the vault.
  func noteKeyring(generation: UInt64) throws {
    try transaction { try SystemTables($0).noteKeyring(generation: generation) }
  }

  // MARK: Replacement

  /// Calls `body` with what connections are made from.
  ///
  /// - Throws: `.invalidArgument` in memory.
  func withOpened<R>(_ body: (OpenedFile) throws -> R) throws -> R {
    try checkUsable()
    guard let opened else { throw VaultError.inMemory(path) }
    return try mappingErrors {
      try Self.checkPath(path, leadsTo: opened.held.identity)
      return try body(opened)
    }
  }

  /// Has another file take the place of this one; every handle on it goes on with the new one.
  ///
  /// - Parameters:
  ///   - what: What is being done, for errors: "rekeyed".
  ///   - rewriting: What makes the new file of the one that is open.
  func replaceFile(
    _ what: String, _ rewriting: (OpenedFile) throws -> FileRewriting
  ) throws {
    if isReadOnly {
      throw VaultError(
        .readOnly,
        "'\(path)' is open for reading only. Open it without `isReadOnly` to have it \(what).")
    }
    if isInTransaction || isInScope {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be \(what) inside one of its own transactions or read scopes.")
    }
    try mappingErrors {
      // Who opens a handle meanwhile must find this file, and not open the new one as another. Taken
      // before the writer lock: who opens a handle may be about to write.
      try HandleRegistry.whileOpening(path) {
        try enter()
        defer { gate.leave() }
        try checkUsable()
        guard let identity else { throw VaultError.inMemory(path) }
        try Self.checkPath(path, leadsTo: identity)
        let files = HandleRegistry.files(with: identity)
        try Self.whileSuspended(files[...]) {
          writerConnection = nil
          var rewriting = try withOpened(rewriting)
          var taken: [OpenedFile] = []
          var isReplaced = false
          // Opened before it has its place: from then on nothing may fail any more.
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
        // The write-ahead log comes back; where it does not now, it does at the next open.
        try? SystemTables(writer()).continueWriteAheadLog()
      }
    }
  }

  /// Calls `body` while none of the files has a connection that reads.
  private static func whileSuspended<R>(
    _ files: ArraySlice<VaultFile>, _ body: () throws -> R
  ) throws -> R {
    guard let file = files.first else { return try body() }
    try file.readers.suspend(within: file.settings.busyTimeout)
    defer { file.readers.resume() }
    return try whileSuspended(files.dropFirst(), body)
  }

  private func open(_ made: FileRewriting.Made) throws -> OpenedFile {
    let (held, _) = try HeldFile.acquire(made.path, readOnly: isReadOnly, creating: false)
    return OpenedFile(
      held: held, cipher: made.key.cipher, key: made.key.key, keyring: made.key.keyring)
  }

  /// Goes on with the file that took the place of the one open until now.
  private func take(_ taken: OpenedFile) {
    HandleRegistry.remove(self)
    let old = openedFile.withLock { opened in
      defer { opened = taken }
      return opened
    }
    HandleRegistry.add(self)
    old?.close()
  }
}
