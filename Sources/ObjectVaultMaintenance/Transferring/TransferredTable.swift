import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// The rows of one class in a database, as they are read for a transfer.
struct TransferredTable {
  let description: ClassDescription
  /// The quoted columns, in the same order in both databases.
  let columns: [String]
  /// The positions of the columns of real numbers.
  private let realPositions: [Int]
  /// The expressions that read the columns.
  private let read: [String]
  /// The expressions that order the rows as they were inserted.
  private let order: [String]

  /// The greatest number of rows that are read at once.
  private static let batch = 1000
  /// The number of bytes of values with which each row gets a statement of its own.
  private static let byteLimit = 1 << 20

  /// Finds the columns of a class.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - opened: The database.
  ///   - session: A session of the database.
  /// - Throws: The errors of reading the schema.
  init(
    _ description: ClassDescription, in opened: any OpenDatabase, on session: Session
  ) throws {
    self.description = description
    let table = SQL.quoted(description.table)
    let schema = Schema(on: session)
    let found = try schema.columns(of: description.table).sorted { $0.name < $1.name }
    columns = found.map { SQL.quoted($0.name) }
    let removed = try SystemTables(session).described(ofTable: description.table)?.removed ?? []
    realPositions = found.indices.filter { index in
      let name = found[index].name
      let position = description.rowColumns.firstIndex(of: name)
      return position.map { description.rowType(at: $0).columnType } == "REAL"
        || removed.contains { $0.property.column == name && $0.property.type.columnType == "REAL" }
    }
    let shared = Set(description.sharedPositions.map { description.rowColumns[$0] })
    read = try found.map { column in
      try opened.dialect.read(
        "\(table).\(SQL.quoted(column.name))", isShared: shared.contains(column.name))
    }
    order = try schema.insertionOrder(of: description)
  }

  /// Calls `body` with the rows in the order of their insertion, up to 1,000 or about 4 MiB at a
  /// time.
  ///
  /// - Parameters:
  ///   - session: A session that sees one snapshot.
  ///   - body: Receives the rows.
  /// - Throws: The errors of the statements and of `body`; ``VaultError`` `.damaged` for a text that
  ///   is not UTF-8, which would change.
  func forEachBatch(on session: Session, _ body: ([[StoredValue]]) throws -> Void) throws {
    let batches = RowBatches(
      of: description.table, columns: read, order: order, size: Self.batch
    ) { position in
      VaultError(
        .damaged,
        "A text in column \(columns[position]) of table '\(description.table)' is not UTF-8, so it "
          + "cannot be transferred unchanged. Store another text for the object, or remove it.")
    }
    try batches.forEach(on: session) { rows in try body(rows.map { exchanged($0.values) }) }
  }

  /// Returns the values of a row as both engines store them: an engine may store a whole number of a
  /// column of real numbers as an integer.
  private func exchanged(_ values: [StoredValue]) -> [StoredValue] {
    var values = values
    for position in realPositions {
      if case .integer(let number) = values[position] { values[position] = .real(Double(number)) }
    }
    return values
  }

  /// Inserts rows; inside a transaction.
  ///
  /// - Parameters:
  ///   - rows: The values of the columns of each row.
  ///   - opened: The database.
  ///   - session: Its session.
  /// - Throws: The errors of the statements.
  func insert(
    _ rows: [[StoredValue]], into opened: any OpenDatabase, on session: Session
  ) throws {
    // The least number of parameters that every engine takes is 999.
    let count = max(1, min(100, 900 / columns.count))
    var rest = rows[...]
    while !rest.isEmpty {
      let several = rest.prefix(count)
      let byteCount = several.joined().reduce(0) { $0 + $1.byteCount }
      let areTogether = several.count == count && byteCount < Self.byteLimit
      let part = areTogether ? several : rest.prefix(1)
      rest = rest.dropFirst(part.count)
      try session.with(insertion(of: part.count, opened.dialect)) { statement in
        let binder = statement.binder
        for (position, value) in part.joined().enumerated() {
          value.bind(to: binder, at: position)
        }
        try statement.run()
      }
    }
  }

  private func insertion(of count: Int, _ dialect: any Dialect) throws -> String {
    let shared = Set(description.sharedPositions.map { SQL.quoted(description.rowColumns[$0]) })
    let rows = try (0..<count).map { row in
      try columns.indices.map { position in
        try dialect.stored(
          dialect.parameter(row * columns.count + position + 1),
          isShared: shared.contains(columns[position]))
      }
    }
    return dialect.insertion(
      into: SQL.quoted(description.table), columns, key: [], isGenerated: false, rows: rows, .fail)
  }
}
