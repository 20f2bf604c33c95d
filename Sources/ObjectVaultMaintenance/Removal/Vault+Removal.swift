import Foundation
import ObjectVaultDriver
public import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultStores

extension Vault {
  /// Removes the vault at `path` with its write-ahead log, its log index, its journal, its keyring,
  /// and the temporary copies that terminated processes left behind.
  ///
  /// Every existing handle on it becomes invalid. No key is required: anyone who may write to the
  /// folder may remove the file. In a folder with the sticky bit, such as `/tmp`, only the owner of
  /// the file or of the folder may.
  ///
  /// Missing permissions are found before anything is changed, and the handles stay usable. If the
  /// system rejects the removal for another reason, the file remains, but the handles of this
  /// process are invalid: create new ones.
  ///
  /// - Parameter path: The path of the vault.
  /// - Throws: ``VaultError``: `.noSuchFile` if the file is missing, `.cannotOpen` if permissions
  ///   are missing, `.invalidArgument` inside a transaction of the vault.
  @available(*, noasync, message: "It blocks its thread. Run it on a thread of its own.")
  public static func remove(at path: String) throws {
    let path = try canonical(path)
    var removed: [DatabaseHandle]?
    while removed == nil {
      guard let identity = HeldFile.Identity(path: path) else {
        throw VaultError(
          .noSuchFile, "The vault '\(path)' is missing, so it cannot be removed. Check the path.")
      }
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        throw VaultError(.cannotOpen, "'\(path)' is a folder, not a vault. Check the path.")
      }
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      guard access(folder, W_OK | X_OK) == 0 else {
        throw VaultError.system(errno, "remove", path)
      }
      guard mayUnlink(path, in: folder) else { throw VaultError.system(EPERM, "remove", path) }
      // Not while holding the opening lock: an active writer may be opening a handle.
      for file in HandleRegistry.files(with: identity) { try file.invalidate() }
      removed = try HandleRegistry.whileOpening(path) {
        // The file was opened again or replaced in the meantime: repeat.
        guard HeldFile.Identity(path: path) == identity,
          HandleRegistry.files(with: identity).isEmpty
        else { return nil }
        return try unlinkAll(path)
      }
    }
    for handle in removed ?? [] { handle.events.post(.removed) }
  }

  /// Returns whether the sticky bit of a folder allows this user to remove a file.
  private static func mayUnlink(_ path: String, in folder: String) -> Bool {
    var (file, parent) = (stat(), stat())
    guard stat(folder, &parent) == 0, parent.st_mode & S_ISVTX != 0, lstat(path, &file) == 0 else {
      return true
    }
    let user = geteuid()
    return [0, file.st_uid, parent.st_uid].contains(user)
  }

  /// Deletes all files of the vault.
  ///
  /// - Returns: The handles that were not marked as removed before.
  private static func unlinkAll(_ path: String) throws -> [DatabaseHandle] {
    let logs = try LogsAside(of: path)
    // Remove the log first: a log that outlives its file would be replayed into the next file of
    // that name.
    for suffix in CompanionFile.engineSuffixes { unlink(path + suffix) }
    guard unlink(path) == 0 else { throw VaultError.system(errno, "remove", path) }
    logs.remove()
    // After the file, whose second name the copy can be. One of an interrupted encryption is in
    // plaintext.
    _ = try? CopyInWork.removeAbandoned(of: path)
    RehearsalCopies(ofVaultAt: path).removeAbandonedIfMarked()
    // After the file, which would be unreadable without it.
    KeyringFile(besideVault: path).remove()
    return HandleRegistry.handles(at: path).filter { $0.becomeRemoved() }
  }

  /// Removes this vault's file; see ``remove(at:)``.
  ///
  /// If the file was never created, the handle only becomes invalid. A vault in memory is
  /// discarded.
  ///
  /// - Throws: ``VaultError`` as ``remove(at:)``, except `.noSuchFile`.
  @available(*, noasync, message: "It blocks its thread. Run it on a thread of its own.")
  public func removeFile() throws {
    if place.isMemory {
      try openFile?.invalidate()
      if handle.becomeRemoved() { events.post(.removed) }
      return
    }
    do {
      try Self.remove(at: path)
    } catch let error as VaultError where error.code == .noSuchFile {
      if handle.becomeRemoved() { events.post(.removed) }
    }
  }
}
