import Foundation
import ObjectVaultDriver
import ObjectVaultKeys
import ObjectVaultPlatform

/// The private folder of a temporary vault.
///
/// While the vault lives, a file in the folder is locked by `flock`. The lock distinguishes a
/// folder in use from one that a process left behind when it ended.
package final class PrivateFolder: Sendable {
  let path: String
  /// The path of the vault's file in the folder.
  let file: String
  private let lock = Locked<Lock?>(nil)

  /// The lock of the folder.
  private struct Lock: Sendable {
    let descriptor: CInt
    /// The process that locked the folder.
    let process: Int32
  }

  init(path: String, file: String) {
    self.path = path
    self.file = file
  }

  deinit { release() }

  /// Returns an unpredictable path for a new folder.
  static func newPath(in parent: String) -> String {
    "\(parent)/\(AbandonedFolders.prefix)\(UUID().uuidString)"
  }

  /// Creates the folder for its owner only, and removes abandoned folders next to it.
  ///
  /// - Throws: `.cannotOpen` and similar codes.
  func make() throws(VaultError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno, "create", path) }
    // The name is unpredictable. The process's umask may have removed permissions.
    guard chmod(path, 0o700) == 0 else { throw .system(errno, "protect", path) }
    hold()
    AbandonedFolders.remove(
      beside: path,
      files: [file] + CompanionFile.engineSuffixes.map { file + $0 } + keyringFiles)
  }

  /// Removes the vault's files, and the folder unless it contains anything else.
  func remove() {
    for suffix in CompanionFile.engineSuffixes + [""] { unlink(file + suffix) }
    KeyringFile(besideVault: file).remove()
    unlink(lockPath)
    rmdir(path)
    release()
  }

  private var keyringFiles: [String] {
    let keyring = KeyringFile(besideVault: file)
    return [keyring.path, keyring.sparePath]
  }

  private var lockPath: String { "\(path)/\(AbandonedFolders.lockName)" }

  /// Locks the folder.
  ///
  /// If the file system does not support locks, the folder is never treated as abandoned.
  private func hold() {
    lock.withLock { lock in
      guard lock == nil else { return }
      // The file gets its final name only once it is locked, so no other process finds it unlocked.
      let unnamed = lockPath + "-"
      let descriptor = open(unnamed, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(unnamed, lockPath) == 0 else {
        unlink(unnamed)
        close(descriptor)
        return
      }
      lock = Lock(descriptor: descriptor, process: ProcessNumber.current)
    }
  }

  private func release() {
    lock.withLock { lock in
      guard let held = lock else { return }
      // Closing alone would leave the lock with a program that the application is just starting.
      // In a forked process, the lock is the parent's.
      if held.process == ProcessNumber.current { flock(held.descriptor, LOCK_UN) }
      close(held.descriptor)
      lock = nil
    }
  }
}
