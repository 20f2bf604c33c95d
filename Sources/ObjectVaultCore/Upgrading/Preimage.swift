import Foundation
import Logging

/// A copy of a vault before an upgrade changed it.
///
/// The path is `PATH.before-upgrade`, or the first free path of `PATH.before-upgrade-2`, … Copies
/// of earlier upgrades are never changed.
struct Preimage {
  let path: String

  /// Copies the committed contents under the vault's key.
  ///
  /// The copy of a vault with a keyring has a keyring too.
  init(of file: VaultFile, settings: VaultConfiguration) throws {
    path = Self.freePath(for: file.path)
    _ = try file.backup(to: path, key: nil, settings: settings)
    file.settings.logger?.info(
      "vault copied before an upgrade", metadata: ["path": "\(file.path)", "copy": "\(path)"])
  }

  /// Removes the copy after a failed upgrade, so that repeated attempts do not pile up copies.
  func discard() { try? Vault.remove(at: path) }

  private static func freePath(for path: String) -> String {
    let first = path + ".before-upgrade"
    var (candidate, number) = (first, 1)
    while [candidate, candidate + ".keyring"].contains(where: FileManager.default.fileExists) {
      number += 1
      candidate = "\(first)-\(number)"
    }
    return candidate
  }
}
