import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

/// The change of a column's type, with converted values from a temporary column.
///
/// Only engines whose `Catalog.altersColumns` is true have the statements. The values are converted
/// by this process, some at a time.
struct ColumnConversion {
  private let change: TableUpgrade
  private let position: Int
  private let property: PropertyDescription
  private let oldType: PropertyType?
  /// The column, the table and the columns of its key, quoted.
  private let column: String
  private let table: String
  private let key: [String]
  private let tableName: String
  private let names: ObjectNames

  private static let batch = 500
  private static let new = SQL.quoted("ov_converted")

  /// Creates the change.
  ///
  /// - Parameters:
  ///   - position: The position of the property.
  ///   - name: The name of the column.
  ///   - table: The present table.
  ///   - change: The changes of the table.
  ///   - names: The names of the table's objects.
  init(
    at position: Int, _ name: String, of table: PresentTable, _ change: TableUpgrade,
    _ names: ObjectNames
  ) {
    self.change = change
    self.position = position
    self.names = names
    property = change.description.properties[position]
    if case .converted(_, let oldType) = change.origins[position] {
      self.oldType = oldType
    } else {
      oldType = nil
    }
    column = SQL.quoted(change.column(name)?.name ?? name)
    tableName = table.name
    self.table = SQL.quoted(table.name)
    key = table.keyColumns.map(SQL.quoted)
  }

  /// Changes the column, inside a transaction.
  ///
  /// - Throws: `.upgradeRefused` with the first objects whose values cannot be converted; the errors
  ///   of the statements.
  func run() throws {
    let session = names.session
    let catalog = session.connection.catalog
    let alter = "ALTER TABLE \(table) "
    let type = property.columnType(catalog)
    try session.execute("\(alter)ADD COLUMN \(Self.new) \(type)")
    try fill(on: session)
    // A part of the primary key is not NULL. While the engine generates its numbers, it has neither
    // a default nor another type.
    let relaxing = key.contains(column) ? "DROP IDENTITY IF EXISTS" : "DROP NOT NULL"
    try session.execute("\(alter)ALTER COLUMN \(column) \(relaxing)")
    try session.execute(
      "\(alter)ALTER COLUMN \(column) DROP DEFAULT, "
        + "ALTER COLUMN \(column) TYPE \(type) USING \(Self.new)")
    try session.execute("\(alter)DROP COLUMN \(Self.new)")
    if let value = property.defaultValue.flatMap(catalog.literal) {
      try session.execute("\(alter)ALTER COLUMN \(column) SET DEFAULT \(value)")
    }
  }

  private func fill(on session: Session) throws {
    let conversion = change.conversion(at: position)
    let isRow = key.enumerated().map { "\($1) = ?\($0 + 2)" }.joined(separator: " AND ")
    var lost: [[StoredValue]] = []
    try RowBatches(of: tableName, columns: [column], order: key, size: Self.batch)
      .forEach(on: session) { rows in
        for row in rows {
          // An error of the application's conversion counts as no result.
          guard let value = (try? conversion(row.values[0])) ?? nil else {
            lost.append(row.order)
            continue
          }
          if value.isNull { continue }
          try session.with("UPDATE \(table) SET \(Self.new) = ?1 WHERE \(isRow)") { statement in
            let binder = statement.binder
            value.bind(to: binder, at: 0)
            for (place, part) in row.order.enumerated() { part.bind(to: binder, at: place + 1) }
            try statement.run()
          }
        }
      }
    if let refusal = try refusal(lost) { throw refusal }
  }

  /// Returns the error about rows whose values are lost, or `nil` without rows.
  private func refusal(_ lost: [[StoredValue]]) throws -> VaultError? {
    // No more are named, and the number of parameters is limited.
    let first = lost.prefix(100)
    let condition = first.indices.map { row in
      let terms = key.indices.map { "o.\(key[$0]) = ?\(row * key.count + $0 + 1)" }
      return "(\(terms.joined(separator: " AND ")))"
    }
    guard
      let objects = try names.first(
        where: condition.isEmpty ? "1 = 0" : condition.joined(separator: " OR "),
        values: first.flatMap { $0 })
    else { return nil }
    return change.description.refusedConversion(of: property, from: oldType, losing: objects)
  }
}
