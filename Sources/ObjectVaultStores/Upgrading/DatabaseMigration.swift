import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSession

/// A migration of classes in a vault.
struct DatabaseMigration: MigrationSession {
  let database: any Database
  let opened: any OpenDatabase

  func execute(_ statement: SQLStatement) throws -> Int { try run(statement) { try $0.finish() } }

  func rows(_ statement: SQLStatement) throws -> [[StoredValue]] {
    try run(statement) { try $0.allValues() }
  }

  private func run<R>(_ statement: SQLStatement, _ body: (SQLRun) throws -> R) throws -> R {
    guard opened.sessions.isInTransaction else {
      throw VaultError(
        .invalidArgument,
        "The context was used after its migration ended. Use it only inside the call.")
    }
    return try opened.join { session in
      try database.perform(SQLRun(statement, on: session), on: session, body)
    }
  }
}

extension MigrationContext {
  /// The database.
  ///
  /// Its stores take part in the transaction of the upgrade.
  public var database: any Database { migration.database }

  /// The migration; every context of a vault is created with one.
  var migration: DatabaseMigration { session as! DatabaseMigration }
}
