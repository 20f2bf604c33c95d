package import ObjectVaultCore
import ObjectVaultSession
import ObjectVaultStores

extension Vault {
  /// Runs a statement as another program does: without the checks of SQL by hand.
  package func runAsOtherProgram(_ sql: String) throws {
    try opened().transaction { session in try session.execute(sql) }
  }
}
