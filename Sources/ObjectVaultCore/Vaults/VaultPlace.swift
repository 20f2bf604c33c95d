import Foundation
import ObjectVaultKeys

/// Where a vault is kept.
enum VaultPlace: Sendable {
  /// In a file that stays, under a key.
  case file(VaultKey)
  /// In a file that goes with the vault, under a key that nobody is told.
  case temporary(PrivateFolder, VaultKey)
  /// In no file.
  case memory

  var isMemory: Bool { if case .memory = self { true } else { false } }

  /// What encrypts the file; `nil` in memory.
  var key: VaultKey? {
    switch self {
    case .file(let key), .temporary(_, let key): key
    case .memory: nil
    }
  }

  var folder: PrivateFolder? { if case .temporary(let folder, _) = self { folder } else { nil } }
}

/// The folder that a temporary vault has for itself.
struct PrivateFolder: Sendable {
  let path: String
  /// The vault's file in it.
  let file: String

  /// Makes it, for its owner only.
  ///
  /// - Throws: `.cannotOpen` and its like.
  func make() throws(VaultError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno, "create", path) }
    // Nobody can know the name beforehand; the mask of the process may have taken rights away.
    guard chmod(path, 0o700) == 0 else { throw .system(errno, "protect", path) }
  }

  /// Removes the file with what belongs to it, and the folder unless something else was put there.
  func remove() {
    for suffix in ["-journal", "-wal", "-shm", ""] { unlink(file + suffix) }
    KeyringFile(besideVault: file).remove()
    rmdir(path)
  }
}

extension VaultConfiguration {
  /// - Throws: `.invalidArgument` for a setting out of range, or that only a file that stays can have.
  fileprivate func check(_ isRefused: Bool, _ what: String, _ place: VaultPlace) throws(VaultError)
  {
    guard isRefused else { return }
    throw VaultError(
      .invalidArgument,
      "A vault \(place.isMemory ? "in memory" : "in a temporary file") is new and ends with its last "
        + "handle: the configuration's \(what) means nothing for it. Leave that setting as it is.")
  }

  func validate(forVaultThatEnds place: VaultPlace) throws(VaultError) {
    try validate()
    try check(isReadOnly, "isReadOnly", place)
    try check(creation == .never, "creation", place)
    try check(keepsPreimage, "keepsPreimage", place)
  }
}
