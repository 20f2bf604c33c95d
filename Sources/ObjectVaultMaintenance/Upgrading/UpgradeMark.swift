import Foundation
import ObjectVaultDriver
import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultPlatform

/// The mark of a copy for an upgrade that has not been committed, `.NAME.upgrading` in the folder of
/// the vault.
///
/// A process that ends during an upgrade leaves the copy with its mark. The vault is then as it was,
/// so the next upgrade removes both. Upgrades hold the vault's writer lock: a mark that exists when
/// one begins is that of a terminated process.
package struct UpgradeMark: Sendable {
  /// The path of the copy.
  let copy: String
  private let path: String

  /// Describes the mark of a copy.
  ///
  /// - Parameters:
  ///   - vault: The path of the vault.
  ///   - number: The number of the copy, from 1.
  init(ofVaultAt vault: String, number: Int) {
    let name = vault.fileName
    let end = number == 1 ? "" : "-\(number)"
    copy = "\(vault).before-upgrade\(end)"
    path = "\(vault[..<name.startIndex]).\(name).upgrading\(end)"
  }

  /// Returns the paths of the marked copies of the vault at a path.
  package static func markedCopies(ofVaultAt vault: String) -> [String] {
    var copies: [String] = []
    var number = 1
    while true {
      let mark = UpgradeMark(ofVaultAt: vault, number: number)
      guard mark.exists || mark.isTaken else { return copies }
      if mark.exists { copies.append(mark.copy) }
      number += 1
    }
  }

  /// Whether the copy is marked.
  var exists: Bool { access(path, F_OK) == 0 }

  /// Whether the copy or its keyring exists.
  var isTaken: Bool {
    access(copy, F_OK) == 0 || access(copy + ".keyring", F_OK) == 0
  }

  /// Marks the copy, which does not exist yet.
  ///
  /// - Throws: An error if a system call fails.
  func make() throws(VaultError) {
    let descriptor = open(
      path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw .system(errno, "create", path) }
    close(descriptor)
  }

  /// Removes the mark from a copy that must be retained.
  ///
  /// - Throws: An error if the mark remains, or could come back after a power failure.
  func remove() throws(VaultError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .system(errno, "remove", path) }
    try CopyInWork.syncFolder(of: path)
  }

  /// Removes the copy, whatever part of it exists, and then its mark.
  func discardCopy() {
    try? Vault.remove(at: copy)
    _ = try? CopyInWork.removeAbandoned(of: copy)
    guard access(copy, F_OK) != 0 else { return }
    KeyringFile(besideVault: copy).remove()
    unlink(path)
  }
}
