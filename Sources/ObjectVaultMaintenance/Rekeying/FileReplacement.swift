import Foundation
import ObjectVaultDriver
import ObjectVaultFile

/// The replacement of a file by a finished copy.
struct FileReplacement {
  let path: String
  let copy: String

  /// The result of a replacement that moved the copy to the path.
  enum Outcome {
    /// The copy's new name is on the disk.
    ///
    /// The old file may be destroyed.
    case saved
    /// The folder could not be synchronized with the disk, and the old file could not be moved
    /// back.
    ///
    /// After a power failure, either file may be at the path. Nothing of the old file may be
    /// destroyed.
    case unsaved(VaultError)
  }

  /// Replaces the file at the path.
  ///
  /// If the system can exchange two names atomically, the old file has the copy's name afterwards.
  /// The log and journal files of the old file are moved away first, and this is synchronized with
  /// the disk before the copy gets the name: a write-ahead log that outlived its file would be
  /// played into the new file. They are removed when the new name is on the disk, and moved back if
  /// it cannot be.
  ///
  /// - Parameter expected: The file that is replaced.
  /// - Returns: Whether the result is safely on the disk.
  /// - Throws: `.replaced` if another file was moved to the path in the meantime; `.inputOutput` or
  ///   a similar error if a system call failed. The path leads to the same file as before then.
  func run(replacing expected: HeldFile.Identity) throws(VaultError) -> Outcome {
    try check(expected)
    let logs = try LogsAside(of: path)
    do throws(VaultError) {
      let outcome = try run(replacing: expected, with: logs)
      if case .saved = outcome { logs.remove() }
      return outcome
    } catch {
      // Another file at the path must not get the logs.
      if HeldFile.Identity(path: path) == expected { try? logs.moveBack() }
      throw error
    }
  }

  private func run(
    replacing expected: HeldFile.Identity, with logs: LogsAside
  ) throws(VaultError) -> Outcome {
    try logs.moveAway()
    // The engine creates the index of the log again.
    if unlink(path + "-shm") != 0, errno != ENOENT { throw .system(errno, "remove", path + "-shm") }
    try CopyInWork.syncFolder(of: path)
    let mine = HeldFile.Identity(path: copy)
    // Most systems can exchange names. The others rely on this check.
    try check(expected)
    let isExchanged = try giveName()
    let old = isExchanged ? exchangedFile(expected) : nil
    do throws(VaultError) {
      if let old, old != expected { throw Self.replaced(path) }
      try CopyInWork.syncFolder(of: path)
      return .saved
    } catch {
      guard let old, takeBack(old, mine) else {
        return .unsaved(Self.unsaved(error, path, old == nil ? nil : copy))
      }
      throw error
    }
  }

  /// Checks that the path leads to the expected file.
  ///
  /// - Throws: `.replaced` if it does not.
  private func check(_ expected: HeldFile.Identity) throws(VaultError) {
    if HeldFile.Identity(path: path) != expected { throw Self.replaced(path) }
  }

  /// Moves the copy to the path.
  ///
  /// - Returns: Whether the file that was at the path now has the copy's name.
  private func giveName() throws(VaultError) -> Bool {
    if Self.rename(copy, path, .exchanging) == 0 { return true }
    guard [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM].contains(errno) else {
      throw .system(errno, "rename", copy)
    }
    guard Foundation.rename(copy, path) == 0 else { throw .system(errno, "rename", copy) }
    return false
  }

  /// Returns the file that has the copy's name after the exchange.
  ///
  /// - Parameter expected: The file that is replaced.
  /// - Returns: The file, or `nil` if another process has removed it. That process may have created
  ///   its own copy under this name: an empty file that it then locks.
  private func exchangedFile(_ expected: HeldFile.Identity) -> HeldFile.Identity? {
    guard let found = HeldFile.Identity(path: copy) else { return nil }
    // The expected file is not opened: closing it would drop the engine's locks.
    if found != expected, LeftoverFile.isEmpty(copy) || CopyInWork.isInUse(of: path) { return nil }
    return found
  }

  /// Moves the old file back to the path.
  ///
  /// - Parameters:
  ///   - old: The file that has the copy's name.
  ///   - mine: The identity of the copy.
  /// - Returns: Whether the old file is at the path again.
  private func takeBack(_ old: HeldFile.Identity, _ mine: HeldFile.Identity?) -> Bool {
    guard HeldFile.Identity(path: copy) == old else { return false }
    guard Self.rename(copy, path, .exchanging) == 0 else {
      // The copy is lost by this, but not the original.
      return Foundation.rename(copy, path) == 0
    }
    let isBack = HeldFile.Identity(path: path) == old
    if !isBack || HeldFile.Identity(path: copy) != mine {
      // Another process moved a file to one of the names. Exchange the names again.
      _ = Self.rename(copy, path, .exchanging)
    }
    try? CopyInWork.syncFolder(of: path)
    return isBack
  }

  /// Moves the copy to a path where no file exists.
  ///
  /// - Throws: `.invalidArgument` if a file exists at the path, even if it was created in the
  ///   meantime. The path is left free if the folder cannot be synchronized with the disk.
  func placeAnew() throws(VaultError) {
    if Self.rename(copy, path, .toFree) != 0, errno == EEXIST || Self.linkToFree(copy, path) != 0 {
      guard errno == EEXIST else { throw .system(errno, "rename", copy) }
      throw VaultError(
        .invalidArgument,
        "'\(path)' now exists and was left unchanged. Choose another path, or move the file away "
          + "first.")
    }
    do {
      try CopyInWork.syncFolder(of: path)
    } catch {
      unlink(path)
      throw error
    }
  }

  private enum Renaming {
    /// Fails with `EEXIST` if a file has the new name.
    case toFree
    /// Exchanges the names of two existing files.
    case exchanging
  }

  private static func rename(_ path: String, _ newPath: String, _ way: Renaming) -> Int32 {
    #if canImport(Darwin)
      return renamex_np(path, newPath, UInt32(way == .toFree ? RENAME_EXCL : RENAME_SWAP))
    #else
      // The C library's header declares this function for the GNU dialect only.
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

  /// Moves a file to a free path if the system or the file system cannot do it atomically.
  ///
  /// If the process ends in between, the file has both names until it is next opened.
  static func linkToFree(_ path: String, _ newPath: String) -> Int32 {
    if link(path, newPath) == 0 {
      unlink(path)
      return 0
    }
    // The file system has no hard links.
    guard errno != EEXIST, access(newPath, F_OK) != 0 else { return -1 }
    return Foundation.rename(path, newPath)
  }

  private static func replaced(_ path: String) -> VaultError {
    VaultError(
      .replaced,
      "'\(path)' was removed or replaced by another file after this operation began. The file "
        + "there was left unchanged. Check which file belongs there, and try again.")
  }

  /// Creates the error of a replacement that may not be on the disk.
  ///
  /// - Parameters:
  ///   - error: The error of the synchronization.
  ///   - path: The path of the new file.
  ///   - old: The path of the previous file, or `nil` if it has none.
  /// - Returns: The error.
  private static func unsaved(_ error: VaultError, _ path: String, _ old: String?) -> VaultError {
    VaultError(
      error.code,
      "\(error.message) The new file is at '\(path)', but a power failure could still restore the "
        + "previous one. Keep both keys until the file opens after a restart of the system."
        + (old.map { " The previous file is '\($0)'." } ?? ""))
  }
}
