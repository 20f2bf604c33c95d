public import ObjectVaultModel

/// A `DELETE` statement as a value.
///
/// ```swift
/// Delete(from: "students").where { $0.age < 7 }
/// // DELETE FROM students WHERE age < ?
/// Delete(from: "log").ordered(by: "time").limit(100)
/// // DELETE FROM log WHERE rowid IN (SELECT rowid FROM log ORDER BY time LIMIT 100)
/// ```
///
/// Without a condition, all rows are deleted. `Source` is the class of the table, or
/// ``NamedColumns``.
public struct Delete<Source>: SQLRowChoosing, Sendable, Hashable {
  private var rows: SQLRowChoice

  init(_ rows: SQLRowChoice) { self.rows = rows }

  /// The SQL text and its values, in order.
  public var statement: SQLStatement {
    "DELETE FROM \(SQLName.statement(rows.table))\(rows.clause)"
  }

  /// The name of the table.
  public var sourceName: String? { rows.table }

  private func with(_ change: (inout SQLRowChoice) -> Void) -> Delete {
    var other = self
    change(&other.rows)
    return other
  }

  /// Returns a statement that also requires the condition, in addition to those of earlier calls.
  public func `where`(_ condition: SQLExpression) -> Delete { with { $0.choose(condition) } }

  /// Returns a statement that orders the rows, which matters only in combination with a limit.
  public func ordered(by keys: [SQLOrder]) -> Delete {
    with { $0.order(by: keys.map(\.statement)) }
  }

  /// Returns a statement that skips `offset` rows and deletes at most `count` rows.
  public func limit(_ count: Int, offset: Int) -> Delete {
    with { $0.limit(to: count, offset: offset) }
  }
}

extension Delete where Source == NamedColumns {
  /// Creates a statement that deletes rows of a table.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - key: The columns that identify a row, used to apply a limit. For a table without a rowid,
  ///     list the columns of its primary key.
  public init(from table: String, key: [String] = ["rowid"]) {
    self.init(SQLRowChoice(table, key: key))
  }
}

extension Delete where Source: StoredObject {
  /// Creates a statement that deletes rows of a class's table.
  ///
  /// The foreign keys in the file decide what happens to rows that refer to the deleted ones.
  /// Object stores do more: they delete owned objects at any depth and can report in advance which
  /// objects a deletion removes.
  public init(from type: Source.Type) {
    self.init(SQLRowChoice(Source.classDescription))
  }
}

extension SQLRowChoice {
  init(_ description: ClassDescription) {
    let columns = description.rowColumns
    self.init(
      description.table,
      key: description.objectIDPositions.compactMap {
        columns.indices.contains($0) ? columns[$0] : nil
      })
  }
}
