import ObjectVaultDriver
import ObjectVaultEngine

/// A table of any program, with the information required to read and write all of its rows.
struct StoredTable {
  let name: String
  /// The columns with stored values, in the order of declaration.
  ///
  /// Generated columns are not included.
  let columns: [String]
  /// The name that reads and writes the rowid, or `nil` if the table has no rowid or a column holds
  /// it.
  ///
  /// The name is also `nil` if the table's columns use all three names of the rowid. The rowid is
  /// inaccessible in such a table, except by the order of the rows.
  let rowidName: String?

  init(_ name: String, in connection: Connection) throws(DriverError) {
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
    // A primary key without an index is the rowid, or the key of a table without rowids.
    let needsIndex = try Self.indexOrigins(of: quoted, in: connection).contains("pk")
    guard primaryKey != 1 || needsIndex else {
      rowidName = nil
      return
    }
    let taken = try Self.allColumns(of: quoted, in: connection, or: columns)
    rowidName = ["rowid", "oid", "_rowid_"].first { name in
      // An unquoted name is never treated as a text if the column does not exist.
      !taken.contains(name)
        && (try? connection.prepare("SELECT \(name) FROM \(quoted)", persistent: false)) != nil
    }
  }

  private static func indexOrigins(
    of table: String, in connection: Connection
  ) throws(DriverError) -> [String] {
    let indexes = try connection.prepare("PRAGMA index_list(\(table))", persistent: false)
    var origins: [String] = []
    while try indexes.step() { origins.append(indexes.row.text(at: 3) ?? "") }
    return origins
  }

  /// Returns the lower-case names of all columns, including generated columns.
  private static func allColumns(
    of table: String, in connection: Connection, or columns: [String]
  ) throws(DriverError) -> Set<String> {
    var names = Set(columns.map { $0.lowercased() })
    // Engines without generated columns do not know this pragma and return no row.
    let described = try connection.prepare("PRAGMA table_xinfo(\(table))", persistent: false)
    while try described.step() { names.insert(described.row.text(at: 1)?.lowercased() ?? "") }
    return names
  }

  // MARK: SQL

  private var copied: String {
    ((rowidName.map { [$0] } ?? []) + columns.map(SQL.quoted)).joined(separator: ", ")
  }

  /// A query for all stored values of the rows, in table order.
  var selection: String { "SELECT \(copied) FROM \(SQL.quoted(name)) NOT INDEXED" }

  /// A query for all stored and computed values of the rows, in table order.
  var wholeSelection: String {
    "SELECT \(rowidName.map { $0 + ", " } ?? "")* FROM \(SQL.quoted(name)) NOT INDEXED"
  }

  /// The number of values that ``selection`` returns and ``insertion`` binds.
  var valueCount: Int { columns.count + (rowidName == nil ? 0 : 1) }

  /// A statement that inserts one row.
  ///
  /// It fails on a conflict, whatever conflict clause the table declares.
  var insertion: String {
    "INSERT OR FAIL INTO \(SQL.quoted(name))(\(copied)) VALUES(\(SQL.parameters(0..<valueCount)))"
  }
}
