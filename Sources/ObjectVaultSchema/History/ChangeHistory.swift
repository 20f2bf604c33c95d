import ObjectVaultDriver
import ObjectVaultModel
package import ObjectVaultSession

/// The tables of the change history.
///
/// Triggers write one row for each change of an object, in its transaction. The sequence numbers
/// have no gaps, and a committed one is never used again.
package enum ChangeHistory {
  /// The table of changes.
  package static let table = "objectvault_history"
  /// The table with the author of the running transaction; empty between transactions.
  ///
  /// It is a table instead of an SQL function, so that the triggers work in programs without the
  /// library.
  package static let author = "objectvault_author"

  /// The kinds of changes, as the table stores them.
  package enum Kind: String {
    case inserted, updated, removed
    /// Recording began: the class enabled it, its objects got other object IDs, its triggers were
    /// missing, or its table was dropped without a record.
    case started
    /// The table of the class was dropped with all objects.
    case dropped
  }

  private static let definitions = [
    "CREATE TABLE IF NOT EXISTS \(table) (\"sequence\" INTEGER PRIMARY KEY AUTOINCREMENT, "
      + "\"time\" REAL NOT NULL, \"author\" TEXT, \"table\" TEXT NOT NULL, \"objectID\", "
      + "\"kind\" TEXT NOT NULL, \"properties\" TEXT)",
    "CREATE TABLE IF NOT EXISTS \(author) (\"author\" TEXT NOT NULL)",
  ]

  /// Creates missing tables and states the author of the transaction in them; inside a transaction.
  package static func create(on session: Session) throws {
    for sql in definitions { try session.execute(sql) }
    if let author = session.author { try setAuthor(author, on: session) }
  }

  /// Returns the statement that adds a row.
  ///
  /// OR FAIL: no constraint can reject the row, and without it each deletion would open a statement
  /// journal, which SQLCipher 3.4 encrypts page by page.
  ///
  /// - Parameters:
  ///   - kind: The kind of change.
  ///   - table: SQL for the name of the table.
  ///   - objectID: SQL for the object ID.
  ///   - properties: SQL for the names of the changed properties.
  /// - Returns: The SQL text.
  static func insertion(
    _ kind: Kind, ofTable table: String, objectID: String = "NULL", properties: String = "NULL"
  ) -> String {
    "INSERT OR FAIL INTO \(Self.table) (\"time\", \"author\", \"table\", \"objectID\", \"kind\", "
      + "\"properties\") VALUES (\(SQLiteCatalog().now), (SELECT \"author\" FROM \(author)), "
      + "\(table), \(objectID), '\(kind.rawValue)', \(properties))"
  }

  /// Records an event of a whole table; inside a transaction.
  package static func record(_ kind: Kind, ofTable table: String, on session: Session) throws {
    try session.with(insertion(kind, ofTable: "?1")) {
      $0.binder.bind(text: table, at: 0)
      try $0.run()
    }
  }

  /// Gives the recorded changes of a table its new name; inside a transaction.
  static func rename(_ old: String, to new: String, on session: Session) throws {
    try session.with("UPDATE \(table) SET \"table\" = ?2 WHERE \"table\" = ?1") {
      let binder = $0.binder
      binder.bind(text: old, at: 0)
      binder.bind(text: new, at: 1)
      try $0.run()
    }
  }

  /// Returns whether the history of a table that the file lacks is complete: it has no changes of
  /// the table, or ends with its removal.
  static func isOver(forTable name: String, on session: Session) throws -> Bool {
    try session.with(
      "SELECT \"kind\" FROM \(table) WHERE \"table\" = ?1 ORDER BY \"sequence\" DESC LIMIT 1"
    ) { statement in
      statement.binder.bind(text: name, at: 0)
      guard try statement.step() else { return true }
      return statement.row.text(at: 0) == Kind.dropped.rawValue
    }
  }

  /// Records the removal of a dropped table whose class has a history; inside a transaction.
  package static func forget(table: String, on session: Session) throws {
    guard try Schema(on: session).hasTable(Self.table),
      try SystemTables(session).description(ofTable: table)?.options.history == .changes
    else { return }
    try record(.dropped, ofTable: table, on: session)
  }

  /// Sets the author of the following changes of the transaction.
  ///
  /// The row is not counted as a change of the transaction, which deletes it before its commit.
  package static func setAuthor(_ author: String?, on session: Session) throws {
    try session.changingTemporaryTables {
      try session.execute("DELETE FROM \(Self.author)")
      guard let author else { return }
      try session.with("INSERT INTO \(Self.author) VALUES (?1)") {
        $0.binder.bind(text: author, at: 0)
        try $0.run()
      }
    }
  }
}

/// The author of the changes on a session.
private final class SessionAuthor {
  var author: String?
}

extension Session {
  private static let authorKey = SessionKey { SessionAuthor() }

  /// The author of the following changes of the transaction; `nil` for none.
  ///
  /// A history that the transaction creates states it; see ``ChangeHistory/create(on:)``.
  package var author: String? {
    get { self[Self.authorKey].author }
    set { self[Self.authorKey].author = newValue }
  }
}
