import Foundation
package import ObjectVaultDriver
import ObjectVaultKeys
import ObjectVaultPlatform

/// The unfinished copy of a database file, `.NAME.copying` in the folder of the original.
///
/// The file is locked by `flock` while it is in use. This distinguishes it from a copy that a
/// terminated process left behind.
package final class CopyInWork {
  package let path: String
  private var descriptor: Int32
  /// The process that locked the file; `nil` without a lock.
  private var locker: Int32?
  /// The identity of the copy, even if another file is at its path by now.
  private var identity: HeldFile.Identity?

  /// Returns the path of the copy of the file at `path`.
  package static func path(for path: String) -> String {
    let name = path.fileName
    return "\(path[..<name.startIndex]).\(name).copying"
  }

  /// Creates an empty copy that only its owner may read.
  ///
  /// - Throws: `.busy` if another process is making a copy; `.invalidArgument` if the name of the
  ///   original is too long.
  package init(of original: String) throws(VaultError) {
    path = Self.path(for: original)
    try FileNameLength.check(path)
    try Self.removeAbandoned(of: original)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    // All properties have values now, so that every error runs `deinit`, which closes the file.
    guard descriptor >= 0 else {
      if errno == EEXIST { throw Self.inUse(path) }
      throw .system(errno, "create", path)
    }
    _ = fchmod(descriptor, 0o600)
    do throws(VaultError) {
      guard try Self.isLocked(descriptor, path) else { throw Self.inUse(path) }
    } catch {
      // No other process can have an unfinished copy then.
      if error.code != .busy { unlink(path) }
      throw error
    }
    locker = ProcessNumber.current
    var mine = stat()
    // Another process may have removed the file as abandoned before it was locked.
    guard fstat(descriptor, &mine) == 0, mine.st_nlink == 1 else { throw Self.inUse(path) }
    identity = HeldFile.Identity(mine)
  }

  deinit { release() }

  /// Releases the lock and closes the copy.
  ///
  /// The file at the path is not removed. Call this before the engine can open the copy under
  /// another name: closing the descriptor drops the locks that the engine has on the file.
  package func release() {
    guard descriptor >= 0 else { return }
    // Closing alone would leave the lock to a child process that the application is just starting.
    // In a forked process, the lock is the parent's.
    if locker == ProcessNumber.current { flock(descriptor, LOCK_UN) }
    close(descriptor)
    descriptor = -1
  }

  /// Synchronizes the copy with the disk.
  ///
  /// - Parameter original: A file whose permissions and owner the copy gets, or `nil`.
  /// - Throws: `.busy` if another file is at the path of the copy; an error if a system call fails.
  package func settle(like original: String?) throws(VaultError) {
    guard let identity, HeldFile.Identity(path: path) == identity else {
      throw VaultError(
        .busy, "Another process removed the unfinished copy '\(path)'. Try again.")
    }
    // The engine removes these files but reports no failure, and they would not be checked later.
    for suffix in CompanionFile.engineSuffixes
    where unlink(path + suffix) != 0 && errno != ENOENT {
      throw .system(errno, "remove", path + suffix)
    }
    if let original { try takeRights(of: original) }
    guard fsync(descriptor) == 0 else { throw .system(errno, "save", path) }
  }

  private func takeRights(of original: String) throws(VaultError) {
    var wanted = stat()
    var mine = stat()
    guard stat(original, &wanted) == 0, fstat(descriptor, &mine) == 0 else {
      throw .system(errno, "examine", original)
    }
    if (wanted.st_uid, wanted.st_gid) != (mine.st_uid, mine.st_gid),
      fchown(descriptor, wanted.st_uid, wanted.st_gid) != 0
    {
      guard wanted.st_uid == mine.st_uid else {
        throw VaultError(
          .cannotOpen,
          "'\(original)' belongs to another user, and a new file cannot have the same owner. Run "
            + "this as the owner, or as an administrator.")
      }
      // A group without rights need not remain.
      guard wanted.st_mode & 0o070 == 0 else {
        throw VaultError(
          .cannotOpen,
          "'\(original)' has a group that this user cannot give to a new file, and the group has "
            + "rights on it. Change the group, remove its rights, or run this as an administrator.")
      }
    }
    guard fchmod(descriptor, wanted.st_mode & 0o7777) == 0 else {
      throw .system(errno, "set the permissions of", path)
    }
  }

  /// Overwrites the copy with zeros, because it is unencrypted and is not going to be finished.
  ///
  /// Call this when the engine has closed it. A failure is ignored.
  package func erase() {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_nlink <= 1 else { return }
    try? LockedFile.overwrite(0..<Int(status.st_size), of: descriptor, path)
    fsync(descriptor)
  }

  /// Removes the copy, or the file that it replaced, with the engine's files next to it.
  ///
  /// Any other file at the path is the copy of another process and stays.
  ///
  /// - Parameter replaced: The file that the copy replaced; `nil` to remove the copy.
  package func discard(_ replaced: HeldFile.Identity? = nil) {
    guard let unneeded = replaced ?? identity, HeldFile.Identity(path: path) == unneeded else {
      return
    }
    try? Self.remove(path)
  }

  /// Removes the copy that a terminated process left behind.
  ///
  /// - Returns: Whether there was such a copy.
  /// - Throws: `.busy` if another process is working on it, or has moved its original to this name
  ///   and not closed it yet; `.cannotOpen` if this user may not read or remove it; the errors of
  ///   ``eraseUnencrypted(_:)``.
  @discardableResult
  package static func removeAbandoned(of original: String) throws(VaultError) -> Bool {
    let path = path(for: original)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      let reason = errno
      // It cannot be locked, so it may be the copy of a running process.
      guard reason == EACCES, HeldFile.Identity(path: path) != nil else {
        throw .system(reason, "open", path)
      }
      throw VaultError(
        .cannotOpen,
        "This user may not read the unfinished copy '\(path)'. If no process of its owner is "
          + "working on it, remove it.")
    }
    defer { close(descriptor) }
    guard try isLocked(descriptor, path) else { throw inUse(path) }
    var locked = stat()
    // Another process may have created its copy under this name before the lock was acquired.
    guard fstat(descriptor, &locked) == 0,
      HeldFile.Identity(path: path) == HeldFile.Identity(locked)
    else { throw inUse(path) }
    // The lock of a copy moves with it to the path of the original.
    guard !LockedFile.isLocked(descriptor) else { throw inUse(path) }
    LogsAside.remove(ofReplacedFileAt: path)
    try eraseUnencrypted(path)
    try remove(path)
    return true
  }

  /// Overwrites the file at a path with zeros if it is an unencrypted database that has no other
  /// name.
  ///
  /// A terminated `encrypt` leaves its original under the name of the copy, and a terminated
  /// `decrypt` its copy. A file with another name is still in use: some file systems cannot move a
  /// file only to a free name, and there a finished copy has both names for a moment.
  ///
  /// - Parameter path: The path of a file that no process uses as a copy. A symbolic link is not
  ///   followed.
  /// - Throws: `.busy` if a process has the file open as a database; an error if it is unencrypted
  ///   and cannot be overwritten.
  package static func eraseUnencrypted(_ path: String) throws(VaultError) {
    let file: LockedFile
    do {
      file = try LockedFile(opening: path, O_NOFOLLOW)
    } catch {
      // An encrypted file can be removed even if it is read-only.
      guard isUnencrypted(path) else { return }
      throw error
    }
    guard try file.isErasable else { return }
    // A process that is replacing the file has locked it.
    try file.lock()
    // After a loss of power, the original name must not lead to the zeros.
    try syncFolder(of: path)
    try file.erase()
  }

  /// Returns whether the file at a path begins like an unencrypted database.
  package static func isUnencrypted(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return isUnencrypted(descriptor)
  }

  /// Returns whether an open file begins like an unencrypted database.
  static func isUnencrypted(_ descriptor: Int32) -> Bool {
    var start = [UInt8](repeating: 0, count: FileStart.count)
    return pread(descriptor, &start, start.count, 0) == start.count
      && CipherFormat.isPlain(start) && !CipherFormat.hasPlaintextHeader(start)
  }

  /// Synchronizes the names in the folder of a file with the disk.
  package static func syncFolder(of path: String) throws(VaultError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno, "open", folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system(errno, "save", folder) }
  }

  /// Returns whether a process is working on a copy of the file at `path`.
  package static func isInUse(of original: String) -> Bool {
    let descriptor = open(
      path(for: original), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
    flock(descriptor, LOCK_UN)
    return false
  }

  /// Locks a copy unless another process has locked it.
  ///
  /// - Returns: Whether this process has the lock.
  /// - Throws: An error if the copy cannot be locked for another reason.
  private static func isLocked(_ descriptor: Int32, _ path: String) throws(VaultError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return false
      default: throw .system(errno, "lock", path)
      }
    }
    return true
  }

  /// Removes a copy and the engine's files next to it.
  private static func remove(_ path: String) throws(VaultError) {
    for suffix in CompanionFile.engineSuffixes { unlink(path + suffix) }
    guard unlink(path) == 0 || errno == ENOENT else { throw .system(errno, "remove", path) }
  }

  private static func inUse(_ path: String) -> VaultError {
    VaultError(
      .busy,
      "Another process is working on the unfinished copy '\(path)'. Wait until it finishes.")
  }
}
