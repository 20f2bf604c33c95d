import Logging
public import ObjectVaultFile

extension UpgradeBackup {
  /// Copies the vault under its own key, and keeps the copy.
  ///
  /// The copy is `PATH.before-upgrade`, or `PATH.before-upgrade-2` and so on if that name is taken.
  /// It holds the committed contents; the copy of a vault with a keyring has a keyring too. The
  /// application removes copies that it no longer needs. An upgrade without room for the copy is
  /// rejected, and a failed upgrade leaves no copy. The copy for an upgrade whose process was
  /// killed is removed by the next upgrade.
  public static let keep = UpgradeBackup { file, settings in
    let mark = freeMark(for: file.path)
    let copy = mark.copy
    // These vaults have no file next to which a copy could be.
    if !file.isInMemory, !file.isTemporary { try mark.make() }
    do {
      _ = try file.backup(to: copy, key: nil, settings: settings)
    } catch {
      mark.discardCopy()
      throw error
    }
    file.settings.logger?.info(
      "vault copied before an upgrade", metadata: ["path": "\(file.path)", "copy": "\(copy)"])
    // Otherwise repeated attempts would pile up copies.
    return Unfinished(keep: { try mark.remove() }, discard: { mark.discardCopy() })
  }

  /// Returns the mark of a new copy, which never replaces the copy of an earlier upgrade.
  ///
  /// Removes the copies for upgrades that were not committed.
  private static func freeMark(for path: String) -> UpgradeMark {
    var number = 1
    while true {
      let mark = UpgradeMark(ofVaultAt: path, number: number)
      if mark.exists { mark.discardCopy() }
      if !mark.isTaken { return mark }
      number += 1
    }
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
