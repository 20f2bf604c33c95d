package import ObjectVaultDriver
import ObjectVaultKeys
package import ObjectVaultSession
import ObjectVaultStores
import Synchronization

// Checks before each use of the file, and the description of its errors.

extension VaultFile {
  package func connectWriter() throws -> Session {
    guard let opened else {
      throw VaultError(
        .invalidated,
        "The vault '\(path)' in memory is lost, because the engine could not roll back a failed "
          + "transaction. Create a new one.")
    }
    // Another file must not be taken for a damaged one, or for one under another key.
    try checkNotReplaced()
    return try opened.connect(.writer, path: path, settings: settings)
  }

  package func checkWritable() throws {
    guard isReadOnly else { return }
    throw VaultError(
      .readOnly,
      "'\(path)' is open for reading only, because of `isReadOnly` or the file's permissions. "
        + "Change that and open it again to write.")
  }

  package func validate(_ session: Session) throws {
    try checkNotReplaced()
    try syncCommits(of: session)
    try tellReady(session)
  }

  package func describe(_ error: any Error) -> any Error {
    do {
      switch error {
      case let error as DriverError:
        // The removal may have happened between the check and the use.
        try sessions.checkUsable()
        if let violation = constraintError(error) { return violation }
        return VaultError.from(error, path: path)
      case let error as VaultError where error.code == .replaced:
        try sessions.checkUsable()
        return error
      case let error as KeyError: return VaultError(error, path: path)
      default: return error
      }
    } catch {
      return error
    }
  }

  /// Throws if the path no longer leads to the open file.
  ///
  /// Without this check, an insert into a replaced file would succeed and be lost.
  ///
  /// - Throws: `.replaced`.
  func checkNotReplaced() throws {
    guard let identity else { return }
    try Self.checkPath(path, leadsTo: identity)
  }

  package static func checkPath(
    _ path: String, leadsTo identity: HeldFile.Identity
  ) throws(VaultError) {
    guard HeldFile.Identity(path: path) == identity else {
      throw VaultError(
        .replaced,
        "'\(path)' was removed or replaced by another file after this vault was opened. Nothing "
          + "was written. Close the vault and open it again.")
    }
  }

  // MARK: Durability

  private static let syncKey = SessionKey { SyncedCommits() }

  /// Whether each commit of a session is on the disk before it returns, at the request of a later
  /// handle.
  private final class SyncedCommits {
    var isOn = false
  }

  /// Gives the file the durability of a later handle if that is stricter.
  func raiseDurability(to durability: VaultConfiguration.Durability) {
    if durability == .powerFailure, settings.durability != .powerFailure {
      syncsCommits.store(true, ordering: .releasing)
    }
  }

  /// Applies the raised durability to the session that writes, outside of transactions.
  private func syncCommits(of session: Session) throws {
    guard syncsCommits.load(ordering: .acquiring), session === sessions.writer,
      !session[Self.syncKey].isOn
    else { return }
    try session.connection.set("synchronous", to: "2", expecting: "2")
    session[Self.syncKey].isOn = true
  }

  // MARK: Hooks of the application

  /// Notifies the hooks of a connection that it is ready, once the file is ready.
  private func tellReady(_ session: Session) throws {
    guard let hooked = session.hooked, isReady.load(ordering: .acquiring) else { return }
    session.mustAlwaysBeValidated = false
    do {
      try hooked.ready(session)
    } catch {
      session.isRejected = true
      throw error
    }
  }

  /// Marks the file as upgraded to the program's schema, so that its connections are ready.
  func becomeReady() throws {
    guard !settings.hooks.isEmpty, !isReady.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    if isReadOnly { try read { _ in } } else { try withWriter { _ in } }
  }
}
