import ObjectVaultKeys
import ObjectVaultSession
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
  /// The sessions of the open file.
  ///
  /// They are withdrawn while the file is not open for all threads. In memory, where all reads use
  /// the session that writes, they are never published.
  private let sessions = PublishedReference<SessionPool>()

  init(path: String) {
    self.path = path
  }

  /// The file if it is open for all threads; reading this does not open it.
  var openFile: VaultFile? { state.withLock { if case .open(let file) = $0 { file } else { nil } } }

  /// Returns whether the handle is open for all threads on the file with these sessions.
  func isOpen(on pool: SessionPool) -> Bool { sessions.mark == pool.mark }

  /// Returns the file if it is open for the calling thread; `nil` if it was not opened yet.
  ///
  /// - Throws: `.closed`, and `.invalidated` after the file was removed.
  func current() throws(VaultError) -> VaultFile? {
    try state.withLock { state throws(VaultError) -> VaultFile? in
      switch state {
      case .unused: return nil
      case .open(let file):
        try file.sessions.checkProcess()
        return file
      case .upgrading(let file, let thread):
        try file.sessions.checkProcess()
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
        sessions.publish(file.sessions)
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
        sessions.withdraw()
        state = end
        return before
      }
    }
    if case .open(let file) = left { file.sessions.readers.keepWhileUsed(file) }
    return left
  }

  /// Returns the session of the calling thread's read scope if a read needs nothing else.
  ///
  /// The scope has made all other checks and retains the file.
  @inline(__always)
  func scopeSession(_ thread: ThreadState) -> Unmanaged<Session>? {
    thread.scopeSession(of: sessions.mark)
  }

  /// Calls `body` with a session for one read that requires only the checks of the pool.
  ///
  /// - Returns: The result of `body`; `nil` if the file is not open for all threads, see
  ///   ``current()``.
  @inline(__always)
  func readAlone<R>(_ thread: ThreadState, _ body: (Session) throws -> R) throws -> R? {
    try sessions.withBorrowed { pool -> R? in
      // A forked child would wait for connections that threads of its parent use.
      try pool.checkProcess()
      return try pool.readAlone(thread, while: { sessions.mark != 0 }, body)
    } ?? nil
  }
}
