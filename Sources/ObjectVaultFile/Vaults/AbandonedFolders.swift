import Foundation

/// The folders of temporary vaults that ended processes did not remove.
///
/// Only a certain match is removed. The folder has a name of this library, belongs to this user, is
/// closed to others, and contains a lock file of this library that no process has locked. Only
/// files of a temporary vault are removed from it. No link is followed, nothing waits, and errors
/// leave the folder as it is.
enum AbandonedFolders {
  /// The prefix of the folder names; a UUID follows.
  static let prefix = "objectvault-"
  /// The name of the file that is locked while the vault lives.
  static let lockName = "lock"
  /// The largest number of folders to inspect; a temporary folder may contain many others.
  private static let limit = 64

  /// Removes the abandoned folders next to the folder of a vault.
  ///
  /// - Parameters:
  ///   - folder: The folder of a live vault.
  ///   - files: The paths of the files that such a folder contains, in that folder.
  static func remove(beside folder: String, files: [String]) {
    let own = URL(fileURLWithPath: folder)
    let names = files.map { URL(fileURLWithPath: $0).lastPathComponent }
    guard let directory = opendir(own.deletingLastPathComponent().path) else { return }
    defer { closedir(directory) }
    var found: [String] = []
    while found.count < limit, let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != own.lastPathComponent, isName(name) { found.append(name) }
    }
    for name in found { remove(name, in: dirfd(directory), files: names) }
  }

  private static func isName(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let id = String(name.dropFirst(prefix.count))
    return UUID(uuidString: id)?.uuidString == id
  }

  private static func remove(_ name: String, in parent: CInt, files: [String]) {
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    var facts = stat()
    guard fstat(folder, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o777 == 0o700
    else { return }
    let lock = openat(folder, lockName, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard lock >= 0 else { return }
    defer { close(lock) }
    guard fstat(lock, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_uid == geteuid(), flock(lock, LOCK_EX | LOCK_NB) == 0
    else { return }
    defer { flock(lock, LOCK_UN) }
    // The owner may have just ended, and another process may use the same name.
    var named = stat()
    guard fstatat(folder, lockName, &named, AT_SYMLINK_NOFOLLOW) == 0,
      named.st_ino == facts.st_ino, named.st_dev == facts.st_dev
    else { return }
    for file in files { unlinkat(folder, file, 0) }
    unlinkat(folder, lockName, 0)
    unlinkat(parent, name, AT_REMOVEDIR)
  }
}
