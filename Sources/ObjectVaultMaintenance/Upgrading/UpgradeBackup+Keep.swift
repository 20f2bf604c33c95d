import Foundation
import Logging
public import ObjectVaultFile

extension UpgradeBackup {
  /// Copies the vault under its own key, and keeps the copy.
  ///
  /// The copy is `PATH.before-upgrade`, or `PATH.before-upgrade-2` and so on if that name is taken.
  /// It holds the committed contents; the copy of a vault with a keyring has a keyring too. The
  /// application removes copies that it no longer needs. An upgrade without room for the copy is
  /// rejected, and a failed upgrade leaves no copy.
  public static let keep = UpgradeBackup { file, settings in
    let copy = freePath(for: file.path)
    _ = try file.backup(to: copy, key: nil, settings: settings)
    file.settings.logger?.info(
      "vault copied before an upgrade", metadata: ["path": "\(file.path)", "copy": "\(copy)"])
    // Otherwise repeated attempts would pile up copies.
    return { try? Vault.remove(at: copy) }
  }

  /// Returns a path for a copy, which never replaces the copy of an earlier upgrade.
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

extension VaultConfiguration {
  /// Whether an upgrade that changes stored classes first copies the vault under its own key.
  @available(*, deprecated, message: "Use 'upgradeBackup = .keep'.")
  public var keepsPreimage: Bool {
    get { upgradeBackup != nil }
    set { upgradeBackup = newValue ? .keep : nil }
  }
}
