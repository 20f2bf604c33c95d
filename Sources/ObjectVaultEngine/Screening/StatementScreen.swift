internal import CSQLCipher
package import ObjectVaultDriver

/// The rules for SQL statements of the application.
///
/// A statement may do anything with the application's own tables, but must not change the key, a
/// setting or a transaction of the library. Actions that the engine does not report, or reports
/// with an unknown number, are rejected.
final class StatementScreen {
  private(set) var droppedTables: [String] = []
  private(set) var alteredTables: [String] = []
  private(set) var insertedTables: Set<String> = []
  private(set) var updatedColumns: [String: Set<String>] = [:]
  private(set) var emptiedTables: Set<String> = []
  private(set) var changesSchema = false
  private(set) var refusal: String?
  private var actionCount = 0
  /// Whether the engine reported a pragma that returns a setting.
  private var tellsSetting = false
  /// Whether the engine may write to its own tables, because an earlier action requires it.
  private var mayWriteOwnTables = false
  /// Whether the engine must remove all rows of a table one by one.
  private let removesByRow: Bool

  init(removingByRow removesByRow: Bool) { self.removesByRow = removesByRow }

  /// The prefix of the names of tables, indexes and triggers that is reserved for the library.
  static let reservedPrefix = "objectvault_"

  static func isReserved(_ name: String?) -> Bool {
    name?.lowercased().utf8.starts(with: reservedPrefix.utf8) ?? false
  }

  func judge(_ action: AuthorizerAction) -> AuthorizerAnswer {
    actionCount += 1
    guard let reason = refusal(of: action) else {
      guard isRemoval(action), let table = action.table else { return .allow }
      emptiedTables.insert(table)
      return removesByRow ? .allowByRow : .allow
    }
    if refusal == nil { refusal = reason }
    return .deny
  }

  /// Whether an action deletes rows of a table that is neither dropped nor the engine's own.
  private func isRemoval(_ action: AuthorizerAction) -> Bool {
    action.code == SQLITE_DELETE && !changesSchema
      && !(action.table?.lowercased() ?? "").hasPrefix("sqlite_")
  }

  /// Whether the engine reported no action of the statement.
  var heardNothing: Bool { actionCount == 0 }

  /// Whether the statement only returns a setting.
  var tellsOnly: Bool { tellsSetting && actionCount == 1 }

  private func refusal(of action: AuthorizerAction) -> String? {
    switch action.code {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, 33 /* SQLITE_RECURSIVE */:
      return nil
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      note(action)
      return refusalToWrite(action)
    case SQLITE_CREATE_INDEX, SQLITE_CREATE_TABLE, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VIEW,
      SQLITE_DROP_INDEX, SQLITE_DROP_TRIGGER, SQLITE_DROP_VIEW:
      return refusalToChangeSchema(action)
    case SQLITE_CREATE_VTABLE:
      guard let module = action.detail?.lowercased(), Self.modules.contains(module) else {
        return
          "SQL may create virtual tables only with the modules fts3, fts4, fts5 and rtree. Use one "
          + "of these."
      }
      return refusalToChangeSchema(action)
    case SQLITE_DROP_TABLE, SQLITE_DROP_VTABLE:
      droppedTables.append(action.table ?? "")
      return refusalToChangeSchema(action)
    case SQLITE_ALTER_TABLE:
      guard action.table != "temp" else { return Self.temporary }
      alteredTables.append(action.detail ?? "")
      changesSchema = true
      mayWriteOwnTables = true
      return Self.isReserved(action.detail) ? Self.reserved(action.detail) : nil
    case SQLITE_ANALYZE, SQLITE_REINDEX:
      changesSchema = true
      mayWriteOwnTables = true
      return nil
    case SQLITE_PRAGMA:
      return refusal(ofPragma: action.table?.lowercased() ?? "", argument: action.detail)
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      return "SQL cannot begin or end transactions. Use vault.transaction { }."
    case SQLITE_ATTACH, SQLITE_DETACH:
      return
        "Statements with ATTACH or DETACH are not available, because the other file could be "
        + "unencrypted. Open the other file as a separate vault."
    case SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_TRIGGER,
      SQLITE_CREATE_TEMP_VIEW, SQLITE_DROP_TEMP_INDEX, SQLITE_DROP_TEMP_TABLE,
      SQLITE_DROP_TEMP_TRIGGER, SQLITE_DROP_TEMP_VIEW:
      return Self.temporary
    default:
      return
        "The statement performs an action that is not available in SQL (action \(action.code)). "
        + "Use the vault's methods."
    }
  }

  /// Records an insertion or update, unless a trigger of the library performs it.
  private func note(_ action: AuthorizerAction) {
    guard !Self.isReserved(action.origin), let table = action.table else { return }
    if action.code == SQLITE_INSERT {
      insertedTables.insert(table)
    } else if action.code == SQLITE_UPDATE {
      updatedColumns[table, default: []].insert(action.detail ?? "")
    }
  }

  private func refusalToWrite(_ action: AuthorizerAction) -> String? {
    let name = action.table?.lowercased() ?? ""
    // The engine itself rejects writes there, except to create and change tables. It reports some
    // temporary ones by this insertion alone.
    if ["sqlite_master", "sqlite_temp_master"].contains(name) {
      return action.code == SQLITE_INSERT && action.schema == "temp" ? Self.temporary : nil
    }
    if action.schema == "temp" { return Self.temporary }
    // The library's own triggers may write to the tables that they maintain.
    if Self.isReserved(name) {
      return Self.isReserved(action.origin) ? nil : Self.reserved(action.table)
    }
    // Statistics are written before the ANALYZE action is reported.
    if name.hasPrefix("sqlite_"), !name.hasPrefix("sqlite_stat"), !mayWriteOwnTables {
      return
        "The engine maintains its table '\(name)' itself, and SQL cannot write to it. Write to "
        + "your own tables."
    }
    return nil
  }

  private func refusalToChangeSchema(_ action: AuthorizerAction) -> String? {
    // "CREATE TABLE temp.a" has no action of its own, unlike "CREATE TEMP TABLE a".
    if action.schema == "temp" { return Self.temporary }
    changesSchema = true
    mayWriteOwnTables = true
    if Self.isReserved(action.table) {
      if action.code == SQLITE_DROP_TRIGGER, let table = droppedTables.last {
        return Self.maintained(table)
      }
      return Self.reserved(action.table)
    }
    if Self.isReserved(action.detail) { return Self.reserved(action.detail) }
    return nil
  }

  private func refusal(ofPragma name: String, argument: String?) -> String? {
    if Self.describing.contains(name) { return nil }
    if Self.telling.contains(name), argument == nil {
      tellsSetting = true
      return nil
    }
    // This setting belongs to the application.
    if name == "user_version" {
      if argument != nil { changesSchema = true }
      return nil
    }
    return
      "PRAGMA \(name) is not available in SQL, because the library sets it. Use the vault's "
      + "configuration."
  }

  private static func reserved(_ name: String?) -> String {
    "'\(name ?? "")' belongs to the library. SQL can only read names that begin with "
      + "\(reservedPrefix). Use another name for your own table."
  }

  private static func maintained(_ table: String) -> String {
    "SQL cannot drop table '\(table)', because its class has a full-text index, shared blobs, a "
      + "history or an ordered list. Call removeStore(of:)."
  }

  private static let temporary =
    "Temporary tables are not available, because they belong to only one of the vault's "
    + "connections. Use a subquery or a table of the vault."

  private static let modules: Set<String> = ["fts3", "fts4", "fts5", "rtree"]

  /// The pragmas that describe the schema and change nothing, whatever their argument.
  private static let describing: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check",
  ]

  /// The pragmas that return a setting if they have no argument.
  private static let telling: Set<String> = [
    "application_id", "auto_vacuum", "cache_size", "cipher_version", "collation_list",
    "compile_options", "data_version", "database_list", "encoding", "foreign_keys",
    "freelist_count", "journal_mode", "page_count", "page_size", "schema_version",
    "secure_delete", "synchronous", "temp_store",
  ]
}

extension Connection {
  /// Compiles one SQL statement of the application.
  ///
  /// - Parameters:
  ///   - sql: The text of the statement.
  ///   - removesByRow: Whether a removal of all rows of a table must remove them one by one.
  /// - Returns: The statement and its effects on the schema.
  /// - Throws: The errors of ``prepare(_:persistent:)``; ``DriverError/Code/notAuthorized``, with
  ///   the reason, for an action that the application's SQL may not perform.
  package func prepareScreened(
    _ sql: String, removingByRow removesByRow: Bool
  ) throws(DriverError) -> ScreenedStatement {
    let screen = StatementScreen(removingByRow: removesByRow)
    let outer = onAuthorize
    onAuthorize = { screen.judge($0) }
    defer { onAuthorize = outer }
    let statement: Statement
    hasRefused = false
    do {
      statement = try prepare(sql, persistent: false)
    } catch {
      // For functions and similar cases, the engine reports an error of the SQL.
      guard hasRefused else { throw error }
      throw DriverError(
        .notAuthorized, screen.refusal ?? error.message, resultCode: SQLITE_AUTH)
    }
    return ScreenedStatement(
      statement: statement, droppedTables: screen.droppedTables,
      alteredTables: screen.alteredTables, insertedTables: screen.insertedTables,
      updatedColumns: screen.updatedColumns, emptiedTables: screen.emptiedTables,
      changesSchema: screen.changesSchema,
      isSilent: screen.heardNothing, tellsOnly: screen.tellsOnly)
  }
}
