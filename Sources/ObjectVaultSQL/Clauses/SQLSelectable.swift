public import ObjectVaultModel

/// A type that can be used in a list of columns.
///
/// The conforming types are `String`, which is a column name or `"*"`, ``SQLExpression``,
/// ``SQLResultColumn``, ``SQLStatement`` and ``Select``.
public protocol SQLSelectable {
  /// The column as written in the list of columns.
  var sqlResultColumn: SQLResultColumn { get }
}

/// A result column: an expression with an optional name, or all columns.
public struct SQLResultColumn: Sendable, Hashable, SQLSelectable {
  let statement: SQLStatement

  /// All columns: `*`.
  public static let all = SQLResultColumn(statement: "*")

  /// Returns all columns of one table: `table.*`.
  public static func all(of table: some SQLSource) -> SQLResultColumn {
    SQLResultColumn(statement: "\(SQLName.statement(table.sqlName)).*")
  }

  /// The result column itself.
  public var sqlResultColumn: SQLResultColumn { self }
}

extension String: SQLSelectable {
  /// The column with this name, or all columns for `"*"`.
  public var sqlResultColumn: SQLResultColumn {
    self == "*" ? .all : SQLResultColumn(statement: SQLName.statement(self))
  }
}

extension SQLStatement: SQLSelectable {
  /// The raw SQL as a result column.
  public var sqlResultColumn: SQLResultColumn { SQLResultColumn(statement: self) }
}

extension SQLExpression: SQLSelectable {
  /// The expression as a result column.
  public var sqlResultColumn: SQLResultColumn { SQLResultColumn(statement: statement) }

  /// Returns the expression as a result column with a name.
  public func `as`(_ name: String) -> SQLResultColumn {
    SQLResultColumn(statement: "\(nested(above: .raw)) AS \(SQLName.statement(name))")
  }
}

/// A type that can be used as a sort key.
///
/// The conforming types are `String`, which is a column name, ``SQLExpression``, both with an
/// optional direction, and ``SQLStatement``.
public protocol SQLOrderable {
  /// The sort key as written in `ORDER BY`.
  var sqlOrder: SQLOrder { get }
}

/// A sort key of `ORDER BY`: an expression and a direction.
public struct SQLOrder: Sendable, Hashable, SQLOrderable, ExpressibleByStringLiteral {
  let statement: SQLStatement

  init(statement: SQLStatement) { self.statement = statement }

  /// Creates an ascending sort key from a column name.
  public init(stringLiteral column: String) { self = column.sqlOrder }

  /// Returns a column as an ascending sort key.
  public static func ascending(_ column: String) -> SQLOrder {
    SQLExpression.column(column).ascending
  }

  /// Returns a column as a descending sort key.
  public static func descending(_ column: String) -> SQLOrder {
    SQLExpression.column(column).descending
  }

  /// The sort key itself.
  public var sqlOrder: SQLOrder { self }
}

extension String: SQLOrderable {
  /// The column with this name as an ascending sort key.
  public var sqlOrder: SQLOrder { SQLOrder(statement: SQLName.statement(self)) }
}

extension SQLStatement: SQLOrderable {
  /// The raw SQL as a sort key.
  public var sqlOrder: SQLOrder { SQLOrder(statement: self) }
}

extension SQLExpression: SQLOrderable {
  /// The expression as an ascending sort key, without the keyword `ASC`.
  public var sqlOrder: SQLOrder { SQLOrder(statement: statement) }

  /// The expression as an ascending sort key, with NULL before all values.
  public var ascending: SQLOrder { SQLOrder(statement: "\(nested(above: .raw)) ASC") }

  /// The expression as a descending sort key, with NULL after all values.
  public var descending: SQLOrder { SQLOrder(statement: "\(nested(above: .raw)) DESC") }
}
