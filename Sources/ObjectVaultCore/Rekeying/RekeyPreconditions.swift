import Foundation

/// What must be so before a file is touched that another is to take the place of.
struct RekeyPreconditions {
  let path: String
  let size: Int

  /// - Throws: `.invalidArgument` for a file with several names, `.readOnly` and `.cannotOpen` for
  ///   missing rights, `.diskFull` where there is no room for the copy.
  func check() throws(VaultError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(errno, "examine", path) }
    guard status.st_nlink == 1 else {
      throw VaultError(
        .invalidArgument,
        "'\(path)' has \(status.st_nlink) names (hard links), and only one of them would lead to the "
          + "new file. Remove the others, or copy the file.")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard access(folder, W_OK | X_OK) == 0 else { throw .system(errno, "write to", folder) }
    var system = statvfs()
    guard statvfs(folder, &system) == 0 else { throw .system(errno, "examine", folder) }
    let free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
    // The copy, and what the engine keeps beside it for a moment.
    let needed = UInt64(size) + UInt64(size) / 20 + 1 << 20
    guard free >= needed else {
      throw VaultError(
        .diskFull,
        "The copy of '\(path)' needs \(needed >> 20) MiB in its folder, where \(free >> 20) MiB are "
          + "free. Make room and try again.")
    }
  }
}
