import Foundation
package import ObjectVaultDriver
import ObjectVaultSession
package import ObjectVaultStores

/// The registry of all handles of the process, by path, and of all open files, by identity.
package enum HandleRegistry {
  private struct FileKey: Hashable {
    var identity: HeldFile.Identity
    var isReadOnly: Bool
  }

  private static let handles = Locked<[String: [DatabaseHandle]]>([:])
  // Entries are compared by identifier. Loading a weak reference to test for life could make this
  // locked table the last owner of the object.
  private static let files = Locked<[FileKey: OpenFile]>([:])

  /// An open file.
  private struct OpenFile {
    let file: WeakReference<VaultFile>
    /// The path at which it was opened.
    let path: String
  }

  // MARK: Handles

  static func add(_ handle: DatabaseHandle) {
    handles.withLock { $0[handle.location, default: []].append(handle) }
  }

  /// Removes the handle of a vault that is being deallocated and still holds it.
  static func remove(_ handle: DatabaseHandle) {
    handles.withLock { handles in
      handles[handle.location]?.removeAll { $0 === handle }
      if handles[handle.location]?.isEmpty == true { handles[handle.location] = nil }
    }
  }

  /// Returns the live handles that were created for the path.
  package static func handles(at path: String) -> [DatabaseHandle] {
    handles.withLock { $0[path] ?? [] }
  }

  // MARK: Files

  /// Returns the open file at the path, if this process has it open.
  package static func file(at path: String, isReadOnly: Bool) -> VaultFile? {
    guard files.withLock({ !$0.isEmpty }), let identity = HeldFile.Identity(path: path) else {
      return nil
    }
    let file = files.withLock {
      $0[FileKey(identity: identity, isReadOnly: isReadOnly)]?.file.object
    }
    return file?.sessions.isRemoved == true ? nil : file
  }

  /// Returns the open files with this identity, both writable and read-only, except removed ones.
  package static func files(with identity: HeldFile.Identity) -> [VaultFile] {
    let found = files.withLock { files in
      [false, true].compactMap {
        files[FileKey(identity: identity, isReadOnly: $0)]?.file.object
      }
    }
    return found.filter { !$0.sessions.isRemoved }
  }

  /// Checks that this process does not have a file open that was at the path before.
  ///
  /// The engine finds the log and its index by the path, so both files would use the same ones.
  ///
  /// - Throws: `.busy` if it does, or is still closing it.
  package static func checkNoneReplaced(at path: String) throws(VaultError) {
    let identity = HeldFile.Identity(path: path)
    // The references leave the lock, because the last one of a file must not be released inside.
    let others = files.withLock { files in
      files.filter { $0.value.path == path && $0.key.identity != identity }
        .map { $0.value.file.object }
    }
    // Without an object, the file is closing.
    guard others.contains(where: { $0?.sessions.isRemoved != true }) else { return }
    throw VaultError(
      .busy,
      "'\(path)' was removed or replaced by another file, and this process still has the former "
        + "file open. Close all vaults and end all iterations of it, and open the vault again.")
  }

  package static func add(_ file: VaultFile) {
    guard let identity = file.identity else { return }
    let key = FileKey(identity: identity, isReadOnly: file.isReadOnly)
    files.withLock { $0[key] = OpenFile(file: WeakReference(file), path: file.path) }
  }

  /// Removes a file that is closed, or is not at its path any more.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - identity: Its identity; `nil` for a vault in memory.
  package static func remove(_ file: VaultFile, with identity: HeldFile.Identity?) {
    guard let identity else { return }
    let key = FileKey(identity: identity, isReadOnly: file.isReadOnly)
    let id = ObjectIdentifier(file)
    files.withLock { if $0[key]?.file.id == id { $0[key] = nil } }
  }

  // MARK: Opening

  private static let opening = Locked<[String: OpeningLock]>([:])

  /// Calls `body` while no other thread opens or replaces the file at the path, so that a second
  /// handle finds the file that the first one opened.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - mayWait: Whether the thread may wait for another one that opens the file.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; `.deadlock` if waiting could never end or is not allowed;
  ///   `.cancelled` if the operation on this thread is cancelled while it waits.
  package static func whileOpening<R>(
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

/// The exclusive right to open or replace the file at one path.
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
          "The key source of '\(path)' uses the vault that it opens, which would wait for itself. "
            + "Read the key from another source.")
      }
      guard holder == nil else {
        guard mayWait else {
          throw VaultError(
            .deadlock,
            "Another thread is opening '\(path)' and may be waiting for this thread's transaction. "
              + "Open handles with a schema before the transaction begins, or try again.")
        }
        return false
      }
      holder = current
      return true
    }
    ThreadState.current.openingsHeld += 1
  }

  func release() {
    ThreadState.current.openingsHeld -= 1
    WaitGraph.monitor.withLock {
      holder = nil
      freed.wakeOne()
    }
  }
}
