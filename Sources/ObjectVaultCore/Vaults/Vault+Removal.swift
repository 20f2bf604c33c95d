import Foundation
import ObjectVaultKeys

extension Vault {
  /// Removes the vault at `path` with everything that belongs to it: the write-ahead log, its
  /// index, the journal, the keyring beside it. Every handle on it made before is invalid from then on.
  ///
  /// No key is asked for: who may write to the folder may remove the file.
  ///
  /// - Throws: ``VaultError``: `.noSuchFile` where there is none, `.cannotOpen` where rights are
  ///   missing, `.invalidArgument` inside a transaction of the vault.
  public static func remove(at path: String) throws {
    let path = try canonical(path)
    var removed: [VaultHandle]?
    while removed == nil {
      guard let identity = HeldFile.Identity(path: path) else {
        throw VaultError(.noSuchFile, "There is no vault at '\(path)' to remove. Check the path.")
      }
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        throw VaultError(.cannotOpen, "'\(path)' is a folder, not a vault. Check the path.")
      }
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      guard access(folder, W_OK | X_OK) == 0 else {
        throw VaultError.system(errno, "remove", path)
      }
      // Not while others wait to open the file: who writes now may be opening a handle.
      for file in HandleRegistry.files(with: identity) { try file.invalidate() }
      removed = try HandleRegistry.whileOpening(path) {
        // Opened anew in the meantime, or replaced: once more.
        guard HeldFile.Identity(path: path) == identity,
          HandleRegistry.files(with: identity).isEmpty
        else { return nil }
        return try unlinkAll(path)
      }
    }
    for handle in removed ?? [] { handle.events.post(.removed) }
  }

  /// - Returns: The handles for which the removal is news.
  private static func unlinkAll(_ path: String) throws -> [VaultHandle] {
    // The log goes first: one that outlived its file would be played into the next of its name.
    for suffix in ["-journal", "-wal", "-shm"] { unlink(path + suffix) }
    guard unlink(path) == 0 else { throw VaultError.system(errno, "remove", path) }
    // After the file, which would be lost without it.
    KeyringFile(besideVault: path).remove()
    return HandleRegistry.handles(at: path).filter { $0.becomeRemoved() }
  }

  /// Removes this vault's file; see ``remove(at:)``. A vault whose file was never made is only
  /// made invalid; one in memory is gone.
  public func removeFile() throws {
    if place.isMemory {
      try handle.openFile?.invalidate()
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
