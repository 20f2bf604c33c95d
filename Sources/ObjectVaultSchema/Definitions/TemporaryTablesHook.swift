import ObjectVaultSession

/// Creates the usual temporary tables before a transaction of the application.
package final class TemporaryTablesHook: SessionHook {
  package init() {}

  func willBeginForApplication(on session: Session) throws { try session.makeTemporaryTables() }
}
