import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession

/// States the author of each transaction in the file, for the history triggers.
///
/// The author is in the file only while the transaction is open, so that it is never recorded for
/// changes of other programs.
final class AuthorHook: SessionHook, @unchecked Sendable {
  /// The author of transactions that set no other one.
  private let author: String?
  // Accessed only while the writer lock is held.
  /// The version of the schema for which ``hasHistory`` was read.
  private var schemaVersion: Int64?
  private var hasHistory = false
  /// Whether the open transaction may have a row with its author.
  private var isStated = false
  /// The authors before the open savepoints, outermost first.
  private var savepoints: [String?] = []
  /// The error with which the author of the open transaction could not be stated.
  private var failure: (any Error)?

  init(author: String?) { self.author = author }

  func didBegin(on session: Session, isNested: Bool) {
    if isNested { return savepoints.append(session.author) }
    (isStated, failure, savepoints) = (false, nil, [])
    session.author = nil
    guard let author else { return }
    do { try set(author, on: session) } catch { failure = error }
  }

  func willCommit(on session: Session) throws {
    if let failure { throw failure }
    if isStated, try hasHistory(session) { try ChangeHistory.setAuthor(nil, on: session) }
  }

  func didKeep(on session: Session) { savepoints.removeLast() }

  func didUndo(on session: Session) {
    session.author = savepoints.popLast() ?? nil
    // After a rollback, another schema may get the same version.
    schemaVersion = nil
  }

  /// Sets the author of the following changes of the transaction.
  ///
  /// If the file has no history yet, its creation states the author.
  func set(_ author: String?, on session: Session) throws {
    isStated = true
    session.author = author
    guard try hasHistory(session) else { return }
    try ChangeHistory.setAuthor(author, on: session)
  }

  private func hasHistory(_ session: Session) throws -> Bool {
    let version = try session.schemaVersion()
    if version != schemaVersion {
      hasHistory = try Schema(on: session).hasTable(ChangeHistory.author)
      schemaVersion = version
    }
    return hasHistory
  }
}
