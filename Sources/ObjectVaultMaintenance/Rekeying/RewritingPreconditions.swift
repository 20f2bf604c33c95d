import Foundation
import ObjectVaultDriver
import ObjectVaultFile

/// The conditions that must hold before a file is made from another one.
struct RewritingPreconditions {
  /// The path of the new file.
  let destination: String
  /// The size of the source file in bytes.
  let size: Int

  /// Checks the conditions.
  ///
  /// - Throws: `.invalidArgument` for a path that is taken, belongs to another file or has several
  ///   names, `.readOnly` and `.cannotOpen` for missing permissions, `.diskFull` if there is no room
  ///   for the copy.
  func check(_ place: FileRewriting.Place) throws(VaultError) {
    switch place {
    case .free: try checkFree()
    case .ofSource, .of: try Self.checkOneName(destination)
    }
    try checkRoom()
  }

  /// Throws if a file is at the destination, or a log with contents is next to it.
  ///
  /// The engine would play such a log into the new file. The new file itself must not have the path
  /// of a log or keyring.
  private func checkFree() throws(VaultError) {
    try CompanionFile.refuse(destination)
    var status = stat()
    for suffix in ["", "-wal", "-journal"] where lstat(destination + suffix, &status) == 0 {
      if !suffix.isEmpty, LeftoverFile.isEmpty(destination + suffix) { continue }
      throw VaultError(
        .invalidArgument,
        "'\(destination)\(suffix)' already exists and was left unchanged. Choose another path, or "
          + "move the file away first.")
    }
  }

  /// Throws if the file at a path has several names.
  static func checkOneName(_ path: String) throws(VaultError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(errno, "examine", path) }
    guard status.st_nlink == 1 else {
      throw VaultError(
        .invalidArgument,
        "'\(path)' has \(status.st_nlink) hard links, and only one of them would lead to the new "
          + "file. Remove the others, or copy the file.")
    }
  }

  private func checkRoom() throws(VaultError) {
    let folder = URL(fileURLWithPath: destination).deletingLastPathComponent().path
    guard access(folder, W_OK | X_OK) == 0 else { throw .system(errno, "write to", folder) }
    var system = statvfs()
    guard statvfs(folder, &system) == 0 else { throw .system(errno, "examine", folder) }
    let free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
    // The size of the copy and of the engine's temporary files.
    let needed = UInt64(size) + UInt64(size) / 20 + 1 << 20
    guard free >= needed else {
      throw VaultError(
        .diskFull,
        "The new file '\(destination)' needs \(needed >> 20) MiB, but its folder has only "
          + "\(free >> 20) MiB free. Free some space and try again.")
    }
  }
}
