/// What a clause reads rows from: a `String`, which is the name of a table, an ``SQLTable``, a
/// ``ClassTable``, a ``Select``, and an ``SQLSubquery``, which is one under a name.
public protocol SQLSource {
  /// How it stands in `FROM`.
  var sqlSource: SQLStatement { get }
  /// What its columns are named after: the alias, or the table. Empty where it has neither.
  var sqlName: String { get }
}

extension String: SQLSource {
  /// The table of that name.
  public var sqlSource: SQLStatement { SQLName.statement(self) }
  /// The table of that name.
  public var sqlName: String { self }
}

/// The columns of whatever is read, by names that nobody checks before the engine does: `$0.age`,
/// `$0["first name"]`.
@dynamicMemberLookup
public struct NamedColumns: Sendable, Hashable {
  init() {}

  /// The column of that name.
  public subscript(dynamicMember name: String) -> SQLExpression { .column(name) }

  /// The column of that name.
  public subscript(name: String) -> SQLExpression { .column(name) }
}

/// A table, or what else has columns, by its name; its members are its columns.
///
/// ```swift
/// let students = SQLTable("students", as: "s")
/// students.age           // s.age
/// students["first name"] // s.`first name`
/// ```
@dynamicMemberLookup
public struct SQLTable: Sendable, Hashable, SQLSource {
  /// As it stands in `FROM`.
  public let sqlSource: SQLStatement
  /// Its alias, or its own name.
  public let sqlName: String

  /// A table.
  ///
  /// - Parameters:
  ///   - name: Its name, any text.
  ///   - alias: What the statement calls it; needed where it reads one table twice.
  public init(_ name: String, as alias: String? = nil) {
    sqlName = alias ?? name
    sqlSource = SQLName.source(name, alias)
  }

  /// The column of that name.
  public subscript(dynamicMember name: String) -> SQLExpression { .column(name, of: sqlName) }

  /// The column of that name.
  public subscript(name: String) -> SQLExpression { .column(name, of: sqlName) }
}

extension SQLName {
  static func source(_ name: String, _ alias: String?) -> SQLStatement {
    guard let alias else { return statement(name) }
    return "\(statement(name)) AS \(statement(alias))"
  }
}

/// The result of a query under a name, to be read from or to be a column.
///
/// Its columns are those of `SQLTable(name)`.
public struct SQLSubquery: Sendable, Hashable, SQLSource, SQLSelectable {
  /// As it stands in `FROM`.
  public let sqlSource: SQLStatement
  /// Its name.
  public let sqlName: String

  /// As it stands in a list of columns.
  public var sqlResultColumn: SQLResultColumn { SQLResultColumn(statement: sqlSource) }
}
