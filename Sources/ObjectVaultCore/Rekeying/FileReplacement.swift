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

  /// Gives the copy a path where nothing is, nor comes meanwhile.
  ///
  /// - Throws: `.invalidArgument` where something came to be there.
  func placeAnew() throws(VaultError) {
    if Self.renameToFree(copy, path) != 0, errno == EEXIST || Self.linkToFree(copy, path) != 0 {
      guard errno == EEXIST else { throw .system(errno, "rename", copy) }
      throw VaultError(
        .invalidArgument,
        "'\(path)' exists by now and was not touched. Give another path, or move it away first.")
    }
    try? Self.sync(folderOf: path)
  }

  /// Renames a file where nothing has the new name: `EEXIST` where something has.
  private static func renameToFree(_ path: String, _ newPath: String) -> Int32 {
    #if canImport(Darwin)
      return renamex_np(path, newPath, UInt32(RENAME_EXCL))
    #else
      // The C library's header shows it to programs in GNU's dialect alone.
      typealias Rename =
        @convention(c) (
          Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
        ) -> Int32
      guard let symbol = dlsym(nil, "renameat2") else { return -1 }
      let noReplace: UInt32 = 1
      return unsafeBitCast(symbol, to: Rename.self)(AT_FDCWD, path, AT_FDCWD, newPath, noReplace)
    #endif
  }

  /// Does the same where the system or the file system cannot do it at once. Where the process ends in
  /// between the file has both names, until the next opening.
  private static func linkToFree(_ path: String, _ newPath: String) -> Int32 {
    if link(path, newPath) == 0 {
      unlink(path)
      return 0
    }
    // A file system without hard links.
    guard errno != EEXIST, access(newPath, F_OK) != 0 else { return -1 }
    return rename(path, newPath)
  }

  private static func sync(folderOf path: String) throws(VaultError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno, "open", folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system(errno, "save", folder) }
  }
}
