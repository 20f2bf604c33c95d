public import ObjectVaultCondition

/// What can stand where a clause takes an expression: an ``SQLExpression``, an ``SQLStatement``, a
/// ``Select``, a ``SQLCase``, and every storable value, which is bound and never becomes text.
public protocol SQLExpressible {
  /// The expression.
  var sqlExpression: SQLExpression { get }
}

extension StorableValue {
  /// The value, bound as a property of its type would be stored.
  public var sqlExpression: SQLExpression { .value(self) }
}

extension Optional: SQLExpressible where Wrapped: StorableValue {}
extension Array: SQLExpressible where Element == UInt8 {}
extension Ref: SQLExpressible where T.ObjectIDType: StorableValue {}

extension StoredValue: SQLExpressible {
  /// The value, bound as it is.
  public var sqlExpression: SQLExpression {
    SQLExpression(bound: "\(self)", isNullable: isNull)
  }
}

extension SQLStatement: SQLExpressible {
  /// The text as an expression, in parentheses wherever it meets an operator.
  public var sqlExpression: SQLExpression { SQLExpression(self) }
}

/// What can stand where a clause names columns: a `String`, which is the name of one column or `"*"`, an
/// ``SQLExpression``, an ``SQLResultColumn``, an ``SQLStatement``, a ``Select``.
public protocol SQLSelectable {
  /// How it stands in the list of columns.
  var sqlResultColumn: SQLResultColumn { get }
}

/// A column of a result: an expression, perhaps under a name of its own, or all columns.
public struct SQLResultColumn: Sendable, Hashable, SQLSelectable {
  let statement: SQLStatement

  /// `*`: all columns.
  public static let all = SQLResultColumn(statement: "*")

  /// `table.*`: all columns of one of several tables.
  public static func all(of table: some SQLSource) -> SQLResultColumn {
    SQLResultColumn(statement: "\(SQLName.statement(table.sqlName)).*")
  }

  /// Itself.
  public var sqlResultColumn: SQLResultColumn { self }
}

extension String: SQLSelectable {
  /// The column of that name, or all for `"*"`.
  public var sqlResultColumn: SQLResultColumn {
    self == "*" ? .all : SQLResultColumn(statement: SQLName.statement(self))
  }
}

extension SQLStatement: SQLSelectable {
  /// The text as it is.
  public var sqlResultColumn: SQLResultColumn { SQLResultColumn(statement: self) }
}

extension SQLExpression: SQLSelectable {
  /// The expression as a column.
  public var sqlResultColumn: SQLResultColumn { SQLResultColumn(statement: statement) }

  /// The expression as a column of that name.
  public func `as`(_ name: String) -> SQLResultColumn {
    SQLResultColumn(statement: "\(nested(above: .raw)) AS \(SQLName.statement(name))")
  }
}

/// What can be a key of an order: a `String`, which is the name of one column, an ``SQLExpression``, either
/// with a direction, or an ``SQLStatement``.
public protocol SQLOrderable {
  /// How it stands in `ORDER BY`.
  var sqlOrder: SQLOrder { get }
}

/// One key of `ORDER BY`: an expression and a direction.
public struct SQLOrder: Sendable, Hashable, SQLOrderable, ExpressibleByStringLiteral {
  let statement: SQLStatement

  init(statement: SQLStatement) { self.statement = statement }

  /// By a column, small first.
  public init(stringLiteral column: String) { self = column.sqlOrder }

  /// By a column, small first.
  public static func ascending(_ column: String) -> SQLOrder {
    SQLExpression.column(column).ascending
  }

  /// By a column, large first.
  public static func descending(_ column: String) -> SQLOrder {
    SQLExpression.column(column).descending
  }

  /// Itself.
  public var sqlOrder: SQLOrder { self }
}

extension String: SQLOrderable {
  /// By the column of that name, small first.
  public var sqlOrder: SQLOrder { SQLOrder(statement: SQLName.statement(self)) }
}

extension SQLStatement: SQLOrderable {
  /// The text as it is.
  public var sqlOrder: SQLOrder { SQLOrder(statement: self) }
}

extension SQLExpression: SQLOrderable {
  /// Small first, without the word for it.
  public var sqlOrder: SQLOrder { SQLOrder(statement: statement) }

  /// Small first; NULL comes before every value.
  public var ascending: SQLOrder { SQLOrder(statement: "\(nested(above: .raw)) ASC") }

  /// Large first; NULL comes after every value.
  public var descending: SQLOrder { SQLOrder(statement: "\(nested(above: .raw)) DESC") }
}
