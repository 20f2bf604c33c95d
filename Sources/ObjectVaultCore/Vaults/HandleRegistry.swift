import Foundation
import Synchronization

/// Every vault handle of the process, by path, and every file that is open, by identity.
enum HandleRegistry {
  private struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
  }

  private struct FileKey: Hashable {
    var identity: HeldFile.Identity
    var isReadOnly: Bool
  }

  private static let handles = Mutex<[String: [Weak<Vault>]]>([:])
  private static let files = Mutex<[FileKey: Weak<VaultFile>]>([:])
  private static let opening = Mutex<[String: OpeningLock]>([:])

  // MARK: Handles

  static func add(_ vault: Vault) {
    handles.withLock { handles in
      handles[vault.path, default: []].removeAll { $0.object == nil }
      handles[vault.path, default: []].append(Weak(object: vault))
    }
  }

  static func remove(path: String) {
    handles.withLock { handles in
      handles[path]?.removeAll { $0.object == nil }
      if handles[path]?.isEmpty == true { handles[path] = nil }
    }
  }

  /// The handles that were made for the path and still live.
  static func handles(at path: String) -> [Vault] {
    handles.withLock { $0[path]?.compactMap(\.object) ?? [] }
  }

  // MARK: Files

  /// The open file at the path, if one of this process has it open.
  static func file(at path: String, isReadOnly: Bool) -> VaultFile? {
    guard let identity = HeldFile.Identity(path: path) else { return nil }
    return files.withLock { $0[FileKey(identity: identity, isReadOnly: isReadOnly)]?.object }
  }

  /// The open files of this identity, for writing and for reading only.
  static func files(with identity: HeldFile.Identity) -> [VaultFile] {
    files.withLock { files in
      [false, true].compactMap {
        files[FileKey(identity: identity, isReadOnly: $0)]?.object
      }
    }
  }

  static func add(_ file: VaultFile) {
    files.withLock { files in
      files = files.filter { $0.value.object != nil }
      files[FileKey(identity: file.identity, isReadOnly: file.isReadOnly)] = Weak(object: file)
    }
  }

  /// One opening at a time for each path: the second handle finds what the first one opened.
  private final class OpeningLock: @unchecked Sendable {
    let lock = NSLock()
    /// Changed only while the table of locks is locked.
    var users = 0
  }

  static func whileOpening<R>(_ path: String, _ body: () throws -> R) rethrows -> R {
    let lock = opening.withLock { opening in
      let lock = opening[path] ?? OpeningLock()
      opening[path] = lock
      lock.users += 1
      return lock
    }
    lock.lock.lock()
    defer {
      lock.lock.unlock()
      opening.withLock { opening in
        lock.users -= 1
        if lock.users == 0 { opening[path] = nil }
      }
    }
    return try body()
  }
}
