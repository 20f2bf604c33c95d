internal import CSQLCipher

/// The tables of the file that a statement reads and can change, as the engine tells its authorizer
/// while it compiles the statement.
///
/// That is all of them, before a row is touched: the tables of triggers, of foreign-key actions and
/// of views are among them. A hook that is called for changed rows would miss the victims of a REPLACE,
/// tables without rowids and the deletion of a whole table, and would cost a call for every row.
struct CompiledTables {
  private var read: [String] = []
  private var written: [String] = []

  /// Whether something that is written was told since the tables were taken.
  var hasWritten: Bool { !written.isEmpty }

  /// Notes what the authorizer is told.
  ///
  /// - Parameter schema: The name of the database that the table is in: temporary ones do not count.
  mutating func note(
    _ code: Int32, table: UnsafePointer<CChar>?, schema: UnsafePointer<CChar>?
  ) {
    switch code {
    case SQLITE_READ:
      if let table, Self.isMain(schema) { Self.add(Self.name(table), to: &read) }
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      if let table, Self.isMain(schema) { Self.add(Self.name(table), to: &written) }
    case SQLITE_ALTER_TABLE:
      Self.add("sqlite_master", to: &written)
    default:
      break
    }
  }

  /// Gives the tables away.
  mutating func take() -> (read: [String], written: [String]) {
    defer { clear() }
    return (read, written)
  }

  mutating func clear() {
    if !read.isEmpty { read = [] }
    if !written.isEmpty { written = [] }
  }

  private static func isMain(_ schema: UnsafePointer<CChar>?) -> Bool {
    guard let schema else { return true }
    // "main"
    return schema[0] == 0x6D && schema[1] == 0x61 && schema[2] == 0x69 && schema[3] == 0x6E
      && schema[4] == 0
  }

  /// A statement tells the columns of one table after another: the last name is most likely.
  private static func add(_ name: String, to names: inout [String]) {
    if names.last != name, !names.contains(name) { names.append(name) }
  }

  /// The name with a-z for A-Z: names that differ in nothing else are one table.
  private static func name(_ name: UnsafePointer<CChar>) -> String {
    let name = String(cString: name)
    guard name.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return name }
    return String(
      decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

extension Connection {
  /// Begins anew to note which tables are written to.
  package func forgetWrittenTables() {
    writtenTables.removeAll(keepingCapacity: true)
    writtenEpoch &+= 1
  }
}
