import Foundation
package import ObjectVaultDriver
package import ObjectVaultKeys

/// A file that is about to be replaced, locked against all other users without its key.
///
/// The engine locks certain bytes of a file during use (SQLite's file format, "The Lock-Byte
/// Page"). A lock on all of them gives exclusive access to the file, whatever its contents.
package final class LockedFile {
  package let path: String
  private let descriptor: Int32
  private static let lockBytes = (start: 0x4000_0000, count: 512)

  /// Opens and locks the file.
  ///
  /// This process must not have it open, because its own connections are not excluded.
  ///
  /// - Throws: `.busy` if another process has the file open.
  package convenience init(at path: String) throws(VaultError) {
    try self.init(opening: path)
    try lock()
  }

  /// Opens the file without a lock.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - flags: More flags for the system call.
  /// - Throws: An error if the file is not a regular one, or cannot be opened for reading and
  ///   writing.
  init(opening path: String, _ flags: Int32 = 0) throws(VaultError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | flags)
    // All properties have values now, so that every error runs `deinit`, which closes the file.
    guard descriptor >= 0 else { throw .system(errno, "open", path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw VaultError(
        .cannotOpen,
        "'\(path)' is not a regular file, so it cannot be replaced. Use the path of a vault.")
    }
  }

  /// Locks the file.
  ///
  /// - Throws: `.busy` if another process has the file open.
  func lock() throws(VaultError) {
    var lock = Self.wholeLock
    guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
      throw VaultError(
        .busy,
        "Another process has '\(path)' open, so it cannot be replaced. Close it there, and try "
          + "again.")
    }
  }

  /// Whether the file is an unencrypted database that has only one name.
  var isErasable: Bool {
    get throws(VaultError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .system(errno, "examine", path) }
      return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
        && CopyInWork.isUnencrypted(descriptor)
    }
  }

  /// An exclusive lock on all bytes that the engine locks.
  private static var wholeLock: flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(lockBytes.start)
    lock.l_len = off_t(lockBytes.count)
    return lock
  }

  /// Checks whether another process has a file open as a database.
  ///
  /// - Parameter descriptor: A descriptor of the file.
  /// - Returns: Whether a lock of another process is on the file.
  static func isLocked(_ descriptor: Int32) -> Bool {
    var lock = wholeLock
    return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  /// The identity of the locked file, even if another file is at its path by now.
  package var identity: HeldFile.Identity {
    get throws(VaultError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .system(errno, "examine", path) }
      return HeldFile.Identity(status)
    }
  }

  /// The first bytes of the file; `nil` if it is too short.
  ///
  /// They are read through this descriptor, because closing another one would drop the lock.
  package var start: FileStart? {
    get throws(VaultError) {
      FileStart(try read(at: 0, count: FileStart.count))
    }
  }

  /// The size of the file in bytes.
  package var size: Int {
    get throws(VaultError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .system(errno, "examine", path) }
      return Int(status.st_size)
    }
  }

  /// Returns up to `count` bytes at an offset; fewer at the end of the file.
  package func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
    try HeldFile.read(descriptor, at: offset, count: count, path)
  }

  /// Overwrites the start of the file after another file has taken its place.
  ///
  /// Processes that still have it open get an error instead of stale data.
  package func destroyStart() {
    let zeros = [UInt8](repeating: 0, count: 65_536)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    _ = pwrite(descriptor, zeros, min(zeros.count, Int(status.st_size)), 0)
    fsync(descriptor)
  }

  /// Overwrites the whole file with zeros.
  ///
  /// The start is overwritten last, so that an unencrypted file is recognised if the process ends.
  ///
  /// - Throws: An error if the file cannot be overwritten completely.
  func erase() throws(VaultError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, "examine", path) }
    var rest = Int(status.st_size)
    while rest > 0 {
      let start = max(0, rest - Self.zeros.count)
      try Self.overwrite(start..<rest, of: descriptor, path)
      rest = start
    }
    guard fsync(descriptor) == 0 else { throw .system(errno, "save", path) }
  }

  private static let zeros = [UInt8](repeating: 0, count: 1 << 20)

  /// Overwrites a part of a file with zeros, without synchronizing it with the disk.
  ///
  /// - Parameters:
  ///   - range: The positions of the bytes.
  ///   - descriptor: A descriptor of the file that is open for writing.
  ///   - path: The path of the file, for the error.
  /// - Throws: An error if a byte cannot be overwritten.
  static func overwrite(
    _ range: Range<Int>, of descriptor: Int32, _ path: String
  ) throws(VaultError) {
    var next = range.lowerBound
    while next < range.upperBound {
      let count = min(zeros.count, range.upperBound - next)
      let written = pwrite(descriptor, zeros, count, off_t(next))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw .system(errno, "overwrite", path) }
      next += written
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
