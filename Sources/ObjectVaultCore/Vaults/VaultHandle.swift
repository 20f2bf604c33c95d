import ObjectVaultKeys
import Synchronization

/// What the process knows of a vault beside the program that made it: whether its file is open, and who
/// hears of it.
///
/// The registry of all handles keeps these and not the vaults: an object that others refer to weakly
/// counts its references more slowly from then on, and a vault is referred to by each read.
final class VaultHandle: Sendable {
  /// What a vault may be.
  enum State {
    case unused
    /// Opened by a thread that brings it to its schema; nobody else uses it until that is done.
    case upgrading(VaultFile, by: ThreadID)
    case open(VaultFile)
    case closed
    case removed
  }

  let path: String
  let events = EventCenter()
  private let state = Locked(State.unused)
  /// The mark of the open file's readers, which is where they are; 0 where the file is not open for
  /// everybody, and in memory, where all read by the connection that writes.
  private let readersMark = Atomic<UInt>(0)
  /// Those readers, from then on: who finds the mark may use them, whether the file was closed or not.
  private let readers = MadeOnce<ReaderPool>()

  init(path: String) {
    self.path = path
  }

  /// The file if it is open for everybody, without opening it.
  var openFile: VaultFile? { state.withLock { if case .open(let file) = $0 { file } else { nil } } }

  /// Whether the file is open for everybody, and is this one.
  func isOpen(on file: VaultFile) -> Bool {
    readersMark.load(ordering: .acquiring) == file.readers.mark
  }

  /// The file where it is open for the calling thread; `nil` where it was not opened yet.
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
          .closed, "The vault '\(path)' was closed. Make a new handle to use it again.")
      case .removed: throw .vaultRemoved(path)
      }
    }
  }

  /// Lets the thread alone use the file, which is brought to its schema.
  func beginUpgrade(of file: VaultFile) {
    state.withLock { if case .unused = $0 { $0 = .upgrading(file, by: .current) } }
  }

  /// Undoes what ``beginUpgrade(of:)`` did.
  func endUpgrade() {
    state.withLock { if case .upgrading = $0 { $0 = .unused } }
  }

  /// The file is open for everybody, unless a close or a removal came first.
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

  /// Nobody can use the handle any more.
  ///
  /// - Returns: Whether that is news. The file closes with the last of its handles, and before
  ///   anybody hears of it.
  func becomeClosed() -> Bool { leave(for: .closed) != nil }

  /// The file was removed.
  ///
  /// - Returns: Whether that is news: then `.removed` is to be posted.
  func becomeRemoved() -> Bool { leave(for: .removed) != nil }

  /// What comes out of the state is released by the caller: a file closes outside the lock.
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

  /// The connection of the read scope that the calling thread is in, where that is all that a read needs:
  /// the scope saw to everything else, and keeps the file.
  @inline(__always)
  func scopeConnection(_ record: ThreadRecord) -> Unmanaged<VaultConnection>? {
    record.scopeConnection(of: readersMark.load(ordering: .acquiring))
  }

  /// Calls `body` with a connection for one read, which has nothing to look at but the file.
  ///
  /// - Returns: `nil` where the file is not open for everybody: ``current()`` says more.
  @inline(__always)
  func readAlone<R>(
    _ record: ThreadRecord, _ body: (VaultConnection) throws -> R
  ) throws -> R? {
    let mark = readersMark.load(ordering: .acquiring)
    guard let readers = UnsafeRawPointer(bitPattern: mark) else { return nil }
    return try Unmanaged<ReaderPool>.fromOpaque(readers)._withUnsafeGuaranteedRef {
      // A forked child would wait for connections that its parent's threads use.
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
