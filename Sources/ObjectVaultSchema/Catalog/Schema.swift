import ObjectVaultCondition
package import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// The actual schema of a file, read from the engine.
///
/// It is authoritative if it differs from the class descriptions.
package struct Schema {
  /// A column of a table.
  package struct Column {
    package var name: String
    var type: String
    package var isNotNull: Bool
    var hasDefault: Bool
    /// The position in the primary key from 1, or 0 if the column is not part of the key.
    package var primaryKeyPlace: Int
    /// The affinity of the type; see ``Catalog/affinity(ofColumn:)``.
    package let affinity: String

    package init(
      name: String, type: String, isNotNull: Bool, hasDefault: Bool, primaryKeyPlace: Int,
      affinity: String? = nil
    ) {
      self.name = name
      self.type = type
      self.isNotNull = isNotNull
      self.hasDefault = hasDefault
      self.primaryKeyPlace = primaryKeyPlace
      self.affinity = affinity ?? PropertyType.affinity(ofColumnType: type)
    }
  }

  /// The table of all other tables, which every statement reads.
  package static let table = "sqlite_master"
  /// The name under which the engine reports that a statement reads the number of a row.
  package static let rowNumber = "rowid"

  package let session: Session

  package init(on session: Session) {
    self.session = session
  }

  /// The statements that read the schema.
  var catalog: any Catalog { session.connection.catalog }

  /// Returns the name of a table as the file spells it, or `nil` if it is missing.
  ///
  /// A-Z equal a-z.
  package func tableName(like name: String) throws -> String? {
    try session.with(catalog.tableNamed) { statement in
      statement.binder.bind(text: name, at: 0)
      return try statement.step() ? statement.row.text(at: 0) : nil
    }
  }

  /// Returns whether a table with exactly this name exists.
  package func hasTable(_ name: String) throws -> Bool { try tableName(like: name) == name }

  /// Returns the names of all tables except the tables of the engine and of the library.
  package func tables() throws -> [String] {
    try names(catalog.tables)
  }

  /// Returns the names of all schema objects with the prefix that is reserved for the library.
  package func ownNames() throws -> Set<String> {
    Set(try names(catalog.ownNames))
  }

  /// Returns the columns of a table, in order.
  package func columns(of table: String) throws -> [Column] {
    try fresh(catalog.columns(of: table)) { statement in
      var columns: [Column] = []
      while try statement.step() {
        let row = statement.row
        let type = row.text(at: 2) ?? ""
        columns.append(
          Column(
            name: row.text(at: 1) ?? "", type: type, isNotNull: row.integer(at: 3) != 0,
            hasDefault: !row.isNull(at: 4), primaryKeyPlace: Int(row.integer(at: 5)),
            affinity: catalog.affinity(ofColumn: type)))
      }
      return columns
    }
  }

  /// Returns the columns that another program created with a collation, by table.
  ///
  /// All names are in lower case.
  package func collatedColumns() throws -> [String: Set<String>] {
    try session.with(catalog.collatedTables) { statement in
      var columns: [String: Set<String>] = [:]
      while try statement.step() {
        let row = statement.row
        guard let table = row.text(at: 0), let text = row.text(at: 1).flatMap(TableText.init)
        else { continue }
        let collated = text.columns.filter(\.isCollated).map(\.name.asciiLowercased)
        if !collated.isEmpty { columns[table.asciiLowercased] = Set(collated) }
      }
      return columns
    }
  }

  /// Returns SQL expressions, qualified with the table's name, that order the rows as they were
  /// inserted.
  ///
  /// The expression is the rowid under a name that no column uses, or the primary key in a table
  /// without one.
  package func insertionOrder(of description: ClassDescription) throws -> [String] {
    let table = SQL.quoted(description.table)
    // A number of the engine is the order of the rows, and so is the key of a table without rowids.
    let isOrder =
      catalog.orderColumn != nil
      && (description.objectIDIsRowID || description.options.isWithoutRowID)
    if !isOrder, let name = try rowIDName(of: description.table, columns: description.rowColumns) {
      return ["\(table).\(name)"]
    }
    return description.objectIDPositions.map {
      "\(table).\(SQL.quoted(description.rowColumns[$0]))"
    }
  }

  /// Returns a name for a table's rowid that no column uses, or `nil` if all names are used or the
  /// table has no rowid.
  func rowIDName(of table: String, columns: [String]) throws -> String? {
    if let sql = catalog.presentOrderColumn(of: table) {
      return try session.with(sql) { try $0.step() ? $0.row.text(at: 0) : nil }
    }
    let columns = Set(columns.map(\.asciiLowercased))
    if try isWithoutRowID(table) { return nil }
    return ["rowid", "_rowid_", "oid"].first { !columns.contains($0) }
  }

  /// Returns whether a table was created as a `WITHOUT ROWID` table.
  package func isWithoutRowID(_ table: String) throws -> Bool {
    try SQLToken.isWithoutRowID(statement(ofTable: table))
  }

  /// Returns the name of the column that holds a table's rowid, if one does.
  ///
  /// The engine generates numbers only for such a column.
  package func rowIDColumn(of table: String) throws -> String? {
    TableText(try statement(ofTable: table))?.rowIDColumn
  }

  /// Returns the names that a statement can use for a table's columns and rowid; empty if the table
  /// is missing.
  ///
  /// A column of shared blobs is listed under its ``SharedBlobs/mark(_:)`` too, and a column of
  /// sealed values under its ``sealedMark(_:)``.
  package func names(of table: String) throws -> Set<String> {
    let columns = try columns(of: table)
    if columns.isEmpty { return [] }
    return try names(of: table, columns, SystemTables(session).described(ofTable: table))
  }

  /// Returns the names that a statement can use for a table, from its columns and the description
  /// of its class; see ``names(of:)``.
  package func names(
    of table: String, _ columns: [Column], _ described: SystemTables.DescribedClass?
  ) throws -> Set<String> {
    let columns = columns.map(\.name)
    let rowID = try rowIDName(of: table, columns: columns)
    let shared = try SharedBlobs.columns(of: table, in: self).map { SharedBlobs.mark($0.column) }
    let former = (described?.description.formerProperties ?? []) + (described?.removed ?? [])
    let sealed = former.map(\.property).filter { $0.sealing != nil }
      .map { Self.sealedMark($0.column) }
    return Set(columns + [rowID].compactMap { $0 } + shared + sealed)
  }

  /// Returns the name that marks a column of sealed values, which no column can have.
  static func sealedMark(_ column: String) -> String { "sealed\u{0}\(column)" }

  /// Reads the schema again if another connection changed it since this one last read the file.
  ///
  /// SQLite compiles statements with the schema that the connection last read.
  package func refresh() throws {
    if catalog.listsSchemaWhenCompiled { try session.execute(catalog.firstRead) }
  }

  /// Calls `body` with a statement that lists a part of the present schema.
  ///
  /// The result of a schema pragma is fixed when the statement is compiled.
  package func fresh<R>(_ sql: String, _ body: (Statement) throws -> R) throws -> R {
    guard catalog.listsSchemaWhenCompiled else { return try session.with(sql, body) }
    try refresh()
    return try body(try session.connection.prepare(sql, persistent: false))
  }

  func names(_ sql: String) throws -> [String] {
    try session.with(sql) { statement in
      var names: [String] = []
      while try statement.step() {
        if let name = statement.row.text(at: 0) { names.append(name) }
      }
      return names
    }
  }
}

extension [Schema.Column] {
  /// The columns of the primary key, in key order.
  package var primaryKey: [Schema.Column] {
    filter { $0.primaryKeyPlace > 0 }.sorted { $0.primaryKeyPlace < $1.primaryKeyPlace }
  }
}
