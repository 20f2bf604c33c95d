import ObjectVaultSession

/// A copy of a vault that an upgrade creates before it changes stored classes.
///
/// ```swift
/// configuration.upgradeBackup = .keep
/// ```
public struct UpgradeBackup: Sendable {
  /// Creates the copy of a file and returns how to remove it after a failed upgrade.
  let create: @Sendable (VaultFile, VaultConfiguration) throws -> @Sendable () -> Void

  package init(
    create: @escaping @Sendable (VaultFile, VaultConfiguration) throws -> @Sendable () -> Void
  ) {
    self.create = create
  }
}

extension VaultFile {
  /// Creates a copy of the file as it was before this thread's outermost transaction, unless that
  /// is done.
  ///
  /// The copy is removed if the transaction is rolled back.
  ///
  /// - Parameters:
  ///   - backup: The kind of copy.
  ///   - settings: The configuration that requests the copy.
  ///   - session: The session of the transaction.
  /// - Throws: The errors of creating the copy; the caller must then change nothing.
  func create(
    _ backup: UpgradeBackup, settings: VaultConfiguration, on session: Session
  ) throws {
    let transaction = session.transaction
    guard backedUpTransaction != transaction else { return }
    let discard = try backup.create(self, settings)
    backedUpTransaction = transaction
    sessions.onRollback { [unowned self] in
      discard()
      backedUpTransaction = nil
    }
  }
}
