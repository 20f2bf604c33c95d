import Foundation

/// Puts a finished copy in the place of a file.
struct FileReplacement {
  let path: String
  let copy: String

  /// How a replacement ended that put the copy in its place.
  enum Outcome {
    /// The copy's new name is on the disk. The old file may be destroyed.
    case saved
    /// The folder could not be brought to the disk and the old file could not be put back: after a power
    /// failure either file may be at the path. Nothing of the old file may be destroyed.
    case unsaved(VaultError)
  }

  /// Replaces the file at the path. Where the system can exchange two names at once, the old file has
  /// the copy's name afterwards.
  ///
  /// The leftovers of the old name go first, and are gone on the disk before the copy gets the name:
  /// a write-ahead log that outlived its file would be played into the new one.
  ///
  /// - Parameter expected: The file that is replaced.
  /// - Throws: `.replaced` if another file was moved to the path meanwhile; `.inputOutput` and the like
  ///   if a call of the system failed. The path leads to the file it led to before.
  func run(replacing expected: HeldFile.Identity) throws(VaultError) -> Outcome {
    try check(expected)
    for suffix in ["-wal", "-shm", "-journal"] {
      if unlink(path + suffix) != 0, errno != ENOENT {
        throw .system(errno, "remove", path + suffix)
      }
    }
    try Self.sync(folderOf: path)
    let mine = HeldFile.Identity(path: copy)
    // Most systems can exchange the names. The others are left with this look.
    try check(expected)
    let isExchanged = try giveName()
    do throws(VaultError) {
      if isExchanged, HeldFile.Identity(path: copy) != expected { throw Self.replaced(path) }
      try Self.sync(folderOf: path)
      return .saved
    } catch {
      guard isExchanged, takeBack(mine) else { return .unsaved(Self.unsaved(error, path, copy)) }
      throw error
    }
  }

  /// - Throws: `.replaced` if the path does not lead to the file.
  private func check(_ expected: HeldFile.Identity) throws(VaultError) {
    if HeldFile.Identity(path: path) != expected { throw Self.replaced(path) }
  }

  /// Gives the copy the path.
  ///
  /// - Returns: Whether the file that was at the path has the copy's name now.
  private func giveName() throws(VaultError) -> Bool {
    if Self.rename(copy, path, .exchanging) == 0 { return true }
    guard [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM].contains(errno) else {
      throw .system(errno, "rename", copy)
    }
    guard Foundation.rename(copy, path) == 0 else { throw .system(errno, "rename", copy) }
    return false
  }

  /// Puts the file that was at the path back there.
  ///
  /// - Parameter mine: The copy.
  /// - Returns: Whether it is there again.
  private func takeBack(_ mine: HeldFile.Identity?) -> Bool {
    guard Self.rename(copy, path, .exchanging) == 0 else {
      // The copy is lost with this; the original is not.
      return Foundation.rename(copy, path) == 0
    }
    if HeldFile.Identity(path: copy) != mine {
      // A third file came to the path, in the place of the one that this brought back.
      _ = Self.rename(copy, path, .exchanging)
    }
    try? Self.sync(folderOf: path)
    return true
  }

  /// Gives the copy a path where nothing is, nor comes meanwhile.
  ///
  /// - Throws: `.invalidArgument` if something is at the path. Nothing is left there then, also if the
  ///   folder cannot be brought to the disk.
  func placeAnew() throws(VaultError) {
    if Self.rename(copy, path, .toFree) != 0, errno == EEXIST || Self.linkToFree(copy, path) != 0 {
      guard errno == EEXIST else { throw .system(errno, "rename", copy) }
      throw VaultError(
        .invalidArgument,
        "'\(path)' exists by now and was not touched. Give another path, or move it away first.")
    }
    do {
      try Self.sync(folderOf: path)
    } catch {
      unlink(path)
      throw error
    }
  }

  private enum Renaming {
    /// `EEXIST` if something has the new name.
    case toFree
    /// Both files must exist; each gets the other's name.
    case exchanging
  }

  private static func rename(_ path: String, _ newPath: String, _ way: Renaming) -> Int32 {
    #if canImport(Darwin)
      return renamex_np(path, newPath, UInt32(way == .toFree ? RENAME_EXCL : RENAME_SWAP))
    #else
      // The C library's header shows it to programs in GNU's dialect alone.
      typealias Rename =
        @convention(c) (
          Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
        ) -> Int32
      guard let symbol = dlsym(nil, "renameat2") else {
        errno = ENOSYS
        return -1
      }
      let (noReplace, exchange): (UInt32, UInt32) = (1, 2)
      return unsafeBitCast(symbol, to: Rename.self)(
        AT_FDCWD, path, AT_FDCWD, newPath, way == .toFree ? noReplace : exchange)
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
    return Foundation.rename(path, newPath)
  }

  private static func sync(folderOf path: String) throws(VaultError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno, "open", folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system(errno, "save", folder) }
  }

  private static func replaced(_ path: String) -> VaultError {
    VaultError(
      .replaced,
      "Another file, or none, is at '\(path)' since this operation began. That file was not touched. "
        + "Check which file belongs there, and try again.")
  }

  private static func unsaved(_ error: VaultError, _ path: String, _ copy: String) -> VaultError {
    let old =
      HeldFile.Identity(path: copy) == nil ? "" : " The file that was there before is '\(copy)'."
    return VaultError(
      error.code,
      "\(error.message) The new file is at '\(path)', but a power failure could still bring back the "
        + "one that was there before. Keep both keys until the file opens after the system was "
        + "restarted.\(old)")
  }
}
