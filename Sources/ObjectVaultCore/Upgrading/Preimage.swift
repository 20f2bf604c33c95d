import Foundation
import Logging

/// A copy of a vault as it was before an upgrade changed it: `PATH.before-upgrade`, or the first of
/// `PATH.before-upgrade-2`, … that is free. What an earlier upgrade left is never touched.
struct Preimage {
  let path: String

  /// Copies what is committed, under the vault's key; the copy of a vault with a keyring has one.
  init(of file: VaultFile, settings: VaultConfiguration) throws {
    path = Self.freePath(for: file.path)
    _ = try file.backup(to: path, key: nil, settings: settings)
    file.settings.logger?.info(
      "vault copied before an upgrade", metadata: ["path": "\(file.path)", "copy": "\(path)"])
  }

  /// Removes it, where nothing came of the upgrade: who tries again and again leaves no heap of them.
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
