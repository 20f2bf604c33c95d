import Foundation

/// The unfinished copy of a database file, in the folder of the original: `.NAME.copying`.
///
/// While it is held it is locked by `flock`, so that what a process left that ended in the middle is
/// told from what another one is working on.
final class CopyInWork {
  let path: String
  private let descriptor: Int32

  /// Where the copy of the file at `path` is made.
  static func path(for path: String) -> String {
    let name = path.fileName
    return "\(path[..<name.startIndex]).\(name).copying"
  }

  /// Makes an empty copy that only its owner may read.
  ///
  /// - Throws: `.busy` where another process is making one.
  init(of original: String) throws(VaultError) {
    path = Self.path(for: original)
    try Self.removeAbandoned(of: original)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw Self.inUse(path) }
      throw .system(errno, "create", path)
    }
    _ = fchmod(descriptor, 0o600)
    var mine = stat()
    // Another process may have taken the file for abandoned before it was locked.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &mine) == 0,
      mine.st_nlink == 1
    else {
      close(descriptor)
      throw Self.inUse(path)
    }
  }

  /// Gives the lock up; whatever is at the path stays.
  deinit {
    // Closing alone would leave the lock with a program that the application is just starting.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Brings it to the disk, with the rights and the owner of another file where one is given.
  func settle(like original: String?) throws(VaultError) {
    // The engine removes them, and says nothing where it cannot; nobody would look for them later.
    for suffix in ["-journal", "-wal", "-shm"] where unlink(path + suffix) != 0 && errno != ENOENT {
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
      throw VaultError(
        .cannotOpen,
        "'\(original)' belongs to another user or group, and a new file cannot be given to them. Do "
          + "this as the owner, or as an administrator.")
    }
    guard fchmod(descriptor, wanted.st_mode & 0o7777) == 0 else {
      throw .system(errno, "set the rights of", path)
    }
  }

  /// Removes the copy and what the engine left beside it.
  func discard() {
    Self.remove(path)
  }

  /// Removes what a process left that ended in the middle of a copy.
  ///
  /// - Returns: Whether there was something.
  /// - Throws: `.busy` where another process is at work on it.
  @discardableResult
  static func removeAbandoned(of original: String) throws(VaultError) -> Bool {
    let path = path(for: original)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      throw .system(errno, "open", path)
    }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw inUse(path) }
    var locked = stat()
    // Another process may have given the name to its copy before this one was locked.
    guard fstat(descriptor, &locked) == 0,
      HeldFile.Identity(path: path) == HeldFile.Identity(locked)
    else { throw inUse(path) }
    remove(path)
    return true
  }

  /// Whether a process is at work on a copy of the file at `path`.
  static func isInUse(of original: String) -> Bool {
    let descriptor = open(
      path(for: original), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
    flock(descriptor, LOCK_UN)
    return false
  }

  private static func remove(_ path: String) {
    for suffix in ["-journal", "-wal", "-shm", ""] { unlink(path + suffix) }
  }

  private static func inUse(_ path: String) -> VaultError {
    VaultError(
      .busy,
      "Another process is copying the file: '\(path)' is in use. Wait until it is done.")
  }
}
