import Foundation

/// Puts a finished copy in the place of a file.
struct FileReplacement {
  let path: String
  let copy: String

  /// The leftovers of the old name go first, and are gone on the disk before the copy gets the name:
  /// a write-ahead log that outlived its file would be played into the new one.
  func run() throws(VaultError) {
    for suffix in ["-wal", "-shm", "-journal"] {
      if unlink(path + suffix) != 0, errno != ENOENT {
        throw .system(errno, "remove", path + suffix)
      }
    }
    try Self.sync(folderOf: path)
    guard rename(copy, path) == 0 else { throw .system(errno, "rename", copy) }
    // The rename is done; that it may not have reached the disk is no reason to say it failed.
    try? Self.sync(folderOf: path)
  }

  private static func sync(folderOf path: String) throws(VaultError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno, "open", folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system(errno, "save", folder) }
  }
}
