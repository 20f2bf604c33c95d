import ObjectVaultDriver
import ObjectVaultModel
package import ObjectVaultSchema
import ObjectVaultSession

extension OpenDatabase {
  /// Calls `body` inside a transaction that upgrades classes.
  ///
  /// - Parameters:
  ///   - rebuilding: Whether tables may be rebuilt. Foreign keys are then neither enforced nor
  ///     followed, so `body` must maintain them.
  ///   - tables: Returns the names of the tables that the upgrade changes.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of both closures, and `.upgradeInTransaction` inside a transaction that
  ///   cannot rebuild tables.
  func upgrade<R>(
    rebuilding: Bool, changing tables: (Session) throws -> [String],
    _ body: (Session) throws -> R
  ) throws -> R {
    try excludingOthers(changing: tables) { lock in
      try upgrade(rebuilding: rebuilding) { session in
        try lock(session)
        return try body(session)
      }
    }
  }

  /// Adds the columns of removed properties that another database has, in one transaction.
  ///
  /// - Parameter all: The columns of classes that this database stores.
  /// - Throws: The errors of the statements.
  package func add(_ all: [LeftColumns]) throws {
    let missing = try read { session in
      try all.filter { try !$0.isComplete(on: session) }
    }
    if missing.isEmpty { return }
    try upgrade(rebuilding: false, changing: { _ in missing.map(\.table) }) { session in
      for one in missing {
        try one.add(on: session)
        noteChange(
          ofTable: one.table, columns: try Schema(on: session).names(of: one.table))
      }
    }
  }

  private func upgrade<R>(rebuilding: Bool, _ body: (Session) throws -> R) throws -> R {
    if !rebuilding || isUpgrading { return try transaction(body) }
    guard !sessions.isInTransaction else { throw upgradeInTransaction("must be rebuilt") }
    return try withWriter { session in
      let foreignKeys = try ForeignKeysOff(on: session.connection)
      state.isRebuilding = true
      defer {
        state.isRebuilding = false
        // A connection that does not enforce foreign keys must not be used again.
        if (try? foreignKeys.end()) == nil { sessions.writer = nil }
      }
      return try transaction(body)
    }
  }

  /// Returns the error for an upgrade that cannot be part of the transaction of this thread.
  ///
  /// - Parameter need: The part of the upgrade that is not possible.
  /// - Returns: The error.
  func upgradeInTransaction(_ need: String) -> VaultError {
    VaultError(
      .upgradeInTransaction,
      "The table of a changed class in '\(location)' \(need), which is not possible inside a "
        + "transaction. Request the class's store before the transaction begins.")
  }

  /// Whether this thread's reads see what it changes; not in a read scope outside of a transaction.
  var seesItsChanges: Bool { sessions.isInTransaction || sessions.currentScope == nil }

  /// Returns the error for a class that is first requested in a read scope, which would not see that
  /// the class was created or migrated.
  func upgradeInReadScope(of description: ClassDescription) -> VaultError {
    VaultError(
      .upgradeInTransaction,
      "The table of class '\(description.name)' in '\(location)' must be created or changed, which "
        + "this read scope would not see. Request the class's store before the scope begins.")
  }

  /// Whether this thread is inside a transaction that may rebuild tables.
  var isUpgrading: Bool { sessions.writerLock.isHeldByCurrentThread && state.isRebuilding }

  /// Records that this thread's transaction changed a table, so that the next request for its store
  /// reads it again.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - columns: The columns that the table has now, including the row ID.
  func noteChange(ofTable table: String, columns: Set<String>) {
    state.tableCache.add(.changed(table.asciiLowercasedUTF8, columns: columns))
  }

  /// Records that this thread's transaction removed a table, whose stores become invalid at the
  /// commit.
  func noteRemoval(ofTable table: String) {
    state.tableCache.add(.removed(table.asciiLowercasedUTF8))
  }
}
