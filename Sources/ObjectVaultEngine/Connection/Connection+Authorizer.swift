internal import CSQLCipher
import ObjectVaultDriver

/// An action of a statement that is being compiled.
package struct AuthorizerAction {
  /// The action's code, such as `SQLITE_DELETE`.
  package let code: Int32
  let first: UnsafePointer<CChar>?
  let second: UnsafePointer<CChar>?
  let third: UnsafePointer<CChar>?
  let fourth: UnsafePointer<CChar>?

  /// The first argument, for most actions the table's name.
  package var table: String? { first.map { String(cString: $0) } }
  /// The second argument, for some actions a column's name.
  package var detail: String? { second.map { String(cString: $0) } }
  /// The name of the database: `main` or `temp`.
  package var schema: String? { third.map { String(cString: $0) } }
  /// Whether the action reads the column ``detail`` of the table.
  package var isRead: Bool { code == SQLITE_READ }
  /// The trigger or view that causes the action, or `nil` if the statement itself does.
  package var origin: String? { fourth.map { String(cString: $0) } }
}

package enum AuthorizerAnswer: Int32, Sendable {
  case allow = 0
  case deny = 1
  /// Allows a deletion of all rows of a table, but row by row.
  case allowByRow = 2
}

extension Connection {
  /// The protected pragmas, in addition to all whose names begin with `cipher`.
  ///
  /// They would write unencrypted data to the disk, change the key or the encryption of pages, or
  /// disable a protection. Only ``setPragma(_:to:expecting:)`` sets them.
  private static let protectedPragmas: Set<String> = [
    "temp_store", "temp_store_directory", "key", "rekey", "hexkey", "hexrekey", "textkey",
    "textrekey", "kdf_iter", "fast_kdf_iter", "rekey_kdf_iter", "rekey_cipher", "page_size",
    "mmap_size", "trusted_schema", "writable_schema", "foreign_keys",
  ]

  /// The functions that load code or write whole databases.
  private static let refusedFunctions: Set<String> = [
    "load_extension", "fts3_tokenizer", "sqlcipher_export",
  ]

  private func isProtected(_ pragma: String) -> Bool {
    pragma.hasPrefix("cipher") || Connection.protectedPragmas.contains(pragma)
  }

  func installAuthorizer() {
    sqlite3_set_authorizer(
      database,
      { context, code, first, second, schema, origin in
        guard let context else { return SQLITE_DENY }
        let connection = Connection.from(context)
        if connection.record.compiled.note(code, table: first, detail: second, schema: schema) {
          connection.compiledWriteCount &+= 1
        }
        let answer = connection.authorize(
          AuthorizerAction(
            code: code, first: first, second: second, third: schema, fourth: origin))
        if answer == SQLITE_DENY { connection.hasRefused = true }
        return answer
      }, context)
  }

  private func authorize(_ action: AuthorizerAction) -> Int32 {
    switch action.code {
    case SQLITE_PRAGMA:
      if action.second != nil, let name = action.table?.lowercased(),
        name != pragmaBeingSet, isProtected(name)
      {
        refusal = "Only the library may set PRAGMA \(name). Use the vault's configuration."
        return SQLITE_DENY
      }
    case SQLITE_ATTACH:
      // VACUUM attaches a database without a name, which is held in memory. A file attached without
      // its own key could be written unencrypted.
      if action.first.map({ $0[0] != 0 }) ?? true {
        refusal =
          "Statements with ATTACH are not available, because the other file could be unencrypted. "
          + "Open the other file as a separate vault."
        return SQLITE_DENY
      }
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      // A trigger of the application also runs for the library's own statements.
      if let origin = action.origin, StatementScreen.isReserved(action.table),
        !StatementScreen.isReserved(origin)
      {
        refusal =
          "The trigger '\(origin)' writes to a table of the library, which is not allowed. Drop "
          + "the trigger."
        return SQLITE_DENY
      }
    case SQLITE_FUNCTION:
      if let name = action.detail?.lowercased(), Connection.refusedFunctions.contains(name) {
        refusal = "The SQL function \(name) is not available. Write the statement without it."
        return SQLITE_DENY
      }
    default:
      break
    }
    return onAuthorize?(action).rawValue ?? SQLITE_OK
  }
}
