import ObjectVaultEngine

/// A table of any program, as far as reading all of its rows and writing them elsewhere needs it.
struct StoredTable {
  let name: String
  /// The columns that hold values of their own, in the order of their declaration. Generated ones are
  /// not among them.
  let columns: [String]
  /// The name by which the rowid can be read and written; `nil` where there is none, and where a
  /// column holds it.
  ///
  /// There is none either in a table whose columns take all three names of the rowid. Nobody can ask
  /// for it there, but for the order of the rows.
  let rowidName: String?

  init(_ name: String, in connection: Connection) throws(EngineError) {
    self.name = name
    let quoted = SQL.quoted(name)
    var columns: [String] = []
    var primaryKey = 0
    let described = try connection.prepare("PRAGMA table_info(\(quoted))", persistent: false)
    while try described.step() {
      columns.append(described.row.text(at: 1) ?? "")
      if described.row.integer(at: 5) > 0 { primaryKey += 1 }
    }
    self.columns = columns
    // A primary key that needs no index is the rowid. A table without rowids has one too.
    let needsIndex = try Self.indexOrigins(of: quoted, in: connection).contains("pk")
    guard primaryKey != 1 || needsIndex else {
      rowidName = nil
      return
    }
    let taken = try Self.allColumns(of: quoted, in: connection, or: columns)
    rowidName = ["rowid", "oid", "_rowid_"].first { name in
      // Without quotes the engine does not take a name for a text where there is no such column.
      !taken.contains(name)
        && (try? connection.prepare("SELECT \(name) FROM \(quoted)", persistent: false)) != nil
    }
  }

  private static func indexOrigins(
    of table: String, in connection: Connection
  ) throws(EngineError) -> [String] {
    let indexes = try connection.prepare("PRAGMA index_list(\(table))", persistent: false)
    var origins: [String] = []
    while try indexes.step() { origins.append(indexes.row.text(at: 3) ?? "") }
    return origins
  }

  /// The names of all columns in lower case, those of generated columns too.
  private static func allColumns(
    of table: String, in connection: Connection, or columns: [String]
  ) throws(EngineError) -> Set<String> {
    var names = Set(columns.map { $0.lowercased() })
    // Unknown to engines that have no generated columns; no row then.
    let described = try connection.prepare("PRAGMA table_xinfo(\(table))", persistent: false)
    while try described.step() { names.insert(described.row.text(at: 1)?.lowercased() ?? "") }
    return names
  }

  // MARK: SQL

  private var copied: String {
    ((rowidName.map { [$0] } ?? []) + columns.map(SQL.quoted)).joined(separator: ", ")
  }

  /// All that a row holds, in the table's own order.
  var selection: String { "SELECT \(copied) FROM \(SQL.quoted(name)) NOT INDEXED" }

  /// All that a row holds or computes, in the table's own order.
  var wholeSelection: String {
    "SELECT \(rowidName.map { $0 + ", " } ?? "")* FROM \(SQL.quoted(name)) NOT INDEXED"
  }

  /// How many values ``selection`` gives, and ``insertion`` takes.
  var valueCount: Int { columns.count + (rowidName == nil ? 0 : 1) }

  /// Writes one row. A conflict fails, whatever the table declares to happen then.
  var insertion: String {
    "INSERT OR FAIL INTO \(SQL.quoted(name))(\(copied)) VALUES(\(SQL.parameters(0..<valueCount)))"
  }
}
