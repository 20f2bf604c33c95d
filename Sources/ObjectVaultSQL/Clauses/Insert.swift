import ObjectVaultDriver
public import ObjectVaultModel

/// An `INSERT` statement as a value.
///
/// ```swift
/// Insert(into: "students").columns("name", "age").values("Li", 20).values("Bo", 6)
/// // INSERT INTO students (name, age) VALUES (?, ?), (?, ?)
/// Insert(into: "students").values(["name": "Li", "age": 20])
/// // INSERT INTO students (age, name) VALUES (?, ?)
/// ```
///
/// Without values, a row of default values is inserted.
public struct Insert: SQLConvertible, Sendable, Hashable, CustomStringConvertible {
  private let table: String
  private var names: [String] = []
  private var rows: [[SQLStatement]] = []
  private var query: SQLStatement?
  private var rule: SQLConflictRule?
  private var defect: SQLDefect?

  /// Creates a statement that inserts rows into a table.
  public init(into table: String) { self.table = table }

  /// Creates a statement that inserts rows into the table of a class.
  public init<T: StoredObject>(into type: T.Type) { table = T.classDescription.table }

  private func with(_ change: (inout Insert) -> Void) -> Insert {
    var other = self
    change(&other)
    return other
  }

  /// Returns a statement that also assigns the named columns.
  public func columns(_ names: String...) -> Insert { with { $0.names += names } }

  /// Returns a statement that also inserts a row with one value per column.
  ///
  /// The values are in the order of the named columns, or in the order of the table's columns if
  /// none are named.
  public func values(_ values: any SQLExpressible...) -> Insert {
    with { $0.rows.append(values.map { $0.sqlExpression.nested(above: .raw) }) }
  }

  /// Returns a statement that also inserts a row of named values.
  ///
  /// If no columns are named, the names become the columns, sorted by their UTF-8 bytes. All
  /// further rows need the same names.
  public func values(_ values: [String: any SQLExpressible]) -> Insert {
    with { insert in
      if insert.names.isEmpty {
        insert.names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      // Names are compared by bytes.
      let known = Set(insert.names.map { Array($0.utf8) })
      guard known == Set(values.keys.map { Array($0.utf8) }) else {
        return insert.note(
          "The names of a row of an INSERT differ from its columns. Set the same columns in every "
            + "row.")
      }
      insert.rows.append(
        insert.names.compactMap { values[$0]?.sqlExpression.nested(above: .raw) })
    }
  }

  /// Returns a statement that inserts the rows of a query.
  public func select<Source>(_ query: Select<Source>) -> Insert {
    with { $0.query = query.statement }
  }

  /// Returns a statement that applies a rule to rows that violate a constraint.
  public func or(_ rule: SQLConflictRule) -> Insert { with { $0.rule = rule } }

  /// The SQL text and its values, in order.
  public var statement: SQLStatement {
    var insert: SQLStatement =
      "INSERT\(SQLConflictRule.clause(rule)) INTO \(SQLName.statement(table))"
    if !names.isEmpty { insert += " (\(SQLName.list(names)))" }
    let width = names.isEmpty ? rows.first?.count : names.count
    if let query {
      insert += " \(query)"
    } else if rows.isEmpty {
      insert += " DEFAULT VALUES"
    } else {
      let tuples = rows.map { "(\($0.joined(separator: ", ")))" as SQLStatement }
      insert += " VALUES \(tuples.joined(separator: ", "))"
    }
    return SQLStatement(
      sql: insert.sql, values: insert.values,
      defect: defect ?? insert.defect ?? shapeDefect(width: width ?? 0))
  }

  private func shapeDefect(width: Int) -> SQLDefect? {
    if query != nil {
      return rows.isEmpty
        ? nil : Self.defect("An INSERT has both values and a query. Use only one of them.")
    }
    if rows.isEmpty {
      return names.isEmpty
        ? nil : Self.defect("An INSERT has columns but no values. Add a row.")
    }
    guard let row = rows.first(where: { $0.count != width || $0.isEmpty }) else { return nil }
    return Self.defect(
      "A row of an INSERT has \(row.count) values for \(width) columns. Add one value for each "
        + "column.")
  }

  private mutating func note(_ message: String) {
    if defect == nil { defect = Self.defect(message) }
  }

  private static func defect(_ message: String) -> SQLDefect {
    SQLDefect(.invalidArgument, message)
  }

  /// The SQL text, without the values.
  public var description: String { statement.description }
}
