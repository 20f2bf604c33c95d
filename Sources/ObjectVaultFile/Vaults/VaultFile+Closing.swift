import Foundation
package import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultSession

extension VaultFile {
  /// Records that the pages in a log are those of this file, for example after a crash.
  func noteLog(of writer: Session) {
    guard LeftoverFile.hasContent(path + "-wal") else { return }
    let log = writer.engine.logState
    if isInPlace { writer.file.ownLog = log }
  }

  /// Prepares the log for closing if the path no longer leads to this file.
  ///
  /// The engine finds a log by its name, so that processes that open another file at the path use
  /// the log of this file. Pages of this file in it would be replayed into the other file. Pages of
  /// the other file in it must stay there.
  ///
  /// - Returns: Whether the connections can close; `false` if the log may have pages of the other
  ///   file, which older engines would move into this file.
  func settleLog() -> Bool {
    // Readers cannot change a log.
    guard !isInMemory, let writer = sessions.writer, !isInPlace else { return true }
    if let own = writer.file.ownLog, writer.engine.logState == own {
      _ = try? writer.engine.checkpoint(.truncate)
    } else if LeftoverFile.hasContent(path + "-wal") {
      return false
    }
    // Older engines would remove a log that the other file uses by now.
    if HeldFile.Identity(path: path) != nil { try? writer.engine.keepLogWhenClosing() }
    return true
  }

  /// Removes the empty write-ahead log and the shared-memory file that reading created.
  ///
  /// A read-only connection leaves both behind when it closes. A writable connection removes them,
  /// unless another connection or process uses the file. A log with content stays, because a
  /// checkpoint would change a file that was opened for reading only.
  func removeEmptyLog() {
    guard isReadOnly, let opened, opened.held.identity == HeldFile.Identity(path: path),
      access(path, W_OK) == 0, LeftoverFile.isEmpty(path + "-wal")
    else { return }
    var options = settings.connectionOptions(.reader)
    options.busyTimeout = 0
    options.trace = nil
    _ = try? opened.cipher.connect(path, .readWrite, options: options)
  }
}

/// A log or journal that is next to a database file.
package enum LeftoverFile {
  /// Returns whether a file with content is at the path.
  static func hasContent(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  /// Calls `body`, which connects to a file, and lets the owner write the log and its index before
  /// and after it.
  ///
  /// The engine creates both with the permissions of the file. Next to a file that may only be
  /// read, the index could not be opened again, and older engines need to write it even for
  /// reading. The permissions of others do not change.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  static func leavingUsable<R>(besideFile path: String, _ body: () throws -> R) rethrows -> R {
    becomeUsable(besideFile: path)
    defer { becomeUsable(besideFile: path) }
    return try body()
  }

  private static func becomeUsable(besideFile path: String) {
    for suffix in ["-wal", "-shm"] {
      var status = stat()
      guard lstat(path + suffix, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == geteuid(), status.st_mode & 0o600 != 0o600
      else { continue }
      // Opening and closing the index would drop the engine's locks on it.
      _ = fchmodat(
        AT_FDCWD, path + suffix, status.st_mode & 0o7777 | 0o600, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// Overwrites a log or journal with zeros if it has no other name.
  ///
  /// The start is overwritten and synchronized with the disk first. Without it, the engine ignores
  /// the rest. The engine does not lock these files, so closing them drops no locks.
  ///
  /// - Parameter path: The path of the log or journal. A missing file is ignored.
  /// - Throws: An error if the file cannot be overwritten.
  package static func erase(_ path: String) throws(VaultError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return }
      throw .system(errno, "open", path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, "examine", path) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { return }
    let size = Int(status.st_size)
    let start = min(size, startCount)
    for part in [0..<start, start..<size] where !part.isEmpty {
      try LockedFile.overwrite(part, of: descriptor, path)
      guard fsync(descriptor) == 0 else { throw .system(errno, "save", path) }
    }
  }

  /// The number of bytes that erasing overwrites first: at least the header of a log or journal.
  private static let startCount = 4096

  /// Returns the rest of the message for a file that the engine cannot open, if the folder is the
  /// cause; otherwise an empty text.
  ///
  /// - Parameter path: The path of the file, with links resolved.
  /// - Returns: Sentences that begin with a space.
  package static func advice(forFileAt path: String) -> String {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard access(path, F_OK) == 0, access(folder, W_OK) != 0 else { return "" }
    return " The engine creates two files next to an open vault, but its folder is not writable. "
      + "Copy the vault into a folder that is."
  }

  /// Returns whether an empty regular file is at the path.
  ///
  /// The engine keeps such files for reuse, and ignores them when it opens the database.
  package static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}
