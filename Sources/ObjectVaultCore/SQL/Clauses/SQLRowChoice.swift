/// Which rows of a table an `UPDATE` or a `DELETE` is about.
struct SQLRowChoice: Sendable, Hashable {
  let table: String
  /// The columns that tell rows apart.
  let key: [String]
  private var query = SelectParts()

  init(_ table: String, key: [String]) {
    self.table = table
    self.key = key
    query.read(table, by: "")
    query.columns = [SQLName.list(key)]
  }

  mutating func choose(_ condition: SQLExpression) {
    query.condition = query.condition.map { $0 && condition } ?? condition
  }

  mutating func order(by keys: [SQLStatement]) { query.order += keys }

  mutating func limit(to count: Int, offset: Int) {
    (query.limit, query.offset) = (count, offset == 0 ? nil : offset)
    query.noteNegative(count)
    query.noteNegative(offset)
  }

  /// ` WHERE …`, or nothing where all are meant.
  ///
  /// The engine is not made with ranges of its own for these statements: a range is that of a query of
  /// the rows' keys.
  var clause: SQLStatement {
    if query.limit != nil {
      let columns = SQLName.list(key)
      let left: SQLStatement = key.count == 1 ? columns : "(\(columns))"
      return " WHERE \(left) IN (\(query.statement))"
    }
    guard let condition = query.condition else { return "" }
    return " WHERE \(condition.statement)"
  }
}

/// What becomes of a row that a constraint stands against.
public enum SQLConflictRule: String, Sendable, Hashable, CaseIterable {
  /// The rows that are in its way are removed: `OR REPLACE`. Triggers do not see these removals, so it is
  /// refused for a class with searched or shared properties, whose index and counts they keep: use
  /// ``ObjectStore/replace(_:owned:)``.
  case replace = "REPLACE"
  /// The row is left out: `OR IGNORE`.
  case ignore = "IGNORE"

  static func clause(_ rule: SQLConflictRule?) -> SQLStatement {
    rule.map { " OR \(unchecked: $0.rawValue)" } ?? ""
  }
}

/// What ``Update`` and ``Delete`` share: their rows can have an order and a range.
public protocol SQLRowChoosing: SQLConvertible, SQLFiltering, CustomStringConvertible {
  /// The statement for the rows that come first in this order; it matters only with a limit.
  func ordered(by keys: [SQLOrder]) -> Self

  /// The statement for at most so many rows, after the first ones, which are left out.
  func limit(_ count: Int, offset: Int) -> Self
}

extension SQLRowChoosing {
  /// The statement for the rows that come first in this order; it matters only with a limit.
  ///
  /// - Parameter keys: A `String` is the name of one column, small first.
  public func ordered(by keys: any SQLOrderable...) -> Self { ordered(by: keys.map(\.sqlOrder)) }

  /// The statement for the rows that come first in this order; it matters only with a limit.
  public func ordered(by keys: SQLOrder...) -> Self { ordered(by: keys) }

  /// The statement for at most so many rows.
  public func limit(_ count: Int) -> Self { limit(count, offset: 0) }

  /// The text. Values are never shown.
  public var description: String { statement.description }
}
