internal import CSQLCipher

/// The tables of the file that a statement reads and can change.
///
/// The engine reports them to its authorizer while it compiles the statement, before any row is
/// changed. They include the tables of triggers, foreign-key actions and views. An update hook for
/// changed rows would miss the rows deleted by a REPLACE, tables without rowids and the deletion of
/// a whole table, and would cost a call for every row.
package struct CompiledTables {
  private var read: [String] = []
  private var written: [String] = []

  package init() {}

  /// Whether a written table was recorded since the tables were last taken.
  package var hasWritten: Bool { !written.isEmpty }

  /// Records an action reported to the authorizer.
  ///
  /// Only tables of the database `main` are recorded, not temporary tables.
  ///
  /// - Parameters:
  ///   - code: The code of the action.
  ///   - table: The first argument: a table, or the name of a pragma.
  ///   - detail: The second argument: a column, or the value of a pragma.
  ///   - schema: The name of the database; `nil` for `main`.
  /// - Returns: Whether the action writes, also if it writes to a temporary table.
  package mutating func note(
    _ code: Int32, table: UnsafePointer<CChar>?, detail: UnsafePointer<CChar>?,
    schema: UnsafePointer<CChar>?
  ) -> Bool {
    switch code {
    case SQLITE_READ:
      if let table, Self.isMain(schema) { Self.add(Self.name(table), to: &read) }
      return false
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      if let table, Self.isMain(schema) { Self.add(Self.name(table), to: &written) }
    case SQLITE_ALTER_TABLE:
      Self.add("sqlite_master", to: &written)
    case SQLITE_ANALYZE, SQLITE_REINDEX:
      // The engine reports no table if it only replaces the content of a whole one.
      if Self.isMain(schema) { Self.add("sqlite_master", to: &written) }
    case SQLITE_PRAGMA:
      // The only setting in the file that SQL of the application may change.
      guard let table, detail != nil, Self.isMain(schema), Self.name(table) == "user_version"
      else { return false }
      Self.add("sqlite_master", to: &written)
    default:
      return false
    }
    return true
  }

  /// Returns the recorded tables and clears the record.
  package mutating func take() -> (read: [String], written: [String]) {
    defer { clear() }
    return (read, written)
  }

  package mutating func clear() {
    if !read.isEmpty { read = [] }
    if !written.isEmpty { written = [] }
  }

  private static func isMain(_ schema: UnsafePointer<CChar>?) -> Bool {
    guard let schema else { return true }
    // "main"
    return schema[0] == 0x6D && schema[1] == 0x61 && schema[2] == 0x69 && schema[3] == 0x6E
      && schema[4] == 0
  }

  /// A statement reports the columns of one table after another, so the last name is the most
  /// likely.
  private static func add(_ name: String, to names: inout [String]) {
    if names.last != name, !names.contains(name) { names.append(name) }
  }

  /// Returns the name with A-Z in lower case: names that differ only in case denote the same table.
  private static func name(_ name: UnsafePointer<CChar>) -> String {
    let name = String(cString: name)
    guard name.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return name }
    return String(
      decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// The tables that the statements of one connection read and write.
@usableFromInline
package final class TableRecord {
  // Only one owner uses a connection and its statements at a time. Exclusivity checks on their
  // members would find nothing and cost a tenth of the time of a short statement.

  /// The tables that the statement being compiled reads and changes.
  package var compiled = CompiledTables()
  /// The tables that statements wrote to since ``forgetWritten()``, in lower case.
  ///
  /// Tables are included even if no row was changed, or if only cascades and triggers could reach
  /// them. `sqlite_master` stands for the schema, the statistics, the indexes as a whole and
  /// `user_version`.
  package fileprivate(set) var written: Set<String> = []
  /// A number that changes whenever written tables are cleared, so that a statement records its own
  /// once.
  fileprivate var epoch = 1

  package init() {}

  /// Clears the record of written tables.
  package func forgetWritten() {
    written.removeAll(keepingCapacity: true)
    epoch &+= 1
  }

  /// Adds tables that statements wrote to earlier.
  package func noteWritten(_ tables: Set<String>) {
    if !tables.isEmpty { written.formUnion(tables) }
  }

  /// Whether a statement that recorded its tables in an epoch must record them again.
  func isBehind(_ epoch: Int) -> Bool { compiled.hasWritten || epoch != self.epoch }

  /// Records the tables that a statement writes to.
  ///
  /// - Parameters:
  ///   - tables: The tables that the statement can change. A statement that was compiled again,
  ///     because the schema changed, can change more.
  ///   - epoch: The epoch in which the statement recorded them last.
  func note(_ tables: inout [String], _ epoch: inout Int) {
    if compiled.hasWritten {
      let others = compiled.take().written
      for table in others where !tables.contains(table) { tables.append(table) }
    }
    epoch = self.epoch
    written.formUnion(tables)
  }
}
