import ObjectVaultModel

/// The rows that an `UPDATE` or a `DELETE` applies to.
struct SQLRowChoice: Sendable, Hashable {
  let table: String
  /// The columns that identify a row.
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

  /// The `WHERE` clause with a leading space, or nothing for all rows.
  ///
  /// SQLite is compiled without `LIMIT` for `UPDATE` and `DELETE`. A limit is therefore applied in
  /// a subquery of the rows' keys.
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

/// A rule for rows that violate a constraint.
public enum SQLConflictRule: String, Sendable, Hashable, CaseIterable {
  /// Deletes the conflicting rows: `OR REPLACE`.
  ///
  /// Triggers do not run for these deletions. The rule is therefore rejected for a class with
  /// searchable or shared properties, because triggers maintain their full-text index and reference
  /// counts. Use ``ObjectStore/replace(_:owned:)`` instead.
  case replace = "REPLACE"
  /// Skips the row: `OR IGNORE`.
  ///
  /// The rule is rejected for an update of searchable properties whose full-text index is FTS4 or
  /// divides texts into trigrams: SQLite would remove the rows that it skips from the index.
  case ignore = "IGNORE"

  static func clause(_ rule: SQLConflictRule?) -> SQLStatement {
    rule.map { " OR \(unchecked: $0.rawValue)" } ?? ""
  }
}

/// A statement with an optional order and limit: ``Update`` or ``Delete``.
public protocol SQLRowChoosing: SQLConvertible, SQLFiltering, CustomStringConvertible {
  /// Returns a statement that orders the rows, which matters only in combination with a limit.
  func ordered(by keys: [SQLOrder]) -> Self

  /// Returns a statement that skips `offset` rows and applies to at most `count` rows.
  func limit(_ count: Int, offset: Int) -> Self
}

extension SQLRowChoosing {
  /// Returns a statement that orders the rows, which matters only in combination with a limit.
  ///
  /// A `String` is a column name, in ascending order.
  public func ordered(by keys: any SQLOrderable...) -> Self { ordered(by: keys.map(\.sqlOrder)) }

  /// Returns a statement that orders the rows, which matters only in combination with a limit.
  public func ordered(by keys: SQLOrder...) -> Self { ordered(by: keys) }

  /// Returns a statement that applies to at most `count` rows.
  public func limit(_ count: Int) -> Self { limit(count, offset: 0) }

  /// The SQL text, without the values.
  public var description: String { statement.description }
}
