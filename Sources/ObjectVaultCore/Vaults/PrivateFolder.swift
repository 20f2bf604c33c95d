import Foundation
import ObjectVaultKeys

/// The folder that a temporary vault has for itself.
///
/// While the vault lives, a file in it is locked by `flock`: what a process left that ended without
/// removing it is told from what another one is using.
final class PrivateFolder: Sendable {
  let path: String
  /// The vault's file in it.
  let file: String
  private let lock = Locked<CInt?>(nil)

  init(path: String, file: String) {
    self.path = path
    self.file = file
  }

  deinit { release() }

  /// A path for one that nobody can know beforehand.
  static func newPath(in parent: String) -> String {
    "\(parent)/\(AbandonedFolders.prefix)\(UUID().uuidString)"
  }

  /// Makes it, for its owner only, and removes those beside it that ended processes have left.
  ///
  /// - Throws: `.cannotOpen` and its like.
  func make() throws(VaultError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno, "create", path) }
    // Nobody can know the name beforehand; the mask of the process may have taken rights away.
    guard chmod(path, 0o700) == 0 else { throw .system(errno, "protect", path) }
    hold()
    AbandonedFolders.remove(
      beside: path, files: [file, file + "-journal", file + "-wal", file + "-shm"] + keyringFiles)
  }

  /// Removes the file with what belongs to it, and the folder unless something else was put there.
  func remove() {
    for suffix in ["-journal", "-wal", "-shm", ""] { unlink(file + suffix) }
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

  /// Locks the folder, where the file system knows locks; where not, nobody takes it for abandoned.
  private func hold() {
    lock.withLock { lock in
      guard lock == nil else { return }
      // It gets its name when it is locked: nobody finds it before.
      let unnamed = lockPath + "-"
      let descriptor = open(unnamed, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(unnamed, lockPath) == 0 else {
        unlink(unnamed)
        close(descriptor)
        return
      }
      lock = descriptor
    }
  }

  private func release() {
    lock.withLock { lock in
      guard let descriptor = lock else { return }
      // Closing alone would leave the lock with a program that the application is just starting.
      flock(descriptor, LOCK_UN)
      close(descriptor)
      lock = nil
    }
  }
}
