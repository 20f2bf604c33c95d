import Foundation

/// Every vault handle of the process, by path, and every file that is open, by identity.
enum HandleRegistry {
  private struct FileKey: Hashable {
    var identity: HeldFile.Identity
    var isReadOnly: Bool
  }

  private static let handles = Locked<[String: [VaultHandle]]>([:])
  // Entries go by identifier: to ask whether an object still lives could make this table, which is
  // locked then, its last owner.
  private static let files = Locked<[FileKey: WeakReference<VaultFile>]>([:])

  // MARK: Handles

  static func add(_ handle: VaultHandle) {
    handles.withLock { $0[handle.path, default: []].append(handle) }
  }

  /// Forgets the handle of a vault that goes, which still holds it.
  static func remove(_ handle: VaultHandle) {
    handles.withLock { handles in
      handles[handle.path]?.removeAll { $0 === handle }
      if handles[handle.path]?.isEmpty == true { handles[handle.path] = nil }
    }
  }

  /// The handles that were made for the path and still live.
  static func handles(at path: String) -> [VaultHandle] { handles.withLock { $0[path] ?? [] } }

  // MARK: Files

  /// The open file at the path, if one of this process has it open.
  static func file(at path: String, isReadOnly: Bool) -> VaultFile? {
    guard files.withLock({ !$0.isEmpty }), let identity = HeldFile.Identity(path: path) else {
      return nil
    }
    let file = files.withLock {
      $0[FileKey(identity: identity, isReadOnly: isReadOnly)]?.object
    }
    return file?.isRemoved == true ? nil : file
  }

  /// The open files of this identity, for writing and for reading only, but for removed ones.
  static func files(with identity: HeldFile.Identity) -> [VaultFile] {
    let found = files.withLock { files in
      [false, true].compactMap {
        files[FileKey(identity: identity, isReadOnly: $0)]?.object
      }
    }
    return found.filter { !$0.isRemoved }
  }

  static func add(_ file: VaultFile) {
    guard let identity = file.identity else { return }
    let key = FileKey(identity: identity, isReadOnly: file.isReadOnly)
    files.withLock { $0[key] = WeakReference(file) }
  }

  /// Forgets a file that closes.
  static func remove(_ file: VaultFile) {
    guard let identity = file.identity else { return }
    let key = FileKey(identity: identity, isReadOnly: file.isReadOnly)
    let id = ObjectIdentifier(file)
    files.withLock { if $0[key]?.id == id { $0[key] = nil } }
  }

  // MARK: Opening

  private static let opening = Locked<[String: OpeningLock]>([:])

  /// Calls `body` while no other thread opens or replaces the file at the path: the second handle finds
  /// what the first one opened.
  ///
  /// - Parameter mayWait: Whether the thread may wait for another one that opens the file.
  /// - Throws: What `body` throws; `.deadlock` if waiting could never end, or may not begin; `.cancelled`
  ///   if the operation that the thread runs is cancelled while it waits.
  static func whileOpening<R>(
    _ path: String, mayWait: Bool = true, _ body: () throws -> R
  ) throws -> R {
    let lock = opening.withLock { opening in
      let lock = opening[path] ?? OpeningLock(path: path)
      opening[path] = lock
      lock.users += 1
      return lock
    }
    defer {
      opening.withLock { opening in
        lock.users -= 1
        if lock.users == 0 { opening[path] = nil }
      }
    }
    try lock.acquire(mayWait: mayWait)
    defer { lock.release() }
    return try body()
  }
}

/// The right to open or replace the file at one path.
private final class OpeningLock: WaitResource, @unchecked Sendable {
  private let path: String
  private let freed = Monitor.Signal(WaitGraph.monitor)
  /// Changed only inside the monitor of the wait graph.
  private var holder: ThreadID?
  /// Changed only while the registry's table of locks is locked.
  var users = 0

  init(path: String) {
    self.path = path
  }

  var waitName: String { "the opening of '\(path)'" }
  var waitHolders: [ThreadID] { holder.map { [$0] } ?? [] }

  func acquire(mayWait: Bool) throws(VaultError) {
    let current = ThreadID.current
    try WaitGraph.wait(for: self, on: freed) { () throws(VaultError) -> Bool in
      if holder == current {
        throw VaultError(
          .deadlock,
          "'\(path)' was used while this thread opens it, which would wait for itself. A key source "
            + "cannot use the vault that it opens.")
      }
      guard holder == nil else {
        guard mayWait else {
          throw VaultError(
            .deadlock,
            "Another thread is opening '\(path)' and may be waiting for the transaction that this thread "
              + "is in. Open handles with a schema before the transaction begins, or try again.")
        }
        return false
      }
      holder = current
      return true
    }
    ThreadRecord.current.openingsHeld += 1
  }

  func release() {
    ThreadRecord.current.openingsHeld -= 1
    WaitGraph.monitor.withLock {
      holder = nil
      freed.wakeOne()
    }
  }
}
