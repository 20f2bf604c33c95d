import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultSchema
import ObjectVaultSession

/// Deletes the contents that `ov_share` stored in a transaction for rows that were not stored.
///
/// The function stores a content before the engine decides about its row: a conflict that is ignored
/// or a trigger can prevent it.
final class UnusedContentsHook: SessionHook {
  func didBegin(on session: Session, isNested: Bool) {
    if !isNested { session.engine.firstRowOfFunctions = nil }
  }

  func willCommit(on session: Session) throws {
    guard let first = session.engine.firstRowOfFunctions else { return }
    try SharedBlobs.deleteUnused(from: first, on: session)
  }
}
