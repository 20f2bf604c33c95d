import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

/// A plan that creates a table with a new definition and moves the rows to it.
///
/// It runs outside the application's transactions and with foreign keys off, because the engine
/// would treat the removal of the old table as the removal of all its objects.
///
/// The steps follow SQLite's documentation, "Making Other Kinds Of Table Schema Changes".
package struct TableRebuild {
  /// A column of the new table and the expression that fills it.
  struct Source {
    var column: String
    /// An SQL expression over the old table, which is named `o`.
    var expression: String
  }

  let table: PresentTable
  /// The name of the table after the rebuild.
  let name: String
  /// The text of the new table.
  var text: TableText
  /// The sources of the new columns.
  ///
  /// Columns without a source get their default.
  let sources: [Source]
  /// The values of the parameters in the expressions.
  let values: [StoredValue]
  /// The new names of renamed columns, by the old names in lower case.
  let renamed: [String: String]
  /// The names of the indexes and triggers that are not created again.
  let replaced: Set<String>
  /// Whether the object IDs are numbers that the vault generated.
  var areGenerated = false

  private var temporaryName: String { "ov_rebuild_\(name)" }

  /// Creates the new table under a temporary name and fills it.
  func copy(on session: Session) throws {
    try session.execute(text.statement(named: temporaryName))
    let columns = sources.map { SQL.quoted($0.column) }.joined(separator: ", ")
    let expressions = sources.map(\.expression).joined(separator: ", ")
    let order = table.order("o")
    // OR FAIL: the statement needs no statement journal, since an error rolls back the whole
    // upgrade.
    let statement = try session.connection.prepare(
      "INSERT OR FAIL INTO \(SQL.quoted(temporaryName)) (\(columns)) SELECT \(expressions) "
        + "FROM \(SQL.quoted(table.name)) AS o"
        + (order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))"), persistent: false)
    let binder = statement.binder
    for (position, value) in values.enumerated() { value.bind(to: binder, at: position) }
    try statement.run()
  }

  /// Returns the name of the first object that the new table rejects, after ``copy(on:)`` failed,
  /// or `nil` if the objects have no order.
  func firstRejected(on session: Session) throws -> String? {
    let copied = try session.with("SELECT count(*) FROM \(SQL.quoted(temporaryName))") {
      try $0.count()
    }
    return try ObjectNames(table: table, areGenerated: areGenerated, session: session)
      .name(after: Int64(copied))
  }

  /// Replaces the old table by the new one and retains the last generated number.
  ///
  /// The number is also retained for a table that generates none: its class can get generated object
  /// IDs again.
  func replace(on session: Session) throws {
    let former = GeneratedSequence(table: table.name)
    let sequence = try former.recorded(on: session)
    try former.forget(on: session)
    try session.execute("DROP TABLE \(SQL.quoted(table.name))")
    try session.execute(
      "ALTER TABLE \(SQL.quoted(temporaryName)) RENAME TO \(SQL.quoted(name))")
    // The engine derives the number from the rows that exist in the new table.
    if let sequence {
      try GeneratedSequence(table: name).raise(to: sequence, on: session)
    }
  }

  /// Creates the indexes and triggers again that were dropped with the old table.
  ///
  /// - Throws: ``DriverError`` if the engine rejects a statement.
  func restoreObjects(on session: Session) throws {
    for index in table.indexes where !replaced.contains(index.name) {
      try session.execute(
        statement(of: index) { tokens in
          guard let opening = tokens.firstIndex(where: { $0.text == "(" }) else { return }
          rename(in: &tokens, opening..<tokens.count)
        })
    }
    for trigger in table.triggers where !replaced.contains(trigger.name) {
      // The columns after UPDATE OF get their new names. The body of the trigger is not changed.
      try session.execute(
        statement(of: trigger) { tokens in
          guard
            let start = tokens.indices.first(where: {
              $0 > 0 && tokens[$0].keyword == "of" && tokens[$0 - 1].keyword == "update"
            }), let end = tokens.firstIndex(where: { $0.keyword == "on" }), start < end
          else { return }
          rename(in: &tokens, start..<end)
        })
    }
  }

  /// Returns the statement that creates an index or trigger again, on the table's new name.
  private func statement(
    of object: Schema.Object, renaming: (inout [SQLToken]) -> Void
  ) -> String {
    if renamed.isEmpty, name == table.name { return object.sql }
    var tokens = SQLToken.tokens(of: object.sql)
    renaming(&tokens)
    if let on = tokens.firstIndex(where: { $0.keyword == "on" }), on + 1 < tokens.count {
      // Neither statement allows a qualified name such as `ON main.t`.
      tokens[on + 1] = .named(name)
    }
    return SQLToken.text(tokens)
  }

  private func rename(in tokens: inout [SQLToken], _ range: Range<Int>) {
    for index in range where tokens[index].kind != .string {
      if let name = tokens[index].name, let newName = renamed[name.asciiLowercased] {
        tokens[index] = .named(newName)
      }
    }
  }
}
