import ObjectVaultSession

/// A copy of a vault that an upgrade creates before it changes stored classes.
///
/// ```swift
/// configuration.upgradeBackup = .keep
/// ```
public struct UpgradeBackup: Sendable {
  /// A copy for an upgrade that is not finished yet.
  package struct Unfinished: Sendable {
    /// Retains the copy; called right before the upgrade is committed.
    ///
    /// An error rolls the upgrade back.
    let keep: @Sendable () throws -> Void
    /// Removes the copy; called after the upgrade was rolled back.
    let discard: @Sendable () -> Void

    package init(
      keep: @escaping @Sendable () throws -> Void, discard: @escaping @Sendable () -> Void
    ) {
      self.keep = keep
      self.discard = discard
    }
  }

  /// Creates the copy of a file.
  let create: @Sendable (VaultFile, VaultConfiguration) throws -> Unfinished

  package init(
    create: @escaping @Sendable (VaultFile, VaultConfiguration) throws -> Unfinished
  ) {
    self.create = create
  }
}

/// Retains the copy for an upgrade before the upgrade is committed.
final class UpgradeBackupHook: SessionHook, @unchecked Sendable {
  /// The copy for the present transaction, and the number of the transaction.
  ///
  /// Accessed only while the writer lock is held.
  var unfinished: (transaction: Int, copy: UpgradeBackup.Unfinished)?

  func willCommit(on session: Session) throws { try unfinished?.copy.keep() }

  func didCommit(on session: Session) -> (() -> Void)? {
    unfinished = nil
    return nil
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
    guard upgradeBackups.unfinished?.transaction != transaction else { return }
    let copy = try backup.create(self, settings)
    upgradeBackups.unfinished = (transaction, copy)
    sessions.onRollback { [upgradeBackups] in
      copy.discard()
      upgradeBackups.unfinished = nil
    }
  }
}
