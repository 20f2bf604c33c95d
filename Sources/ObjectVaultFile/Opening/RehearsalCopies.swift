import Foundation
package import ObjectVaultDriver
import ObjectVaultPlatform

/// The temporary copies on which migrations of a vault are rehearsed, `.NAME.rehearsing-ID` in its
/// folder.
///
/// The file `.NAME.rehearsing-ID.lock` is locked by `flock` while the copy is in use. This
/// distinguishes it from a copy that a terminated process left behind. An empty file,
/// `.NAME.rehearsing`, marks a vault that may have copies, so that the opening of another one does
/// not list its folder.
package struct RehearsalCopies {
  /// The path of the folder with its final slash, or empty for the current folder.
  private let folder: String
  private let markName: String

  /// Describes the copies of the vault at a path.
  package init(ofVaultAt path: String) {
    let name = path.fileName
    folder = String(path[..<name.startIndex])
    markName = ".\(name).rehearsing"
  }

  /// A copy that only its rehearsal may use.
  package struct Reservation {
    package let path: String
    fileprivate let lock: Int32
  }

  /// Reserves the path of a new copy, where no file exists yet.
  ///
  /// - Returns: The reservation, to be passed to ``end(_:)``.
  /// - Throws: `.busy` if other processes remove every lock; an error if a system call fails.
  package func reserve() throws(VaultError) -> Reservation {
    for _ in 0..<10 {
      let path = "\(folder)\(markName)-\(UUID().uuidString.prefix(8))"
      let lock = open(path + ".lock", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard lock >= 0 else { throw .system(errno, "create", path + ".lock") }
      var status = stat()
      // Another process may have removed the file as abandoned before it was locked.
      if flock(lock, LOCK_EX | LOCK_NB) == 0, fstat(lock, &status) == 0, status.st_nlink == 1 {
        mark()
        return Reservation(path: path, lock: lock)
      }
      close(lock)
      unlink(path + ".lock")
    }
    throw VaultError(
      .busy,
      "A copy of the vault in '\(folder)' cannot be locked for a rehearsal. Try again, or use "
        + "another file system.")
  }

  /// Removes the copy of a rehearsal.
  package func end(_ reservation: Reservation) {
    Self.remove(reservation.path)
    abandon(reservation)
    removeAbandoned()
  }

  /// Releases the lock of a copy, as the end of the process does.
  package func abandon(_ reservation: Reservation) {
    // Closing alone would leave the lock to a child process that is just starting.
    flock(reservation.lock, LOCK_UN)
    close(reservation.lock)
  }

  /// Removes the copies that terminated processes left behind, if the vault is marked.
  package func removeAbandonedIfMarked() {
    if access(folder + markName, F_OK) == 0 { removeAbandoned() }
  }

  /// Removes the copies that terminated processes left behind.
  package func removeAbandoned() {
    // A rehearsal creates its lock before the mark. So the mark is removed before the locks are
    // listed.
    unlink(folder + markName)
    var isMarked = false
    for path in paths where !Self.removeIfAbandoned(path) { isMarked = true }
    if isMarked { mark() }
  }

  /// Removes a copy unless a process is using it.
  ///
  /// - Parameter path: The path of the copy.
  /// - Returns: Whether it was removed.
  package static func removeIfAbandoned(_ path: String) -> Bool {
    whileUnused(path) { remove(path) }
  }

  /// Returns whether a process is using a copy.
  package static func isInUse(_ path: String) -> Bool { !whileUnused(path) {} }

  private static func whileUnused(_ path: String, _ body: () -> Void) -> Bool {
    let lock = open(path + ".lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard lock >= 0 else {
      // An older version of the library had no lock before its copy was finished.
      guard errno == ENOENT, !CopyInWork.isInUse(of: path) else { return false }
      body()
      return true
    }
    defer { close(lock) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return false }
    body()
    flock(lock, LOCK_UN)
    return true
  }

  /// The paths of all copies, including those of which only a lock or an unfinished backup exists.
  package var paths: [String] {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return Set(names.compactMap(copyName)).sorted().map { folder + $0 }
  }

  /// Returns whether a file in the folder belongs to a copy, or is the mark.
  package func owns(fileNamed name: String) -> Bool { name == markName || copyName(name) != nil }

  /// Returns the name of the copy that a file in the folder belongs to, or `nil` for other files.
  private func copyName(_ file: String) -> String? {
    let prefix = markName + "-"
    var name = file[...]
    if let end = name.range(of: ".copying"), name.hasPrefix(".\(prefix)") {
      // The copy while it is made; see `CopyInWork`.
      name = name[..<end.lowerBound].dropFirst()
    } else {
      let suffixes = CompanionFile.engineSuffixes + [".lock"]
      if let suffix = suffixes.first(where: { name.hasSuffix($0) }) {
        name = name.dropLast(suffix.count)
      }
    }
    guard name.hasPrefix(prefix) else { return nil }
    let id = name.dropFirst(prefix.count)
    return !id.isEmpty && id.allSatisfy { $0.isASCII && $0.isHexDigit } ? String(name) : nil
  }

  /// Creates the file that marks the vault.
  ///
  /// A failure is harmless, because the next rehearsal lists the folder in any case.
  private func mark() {
    let descriptor = open(
      folder + markName, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  private static func remove(_ path: String) {
    for suffix in CompanionFile.engineSuffixes + [""] {
      unlink(CopyInWork.path(for: path) + suffix)
      unlink(path + suffix)
    }
    unlink(path + ".lock")
  }
}
