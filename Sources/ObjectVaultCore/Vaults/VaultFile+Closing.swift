import Foundation
import ObjectVaultEngine

extension VaultFile {
  /// Removes the empty write-ahead log and the shared-memory file that reading made.
  ///
  /// A connection that may only read leaves both behind when it closes. One that may write removes
  /// them, unless another connection or process uses the file. A log with content stays: to
  /// checkpoint it would change a file that was opened for reading only.
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
enum LeftoverFile {
  /// Whether a regular file without content is at the path. The engine keeps such files for reuse,
  /// and ignores them when it opens the database.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}
