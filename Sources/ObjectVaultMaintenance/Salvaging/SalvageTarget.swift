import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultSchema
import ObjectVaultStores

/// A table of the new file that stores rows as they were on the pages.
final class SalvageTarget {
  /// The result of storing a row.
  enum Outcome {
    case stored
    case refused
  }

  struct Column {
    var name: String
    var affinity: String
    var isNotNull: Bool
    /// Whether a row must have a value: the column is `NOT NULL` without a default.
    var isRequired: Bool
    /// Whether the column is the rowid, which is not stored a second time.
    var isRowID = false
    /// Whether the value is computed from other values and cannot be set.
    var isGenerated = false
  }

  let name: String
  let hasRowIDs: Bool
  /// The columns in the order of the values in records.
  let columns: [Column]
  /// Whether the rowid is a column.
  var rowIDIsColumn: Bool { columns.contains(where: \.isRowID) }

  private let connection: Connection
  private let encoding: TextEncoding
  /// The name that writes a rowid that is no column.
  private let rowIDName: String?
  /// The insert statements, by the number of values.
  private var statements: [Int: Statement] = [:]

  /// Examines a table of the new file.
  ///
  /// If `hasRowIDs` is `true`, rows are stored under their rowids, otherwise in the order of the
  /// primary key.
  ///
  /// - Throws: ``DriverError/Code/sqlError`` or ``DriverError/Code/tooBig`` if the engine cannot
  ///   insert a row, because it has more columns than a statement can have parameters.
  init(
    _ name: String, on connection: Connection, hasRowIDs: Bool, encoding: TextEncoding
  ) throws(DriverError) {
    self.name = name
    self.connection = connection
    self.hasRowIDs = hasRowIDs
    self.encoding = encoding
    let table = try StoredTable(name, in: connection)
    var described = try Self.describe("table_xinfo", name, connection)
    // Engines without generated columns do not know the first pragma.
    if described.isEmpty { described = try Self.describe("table_info", name, connection) }
    // The value 2 marks a column that is computed when it is read.
    let kept = described.filter { $0.hidden != 2 }
    let order =
      hasRowIDs
      ? kept
      : kept.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
        + kept.filter { $0.keyPlace == 0 }
    // If there is no separate name for the rowid, the single primary key column is the rowid.
    let keyIsRowID =
      hasRowIDs && table.rowidName == nil && kept.filter { $0.keyPlace > 0 }.count == 1
    columns = order.map {
      Column(
        name: $0.column.name, affinity: $0.column.affinity, isNotNull: $0.column.isNotNull,
        isRequired: $0.column.isNotNull && !$0.hasDefault,
        isRowID: keyIsRowID && $0.keyPlace == 1, isGenerated: $0.hidden == 3)
    }
    rowIDName = hasRowIDs ? table.rowidName : nil
    _ = try statement(columns.count)
  }

  private typealias Described = (
    column: Schema.Column, keyPlace: Int, hasDefault: Bool, hidden: Int64
  )

  private static func describe(
    _ pragma: String, _ name: String, _ connection: Connection
  ) throws(DriverError) -> [Described] {
    let statement = try connection.prepare(
      "PRAGMA \(pragma)(\(SQL.quoted(name)))", persistent: false)
    var columns: [Described] = []
    while try statement.step() {
      let row = statement.row
      let place = Int(row.integer(at: 5))
      let hasDefault = !row.isNull(at: 4)
      columns.append(
        (
          Schema.Column(
            name: row.text(at: 1) ?? "", type: row.text(at: 2) ?? "",
            isNotNull: row.integer(at: 3) != 0, hasDefault: hasDefault,
            primaryKeyPlace: place), place, hasDefault,
          row.columnCount > 6 ? row.integer(at: 6) : 0
        ))
    }
    return columns
  }

  /// Stores a row and returns whether the table accepted it.
  ///
  /// A record with fewer values than the table has columns was stored before the other columns were
  /// added. These get their default. Without a rowid, the row gets the next one.
  func store(_ values: [RecordValue], rowID: Int64?) throws(DriverError) -> Outcome {
    let statement = try statement(min(values.count, columns.count))
    let binder = statement.binder
    var position = 0
    for (column, value) in zip(columns, values) where !column.isGenerated {
      if column.isRowID {
        binder.bind(integer: rowID ?? 0, at: position)
      } else {
        bind(value, to: binder, at: position)
      }
      position += 1
    }
    if rowIDName != nil {
      if let rowID {
        binder.bind(integer: rowID, at: position)
      } else {
        binder.bindNull(at: position)
      }
    }
    do throws(DriverError) {
      try statement.run()
      return .stored
    } catch {
      switch error.code {
      case .constraintUnique, .constraintPrimaryKey, .constraintNotNull, .constraintForeignKey,
        .constraintCheck, .constraintTrigger, .constraint, .mismatch, .tooBig:
        return .refused
      default:
        throw error
      }
    }
  }

  private func statement(_ count: Int) throws(DriverError) -> Statement {
    if let statement = statements[count] { return statement }
    var names = columns.prefix(count).filter { !$0.isGenerated }.map { SQL.quoted($0.name) }
    if let rowIDName { names.append(rowIDName) }
    // A conflict fails, whatever conflict clause the table declares.
    let sql =
      names.isEmpty
      ? "INSERT OR ABORT INTO \(SQL.quoted(name)) DEFAULT VALUES"
      : "INSERT OR ABORT INTO \(SQL.quoted(name))(\(names.joined(separator: ", "))) "
        + "VALUES(\(SQL.parameters(names.indices)))"
    let statement = try connection.prepare(sql)
    statements[count] = statement
    return statement
  }

  private func bind(_ value: RecordValue, to binder: Binder, at position: Int) {
    switch value {
    case .null, .lost: binder.bindNull(at: position)
    case .integer(let number): binder.bind(integer: number, at: position)
    case .real(let number): binder.bind(real: number, at: position)
    case .blob(let bytes): bytes.withUnsafeBytes { binder.bind(bytes: $0, at: position) }
    case .text(let bytes):
      bytes.withUnsafeBytes { bytes in
        if encoding == .utf8 {
          binder.bind(utf8: bytes, at: position)
        } else {
          binder.bind(
            utf16: bytes, isBigEndian: encoding == .utf16BigEndian, at: position)
        }
      }
    }
  }

  /// Returns whether the row with a rowid has the given value in one of its columns.
  ///
  /// The answer is `false` if the table has more columns than the engine can compare at once.
  func hasRow(_ rowID: Int64, with value: RecordValue) throws(DriverError) -> Bool {
    guard let name = rowIDName ?? columns.first(where: \.isRowID).map({ SQL.quoted($0.name) })
    else { return false }
    let statement: Statement
    do throws(DriverError) {
      statement = try connection.statement(
        "SELECT 1 FROM \(SQL.quoted(self.name)) WHERE \(name) = ?1 AND "
          + "(\(columns.map { "\(SQL.quoted($0.name)) IS ?2" }.joined(separator: " OR ")))")
    } catch {
      guard [.sqlError, .tooBig].contains(error.code) else { throw error }
      return false
    }
    defer { statement.reset() }
    let binder = statement.binder
    binder.bind(integer: rowID, at: 0)
    bind(value, to: binder, at: 1)
    return try statement.step()
  }

  /// Returns whether a record has the values that a row of the table must have.
  func hasRequired(_ values: [RecordValue]) -> Bool {
    !columns.dropFirst(values.count).contains { $0.isRequired && !$0.isRowID }
  }

  /// Returns whether a record can be a row of the table.
  ///
  /// It must not have more values than columns, must have all required values, and each value must
  /// have a type that its column stores.
  func fits(_ values: [RecordValue]) -> Bool {
    guard !values.isEmpty, values.count <= columns.count else { return false }
    return zip(columns, values).allSatisfy { column, value in
      if column.isRowID { return value == .null }
      switch (value, column.affinity) {
      case (.lost, _): return true
      case (.null, _): return !column.isNotNull
      case (.integer, "TEXT"), (.real, "TEXT"): return false
      case (.text, "INTEGER"), (.text, "REAL"), (.blob, "INTEGER"), (.blob, "REAL"): return false
      case (.blob, "TEXT"): return false
      case (.real(let number), "INTEGER"): return number != number.rounded()
      default: return true
      }
    }
  }
}
