import ObjectVaultCore
import ObjectVaultSession

/// The vaults that operations inside a transaction of records use.
///
/// An operation uses the vault of the transaction even if the vault's name has been assigned to
/// another vault since. The scope belongs to the thread, as the transaction does: tasks created
/// inside do not inherit it.
final class TransactionScope {
  /// The vault of operations that name no vault, if a transaction named one.
  let vault: Vault?
  /// The vaults of the open transactions.
  let held: [MeantVault]

  /// The scope of the innermost transaction on this thread.
  static var current: TransactionScope? { ThreadState.current.recordScope as? TransactionScope }

  /// Calls `body` in the scope of a transaction.
  ///
  /// - Parameters:
  ///   - meant: The vault of the transaction.
  ///   - isNamed: Whether operations that name no vault use this one.
  ///   - body: The closure to call.
  /// - Returns: The return value of `body`.
  static func with<R>(_ meant: MeantVault, isNamed: Bool, _ body: () throws -> R) rethrows -> R {
    let (record, outer) = (ThreadState.current, current)
    record.recordScope = TransactionScope(
      vault: isNamed ? meant.vault : outer?.vault, held: (outer?.held ?? []) + [meant])
    defer { record.recordScope = outer }
    return try body()
  }

  private init(vault: Vault?, held: [MeantVault]) { (self.vault, self.held) = (vault, held) }
}
