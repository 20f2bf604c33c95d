public import Foundation
import ObjectVaultDriver

extension Database {
  /// Removes the objects that have expired, as if by ``Query/remove()``.
  ///
  /// Everything that is deleted with them is removed too, and observers are notified. Each batch is
  /// a transaction of its own, so other threads can write in between; if one fails, the earlier
  /// ones remain, its rule ends, and the other rules are applied.
  ///
  /// - Parameters:
  ///   - rules: The rules, which are applied one after the other.
  ///   - date: The date at which the objects have expired; now by default.
  ///   - batch: The greatest number of objects of a transaction, at least 1.
  /// - Returns: The number of removed objects, without those that were deleted with them.
  /// - Throws: ``VaultError``: `.invalidArgument` for a batch of less than 1. After all rules were
  ///   applied, the first error of a rule: those of ``Query/remove()``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func removeExpired(
    by rules: [ExpiryRule], at date: Date = Date(), batch: Int = 1_000
  ) throws -> Int {
    guard batch >= 1 else {
      throw VaultError(
        .invalidArgument, "A batch of expired objects has at least 1 object, not \(batch).")
    }
    var count = 0
    var failure: (any Error)?
    for rule in rules {
      do {
        count += try rule.removeExpired(from: self, at: date, batch: batch)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return count
  }
}
