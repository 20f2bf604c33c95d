import ObjectVaultCore

/// What operations inside a transaction of records hold on to: each goes to the vault of the
/// transaction, also when the name of that means another one by then.
///
/// It is the thread's, as the transaction is: tasks that are made inside have nothing to do with it.
final class TransactionScope {
  /// The vault of operations that name none, where a transaction named one.
  let vault: Vault?
  /// The vaults of the open transactions.
  let held: [MeantVault]

  /// The scope of the innermost transaction of this thread.
  static var current: TransactionScope? { ThreadRecord.current.recordScope as? TransactionScope }

  /// Calls `body` in a transaction of a vault.
  ///
  /// - Parameter isNamed: Whether operations that name no vault go to this one.
  static func with<R>(_ meant: MeantVault, isNamed: Bool, _ body: () throws -> R) rethrows -> R {
    let (record, outer) = (ThreadRecord.current, current)
    record.recordScope = TransactionScope(
      vault: isNamed ? meant.vault : outer?.vault, held: (outer?.held ?? []) + [meant])
    defer { record.recordScope = outer }
    return try body()
  }

  private init(vault: Vault?, held: [MeantVault]) { (self.vault, self.held) = (vault, held) }
}
