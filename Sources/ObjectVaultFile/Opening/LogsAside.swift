import Foundation
package import ObjectVaultDriver

/// The log and the journal of a file that is being replaced, moved away from the file.
///
/// They may have committed transactions of the file, so they are removed only when the replacement
/// is on the disk. Until then they must not be next to the new file, because the engine would play
/// them into it. Their names, `.NAME.copying.ID-wal` and `.NAME.copying.ID-journal`, identify the
/// file and its last change: they are moved back only to that file, and only if no program changed
/// it in between.
package struct LogsAside {
  private let file: String
  private let prefix: String
  private static let suffixes = ["-journal", "-wal"]

  /// Describes the log and the journal of the file at a path.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: An error if there is no file.
  package init(of path: String) throws(VaultError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(errno, "examine", path) }
    self.init(of: path, copy: CopyInWork.path(for: path), status)
  }

  private init(of path: String, copy: String, _ status: stat) {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    let nanoseconds =
      UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    file = path
    prefix =
      "\(copy).\(String(UInt64(status.st_ino), radix: 16)).\(String(nanoseconds, radix: 16))"
  }

  /// Moves the files away, or removes them if they are empty.
  ///
  /// - Throws: An error if a system call fails. Some files may have been moved then.
  package func moveAway() throws(VaultError) {
    for suffix in Self.suffixes {
      if LeftoverFile.hasContent(file + suffix) {
        guard rename(file + suffix, prefix + suffix) == 0 else {
          throw .system(errno, "rename", file + suffix)
        }
      } else if unlink(file + suffix) != 0, errno != ENOENT {
        throw .system(errno, "remove", file + suffix)
      }
    }
  }

  /// Moves the files back next to the file.
  ///
  /// - Throws: An error if a system call fails.
  package func moveBack() throws(VaultError) {
    let moved = movable
    for suffix in moved where rename(prefix + suffix, file + suffix) != 0 {
      throw .system(errno, "rename", prefix + suffix)
    }
    if !moved.isEmpty { try CopyInWork.syncFolder(of: file) }
  }

  /// The files that were moved away, except those that the file has again.
  private var movable: [String] {
    Self.suffixes.filter {
      LeftoverFile.hasContent(prefix + $0) && !LeftoverFile.hasContent(file + $0)
    }
  }

  /// Returns the paths of the files that were moved away from the file at a path and not moved
  /// back.
  ///
  /// They have the latest changes of the file. The next opening for writing moves them back.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The paths; empty if the file is missing, or was changed since.
  package static func waiting(besideFile path: String) -> [String] {
    guard let logs = try? LogsAside(of: path) else { return [] }
    return logs.movable.map { logs.prefix + $0 }
  }

  /// Removes the files that were moved away.
  package func remove() {
    for suffix in Self.suffixes {
      // Nothing else removes them if this fails, so try it twice.
      if unlink(prefix + suffix) != 0, errno != ENOENT { unlink(prefix + suffix) }
    }
  }

  /// Removes the files of a file that was replaced, if it now has the name of the copy.
  ///
  /// Call it before that file is overwritten.
  ///
  /// - Parameter copy: The path of the copy.
  package static func remove(ofReplacedFileAt copy: String) {
    var status = stat()
    if lstat(copy, &status) == 0 { LogsAside(of: copy, copy: copy, status).remove() }
  }

  /// Moves the files back if the process that moved them away was terminated before the file was
  /// replaced.
  ///
  /// Call it before the file is opened for writing.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: `.busy` if the file is open, because its users do not have its last transactions; an
  ///   error if a system call fails.
  package static func restore(of path: String) throws(VaultError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let logs = LogsAside(of: path, copy: CopyInWork.path(for: path), status)
    guard !logs.movable.isEmpty else { return }
    // Locks do not exclude connections of the same process, and closing the file would drop them.
    guard !HeldFile.isHeld(HeldFile.Identity(status)),
      let lock = try? LockedFile(at: path)
    else {
      throw VaultError(
        .busy,
        "The log of '\(path)' was moved away to replace the file, and cannot be moved back while "
          + "the file is open. Close it everywhere, and try again.")
    }
    try withExtendedLifetime(lock) { () throws(VaultError) in try logs.moveBack() }
  }
}
