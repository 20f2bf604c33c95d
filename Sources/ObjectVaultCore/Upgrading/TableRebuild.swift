import ObjectVaultCondition
import ObjectVaultEngine

/// Makes a table anew and moves its rows there: outside the application's transactions and with
/// foreign keys off, since the engine would take the old table's removal for one of all its objects.
///
/// The steps are those of SQLite's documentation, "Making Other Kinds Of Table Schema Changes".
struct TableRebuild {
  /// A column of the new table, and what fills it.
  struct Source {
    var column: String
    /// SQL over the old table, which is `o`.
    var expression: String
  }

  let table: PresentTable
  /// What the table is called afterwards.
  let name: String
  /// The text of the new table.
  var text: TableText
  /// What fills its columns; those that are not named get their default.
  let sources: [Source]
  /// The values of the parameters in the expressions.
  let values: [StoredValue]
  /// The columns that changed their names: the new ones by the old ones in lower case.
  let renamed: [String: String]

  private var temporaryName: String { "ov_rebuild_\(name)" }

  /// Makes the new table and fills it.
  func copy(on connection: VaultConnection) throws {
    try connection.execute(text.statement(named: temporaryName))
    let columns = sources.map { SQL.quoted($0.column) }.joined(separator: ", ")
    let expressions = sources.map(\.expression).joined(separator: ", ")
    let order = table.order("o")
    // OR FAIL: the statement keeps no journal of its own, and an error undoes the whole upgrade.
    let statement = try connection.engine.prepare(
      "INSERT OR FAIL INTO \(SQL.quoted(temporaryName)) (\(columns)) SELECT \(expressions) "
        + "FROM \(SQL.quoted(table.name)) AS o"
        + (order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))"), persistent: false)
    let binder = statement.binder
    for (position, value) in values.enumerated() { value.bind(to: binder, at: position) }
    try statement.run()
  }

  /// Puts the new table in the place of the old one, with the number that was given last.
  func replace(on connection: VaultConnection) throws {
    let sequence = try sequence(on: connection)
    try connection.execute("DROP TABLE \(SQL.quoted(table.name))")
    try connection.execute(
      "ALTER TABLE \(SQL.quoted(temporaryName)) RENAME TO \(SQL.quoted(name))")
    if text.isAutoincrement, let sequence { try raise(to: sequence, on: connection) }
  }

  private func sequence(on connection: VaultConnection) throws -> Int64? {
    guard try Schema(on: connection).hasTable("sqlite_sequence") else { return nil }
    return try connection.with("SELECT seq FROM sqlite_sequence WHERE name = ?1") { statement in
      statement.binder.bind(text: table.name, at: 0)
      return try statement.step() ? statement.row.integer(at: 0) : nil
    }
  }

  /// The engine counts from the rows that are there; those that were removed count too.
  private func raise(to sequence: Int64, on connection: VaultConnection) throws {
    func run(_ sql: String) throws {
      try connection.with(sql) { statement in
        let binder = statement.binder
        binder.bind(text: name, at: 0)
        binder.bind(integer: sequence, at: 1)
        try statement.run()
      }
    }
    try run("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1")
    try run(
      "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 "
        + "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)")
  }

  /// Makes the indexes and triggers again that went with the old table.
  ///
  /// - Parameter isKept: Which indexes are to be made.
  func restoreObjects(on connection: VaultConnection, isKept: (String) -> Bool) throws {
    for index in table.indexes where isKept(index.name) {
      try connection.execute(
        statement(of: index) { tokens in
          guard let opening = tokens.firstIndex(where: { $0.text == "(" }) else { return }
          rename(in: &tokens, opening..<tokens.count)
        })
    }
    for trigger in table.triggers {
      // The columns that it is for have their new names; what it does is its own.
      try connection.execute(
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

  /// The statement that makes an index or trigger again, on the table as it is called now.
  private func statement(
    of object: Schema.Object, renaming: (inout [SQLToken]) -> Void
  ) -> String {
    if renamed.isEmpty, name == table.name { return object.sql }
    var tokens = SQLToken.tokens(of: object.sql)
    renaming(&tokens)
    if let on = tokens.firstIndex(where: { $0.keyword == "on" }), on + 1 < tokens.count {
      // `ON main.t` is possible for neither.
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
