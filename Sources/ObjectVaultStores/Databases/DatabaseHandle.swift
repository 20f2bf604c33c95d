package import ObjectVaultDriver
import ObjectVaultSession
import Synchronization

/// The process-wide state of a database: whether it is open, and its event handlers.
///
/// Only the library creates handles and uses them. A database keeps the same one all its life.
///
/// ```swift
/// let isSame = store.database.handle === vault.handle
/// ```
public final class DatabaseHandle: Sendable {
  /// The life cycle of a handle.
  enum State {
    case unused
    /// Opened by a thread that upgrades it to the schema; other threads wait until that is done.
    case upgrading(any OpenDatabase, by: ThreadID)
    case open(any OpenDatabase)
    case closed
    case removed
  }

  /// The place of the database: the path of a file, or a unique name in memory.
  package let location: String
  /// The settings that stores need.
  let options: DatabaseOptions
  /// The recorded queries, if the options request them.
  let queryNotes: QueryNotes?
  /// Whether statements of queries are recorded, or logged if they are slow.
  let measuresStatements: Bool
  package let events = EventCenter()
  private let state = Locked(State.unused)
  /// The sessions of the open file.
  ///
  /// They are withdrawn while the file is not open for all threads. In memory, where all reads use
  /// the session that writes, they are never published.
  private let sessions = PublishedReference<SessionPool>()

  package init(location: String, options: DatabaseOptions) {
    self.location = location
    self.options = options
    queryNotes = options.recordsQueries ? QueryNotes() : nil
    measuresStatements = options.recordsQueries || options.slowQueryThreshold != nil
  }

  /// The open database if it is open for all threads; reading this does not open it.
  package var openDatabase: (any OpenDatabase)? {
    state.withLock { if case .open(let opened) = $0 { opened } else { nil } }
  }

  /// Returns whether the handle is open for all threads on the file with these sessions.
  func isOpen(on pool: SessionPool) -> Bool { sessions.mark == pool.mark }

  /// Returns the file if it is open for the calling thread; `nil` if it was not opened yet.
  ///
  /// - Throws: `.closed`, and `.invalidated` after the file was removed.
  package func current() throws(VaultError) -> (any OpenDatabase)? {
    try state.withLock { state throws(VaultError) -> (any OpenDatabase)? in
      switch state {
      case .unused: return nil
      case .open(let opened):
        try opened.sessions.checkProcess()
        return opened
      case .upgrading(let opened, let thread):
        try opened.sessions.checkProcess()
        return thread == .current ? opened : nil
      case .closed:
        throw VaultError(
          .closed, "The vault '\(location)' was closed. Create a new handle to use it again.")
      case .removed: throw .vaultRemoved(location)
      }
    }
  }

  /// Reserves the file for the calling thread, which upgrades it to its schema.
  package func beginUpgrade(of opened: any OpenDatabase) {
    state.withLock { if case .unused = $0 { $0 = .upgrading(opened, by: .current) } }
  }

  /// Reverses ``beginUpgrade(of:)``.
  package func endUpgrade() {
    state.withLock { if case .upgrading = $0 { $0 = .unused } }
  }

  /// Opens the file for all threads, unless a close or a removal came first.
  package func becomeOpen(_ opened: any OpenDatabase) {
    state.withLock { state in
      guard case .unused = state else { return }
      state = .open(opened)
      if !opened.isInMemory {
        sessions.publish(opened.sessions)
      }
      opened.addListener(events)
    }
  }

  /// The event that ended the handle; `nil` if it was neither closed nor removed.
  package var end: VaultEvent? {
    state.withLock { state in
      switch state {
      case .closed: .closed
      case .removed: .removed
      case .unused, .upgrading, .open: nil
      }
    }
  }

  /// Closes the handle for all threads.
  ///
  /// The file closes with its last handle, before any event is posted.
  ///
  /// - Returns: Whether the handle was not closed or removed before.
  package func becomeClosed() -> Bool { leave(for: .closed) != nil }

  /// Marks the file as removed.
  ///
  /// - Returns: Whether it was not marked before; the caller then posts `.removed`.
  package func becomeRemoved() -> Bool { leave(for: .removed) != nil }

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
    if case .open(let opened) = left { opened.sessions.readers.keepWhileUsed(opened) }
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

extension VaultError {
  /// Returns the error for a use of a handle on a removed vault.
  static func vaultRemoved(_ path: String) -> VaultError {
    VaultError(
      .invalidated,
      "The vault '\(path)' was removed after this handle was created. Create a new handle.")
  }
}
