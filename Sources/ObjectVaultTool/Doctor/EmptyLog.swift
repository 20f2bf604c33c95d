import ObjectVaultPlatform

/// The empty write-ahead log that a process left next to a vault when it was killed.
enum EmptyLog {
  /// Removes the log and its shared-memory file, unless the log has content or the vault is open.
  ///
  /// A connection with a write-ahead log holds a shared lock on the vault while it is open. The
  /// exclusive lock of this function prevents others from opening the log at the same time. No
  /// connection may be open in this process: its locks would end with the descriptor.
  ///
  /// - Parameter path: The path of the vault.
  /// - Returns: The path of the log if it was removed.
  static func remove(ofVaultAt path: String) -> String? {
    let log = path + "-wal"
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // The bytes that SQLite locks (see "The Lock-Byte Page" in its file format documentation).
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0000
    lock.l_len = 512
    guard fcntl(descriptor, F_SETLK, &lock) == 0 else { return nil }
    guard let file = ExistingFile(log), file.isRegular, file.size == 0, unlink(log) == 0 else {
      return nil
    }
    unlink(path + "-shm")
    return log
  }
}
