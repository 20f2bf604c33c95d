import Foundation
import ObjectVaultEngine

extension VaultFile {
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
  /// Returns whether an empty regular file is at the path.
  ///
  /// The engine keeps such files for reuse, and ignores them when it opens the database.
  package static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}
