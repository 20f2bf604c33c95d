import ObjectVaultSession

/// Creates the usual temporary tables before a transaction of the application.
final class TemporaryTablesHook: SessionHook {
  func willBeginForApplication(on session: Session) throws { try session.makeTemporaryTables() }
}
