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
  private static let opening = Locked<[String: OpeningLock]>([:])

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

  /// One opening at a time for each path: the second handle finds what the first one opened.
  private final class OpeningLock: @unchecked Sendable {
    let lock = NSLock()
    /// Changed only while the table of locks is locked.
    var users = 0
    /// Changed only while the table of locks is locked.
    var holder: ThreadID?
  }

  /// - Throws: what `body` throws; `.deadlock` when the thread is opening the path already: a key
  ///   source that uses the vault it is to open.
  static func whileOpening<R>(_ path: String, _ body: () throws -> R) throws -> R {
    let current = ThreadID.current
    if opening.withLock({ $0[path]?.holder == current }) {
      throw VaultError(
        .deadlock,
        "'\(path)' was used while this thread opens it, which would wait for itself. A key source "
          + "cannot use the vault that it opens.")
    }
    let lock = opening.withLock { opening in
      let lock = opening[path] ?? OpeningLock()
      opening[path] = lock
      lock.users += 1
      return lock
    }
    lock.lock.lock()
    opening.withLock { _ in lock.holder = current }
    defer {
      opening.withLock { _ in lock.holder = nil }
      lock.lock.unlock()
      opening.withLock { opening in
        lock.users -= 1
        if lock.users == 0 { opening[path] = nil }
      }
    }
    return try body()
  }
}
