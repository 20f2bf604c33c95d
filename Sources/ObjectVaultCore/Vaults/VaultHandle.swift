import ObjectVaultKeys
import Synchronization

/// The process-wide state of a vault handle: whether its file is open, and its event handlers.
///
/// The registry stores these objects instead of vaults. Reference counting becomes slower for an
/// object once it has weak references, and every read refers to its vault.
final class VaultHandle: Sendable {
  /// The life cycle of a handle.
  enum State {
    case unused
    /// Opened by a thread that upgrades it to the schema; other threads wait until that is done.
    case upgrading(VaultFile, by: ThreadID)
    case open(VaultFile)
    case closed
    case removed
  }

  let path: String
  let events = EventCenter()
  private let state = Locked(State.unused)
  /// The mark of the open file's reader pool, which is its address.
  ///
  /// It is 0 if the file is not open for all threads, and in memory, where all reads use the writer
  /// connection.
  private let readersMark = Atomic<UInt>(0)
  /// The reader pool for the mark, retained so that it can be used even after the file was closed.
  private let readers = MadeOnce<ReaderPool>()

  init(path: String) {
    self.path = path
  }

  /// The file if it is open for all threads; reading this does not open it.
  var openFile: VaultFile? { state.withLock { if case .open(let file) = $0 { file } else { nil } } }

  /// Returns whether the handle is open for all threads on this file.
  func isOpen(on file: VaultFile) -> Bool {
    readersMark.load(ordering: .acquiring) == file.readers.mark
  }

  /// Returns the file if it is open for the calling thread; `nil` if it was not opened yet.
  ///
  /// - Throws: `.closed`, and `.invalidated` after the file was removed.
  func current() throws(VaultError) -> VaultFile? {
    try state.withLock { state throws(VaultError) -> VaultFile? in
      switch state {
      case .unused: return nil
      case .open(let file):
        try file.checkProcess()
        return file
      case .upgrading(let file, let thread):
        try file.checkProcess()
        return thread == .current ? file : nil
      case .closed:
        throw VaultError(
          .closed, "The vault '\(path)' was closed. Create a new handle to use it again.")
      case .removed: throw .vaultRemoved(path)
      }
    }
  }

  /// Reserves the file for the calling thread, which upgrades it to its schema.
  func beginUpgrade(of file: VaultFile) {
    state.withLock { if case .unused = $0 { $0 = .upgrading(file, by: .current) } }
  }

  /// Reverses ``beginUpgrade(of:)``.
  func endUpgrade() {
    state.withLock { if case .upgrading = $0 { $0 = .unused } }
  }

  /// Opens the file for all threads, unless a close or a removal came first.
  func becomeOpen(_ file: VaultFile) {
    state.withLock { state in
      guard case .unused = state else { return }
      state = .open(file)
      if !file.isInMemory {
        readersMark.store(readers.value(orMake: file.readers).mark, ordering: .releasing)
      }
      file.addListener(events)
    }
  }

  /// Closes the handle for all threads.
  ///
  /// The file closes with its last handle, before any event is posted.
  ///
  /// - Returns: Whether the handle was not closed or removed before.
  func becomeClosed() -> Bool { leave(for: .closed) != nil }

  /// Marks the file as removed.
  ///
  /// - Returns: Whether it was not marked before; the caller then posts `.removed`.
  func becomeRemoved() -> Bool { leave(for: .removed) != nil }

  /// Returns the previous state, which the caller releases, so that a file closes outside the lock.
  private func leave(for end: State) -> State? {
    let left = state.withLock { state -> State? in
      switch (state, end) {
      case (.removed, _), (.closed, .closed): return nil
      default:
        let before = state
        readersMark.store(0, ordering: .releasing)
        state = end
        return before
      }
    }
    if case .open(let file) = left { file.readers.keepWhileUsed(file) }
    return left
  }

  /// Returns the connection of the calling thread's read scope if a read needs nothing else.
  ///
  /// The scope has made all other checks and retains the file.
  @inline(__always)
  func scopeConnection(_ record: ThreadRecord) -> Unmanaged<VaultConnection>? {
    record.scopeConnection(of: readersMark.load(ordering: .acquiring))
  }

  /// Calls `body` with a connection for one read that requires only the checks of the file.
  ///
  /// - Returns: The result of `body`; `nil` if the file is not open for all threads, see
  ///   ``current()``.
  @inline(__always)
  func readAlone<R>(
    _ record: ThreadRecord, _ body: (VaultConnection) throws -> R
  ) throws -> R? {
    let mark = readersMark.load(ordering: .acquiring)
    guard let readers = UnsafeRawPointer(bitPattern: mark) else { return nil }
    return try Unmanaged<ReaderPool>.fromOpaque(readers)._withUnsafeGuaranteedRef {
      // A forked child would wait for connections that threads of its parent use.
      guard $0.process == ProcessNumber.current else { throw VaultError.openedBeforeFork(path) }
      return try $0.withConnection(
        record, while: { readersMark.load(ordering: .acquiring) != 0 },
        { connection, file in
          try file.check(connection)
          return try body(connection)
        })
    }
  }
}
