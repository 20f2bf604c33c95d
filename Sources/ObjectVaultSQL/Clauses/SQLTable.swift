public import ObjectVaultModel

/// A source of rows in a `FROM` clause.
///
/// The conforming types are `String`, which is a table name, ``SQLTable``, ``ClassTable``,
/// ``Select`` and ``SQLSubquery``, a query with a name.
public protocol SQLSource {
  /// The source as written in `FROM`.
  var sqlSource: SQLStatement { get }
  /// The qualifier of the source's columns: the alias or the table name, or an empty string.
  var sqlName: String { get }
}

extension String: SQLSource {
  /// The table with this name.
  public var sqlSource: SQLStatement { SQLName.statement(self) }
  /// The name of the table.
  public var sqlName: String { self }
}

/// Columns by name, which are not checked before the statement runs.
///
/// For example, `$0.age` and `$0["first name"]`.
@dynamicMemberLookup
public struct NamedColumns: Sendable, Hashable {
  init() {}

  /// The column with this name.
  public subscript(dynamicMember name: String) -> SQLExpression { .column(name) }

  /// The column with this name.
  public subscript(name: String) -> SQLExpression { .column(name) }
}

/// A table or view by its name, with its columns as members.
///
/// ```swift
/// let students = SQLTable("students", as: "s")
/// students.age           // s.age
/// students["first name"] // s.`first name`
/// ```
@dynamicMemberLookup
public struct SQLTable: Sendable, Hashable, SQLSource {
  /// The table as written in `FROM`.
  public let sqlSource: SQLStatement
  /// The alias, or the name of the table if it has no alias.
  public let sqlName: String

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - name: The name of the table, which may be any string.
  ///   - alias: The name of the table in the statement. Required if the statement reads the table
  ///     twice. Default: `nil`, the name of the table.
  public init(_ name: String, as alias: String? = nil) {
    sqlName = alias ?? name
    sqlSource = SQLName.source(name, alias)
  }

  /// The column with this name.
  public subscript(dynamicMember name: String) -> SQLExpression { .column(name, of: sqlName) }

  /// The column with this name.
  public subscript(name: String) -> SQLExpression { .column(name, of: sqlName) }
}

extension SQLName {
  static func source(_ name: String, _ alias: String?) -> SQLStatement {
    guard let alias else { return statement(name) }
    return "\(statement(name)) AS \(statement(alias))"
  }
}

/// A query with a name, for use as a source or as a result column.
///
/// Refer to its columns with `SQLTable(name)`.
public struct SQLSubquery: Sendable, Hashable, SQLSource, SQLSelectable {
  /// The subquery as written in `FROM`.
  public let sqlSource: SQLStatement
  /// The name of the subquery.
  public let sqlName: String

  /// The subquery as a result column.
  public var sqlResultColumn: SQLResultColumn { SQLResultColumn(statement: sqlSource) }
}
