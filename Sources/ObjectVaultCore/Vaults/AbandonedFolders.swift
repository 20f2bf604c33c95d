import Foundation

/// The folders of temporary vaults whose processes ended without removing them.
///
/// Only what is certain is removed: a folder with a name of ours, of this user and closed to others, in
/// which a file of ours is locked by nobody; and of it only files of a temporary vault. No link is
/// followed, nothing is waited for, and what cannot be done is left.
enum AbandonedFolders {
  /// What the names of the folders begin with; a UUID follows.
  static let prefix = "objectvault-"
  /// The file that is locked as long as the vault lives.
  static let lockName = "lock"
  /// How many are looked at: a folder for temporary files may have many of others.
  private static let limit = 64

  /// Removes those beside the folder of a vault.
  ///
  /// - Parameters:
  ///   - folder: The folder of a vault that lives.
  ///   - files: What such a folder has, by its paths in that one.
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
    // Whoever had it may have ended in this moment, and another be at work under the same name.
    var named = stat()
    guard fstatat(folder, lockName, &named, AT_SYMLINK_NOFOLLOW) == 0,
      named.st_ino == facts.st_ino, named.st_dev == facts.st_dev
    else { return }
    for file in files { unlinkat(folder, file, 0) }
    unlinkat(folder, lockName, 0)
    unlinkat(parent, name, AT_REMOVEDIR)
  }
}
