import Logging
import ObjectVaultDriver
package import ObjectVaultModel
import ObjectVaultSchema
package import ObjectVaultSession

extension Database {
  /// Calls `body` with a compiled statement on a connection that may run it.
  package func run<R>(_ statement: SQLStatement, _ body: (SQLRun) throws -> R) throws -> R {
    let opened = try opened()
    // A statement that writes needs no reader connection, unless a read-only database rejects it.
    let keyword = SQLToken.firstKeyword(of: statement.sql)
    if opened.isReadOnly || !Self.writingKeywords.contains(keyword) {
      let result = try opened.readForStatement { session -> R? in
        let run = try SQLRun(statement, on: session)
        guard run.isReadOnly else { return nil }
        defer { run.statement.reset() }
        return .some(try body(run))
      }
      if let result { return result }
    }
    return try opened.transaction { session in
      try perform(SQLRun(statement, on: session), on: session, body)
    }
  }

  /// The first words of statements that change the file.
  private static var writingKeywords: [String?] {
    ["insert", "update", "delete", "replace", "create", "drop", "alter", "reindex", "analyze"]
  }

  /// Calls `body` with a statement inside a transaction and handles its schema changes.
  package func perform<R>(
    _ run: SQLRun, on session: Session, _ body: (SQLRun) throws -> R
  ) throws -> R {
    var dropped: [(table: String, description: ClassDescription?)] = []
    for table in run.screened.droppedTables {
      let description = try knownClass(ofTable: table, on: session)
      if let description { try checkNotReferredTo(description, on: session) }
      dropped.append((table, description))
    }
    let altered = try run.screened.alteredTables.map { table in
      (table, try knownClass(ofTable: table, on: session))
    }
    // SQLite reports neither the new name of a renamed table nor the tables created by a virtual
    // table.
    let own = run.screened.changesSchema ? try Schema(on: session).ownNames() : nil
    let result: R
    do {
      defer { run.statement.reset() }
      result = try body(run)
    }
    if let own, let name = try Schema(on: session).ownNames().subtracting(own).min() {
      throw VaultError(
        .invalidArgument,
        "'\(name)' is reserved for the library. Choose a name that does not begin with "
          + "objectvault_.")
    }
    for (table, description) in dropped {
      try forgetTable(table, className: description?.name, on: session)
    }
    for (table, description) in altered {
      try settle(altered: table, description, on: session)
    }
    return result
  }

  /// Returns the class recorded for a table, or `nil`, also for a file without classes.
  private func knownClass(
    ofTable table: String, on session: Session
  ) throws -> ClassDescription? {
    guard try Schema(on: session).hasTable("objectvault_classes") else { return nil }
    return try SystemTables(session).description(ofTable: table)
  }

  private func settle(
    altered table: String, _ description: ClassDescription?, on session: Session
  ) throws {
    let columns = try Schema(on: session).names(of: table)
    if !columns.isEmpty { return try opened().noteChange(ofTable: table, columns: columns) }
    if let description {
      throw VaultError(
        .invalidArgument,
        "The table of class '\(description.name)' cannot be renamed by SQL, because the vault "
          + "stores the class under its name. Set the old name as `renamedFrom` in the class's "
          + "description.")
    }
    try opened().noteRemoval(ofTable: table)
  }
}

extension Database {
  /// Removes the class, the full-text index and the stores of a dropped table.
  func forgetTable(
    _ table: String, className: String?, on session: Session
  ) throws {
    let opened = try opened()
    try Schema(on: session).forget(table: table)
    opened.noteRemoval(ofTable: table)
    guard let className else { return }
    opened.sessions.afterCommit { [path = handle.location, logger = handle.options.logger] in
      logger?.info("store removed", metadata: ["path": "\(path)", "class": "\(className)"])
      opened.post(.storeRemoved(className))
    }
  }
}
