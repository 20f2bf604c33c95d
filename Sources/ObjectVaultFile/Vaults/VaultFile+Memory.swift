import Logging
package import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultKeys
import ObjectVaultSchema
package import ObjectVaultSession
import ObjectVaultStores

extension VaultFile {
  /// Creates a vault in memory.
  static func inMemory(_ path: String, settings: VaultConfiguration) throws -> VaultFile {
    let connection = Session(
      try Connection.inMemory(options: settings.connectionOptions(.writer)))
    try VaultFunctions.install(on: connection.engine)
    try connection.tell(HookedConnection(settings, path: path, role: .writer))
    try connection.execute("BEGIN IMMEDIATE")
    try SystemTables(connection).create(vaultID: nil)
    try connection.execute("COMMIT")
    settings.logger?.debug("opened in memory", metadata: ["path": "\(path)"])
    return VaultFile(path: path, opened: nil, settings: settings, writer: connection)
  }

  /// Returns a session on a copy, for an iteration that outlasts a call.
  package func copy(of session: Session) throws -> Session {
    let copy = Session(
      try session.engine.copyInMemory(options: settings.connectionOptions(.reader)))
    try VaultFunctions.install(on: copy.engine)
    try copy.tell(HookedConnection(settings, path: path, role: .reader))
    try validate(copy)
    return copy
  }
}

extension VaultError {
  /// Returns the error for an operation that requires a file.
  package static func inMemory(_ path: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "The vault '\(path)' is in memory, but this operation needs a file. Use `backup(to:key:)` to "
        + "store it in an encrypted file.")
  }
}
