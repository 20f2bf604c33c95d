import ObjectVaultCondition
package import ObjectVaultDriver
package import ObjectVaultEngine
import ObjectVaultSchema
import ObjectVaultStores

/// The SQL functions and collations of every connection to a vault.
package enum VaultFunctions {
  /// Registers those of conditions, and these:
  ///
  /// - `ov_bm25` returns the relevance of a row for a full-text search.
  /// - `ov_has_words` returns whether a text of an object contains a term of a search.
  /// - `ov_share`, `ov_digest` and `ov_content` read and write shared blobs.
  ///
  /// - Parameter connection: The connection.
  /// - Throws: The error of the engine if it rejects a function.
  package static func install(on connection: Connection) throws(DriverError) {
    try ConditionFunctions.install(on: connection, folding: .standard)
    try SearchScore.install(on: connection)
    try SharedBlobFunctions.install(on: connection)
  }
}
