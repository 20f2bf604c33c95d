/// `DELETE` as a value.
///
/// ```swift
/// Delete(from: "students").where { $0.age < 7 }
/// // DELETE FROM students WHERE age < ?
/// Delete(from: "log").ordered(by: "time").limit(100)
/// // DELETE FROM log WHERE rowid IN (SELECT rowid FROM log ORDER BY time LIMIT 100)
/// ```
///
/// Without a condition all rows go. `Source` is the class whose table it is, or ``NamedColumns``.
public struct Delete<Source>: SQLRowChoosing, Sendable, Hashable {
  private var rows: SQLRowChoice

  init(_ rows: SQLRowChoice) { self.rows = rows }

  /// The text and the values, in order.
  public var statement: SQLStatement {
    "DELETE FROM \(SQLName.statement(rows.table))\(rows.clause)"
  }

  /// The table.
  public var sourceName: String? { rows.table }

  private func with(_ change: (inout SQLRowChoice) -> Void) -> Delete {
    var other = self
    change(&other.rows)
    return other
  }

  /// The statement for the rows, too, for which the expression is true. Calls add up.
  public func `where`(_ condition: SQLExpression) -> Delete { with { $0.choose(condition) } }

  /// The statement for the rows that come first in this order; it matters only with a limit.
  public func ordered(by keys: [SQLOrder]) -> Delete {
    with { $0.order(by: keys.map(\.statement)) }
  }

  /// The statement for at most so many rows, after the first ones, which are left out.
  public func limit(_ count: Int, offset: Int) -> Delete {
    with { $0.limit(to: count, offset: offset) }
  }
}

extension Delete where Source == NamedColumns {
  /// Removes rows of a table.
  ///
  /// - Parameters:
  ///   - table: Its name.
  ///   - key: The columns that tell its rows apart, which a limit goes by; a table without a rowid
  ///     needs those of its primary key.
  public init(from table: String, key: [String] = ["rowid"]) {
    self.init(SQLRowChoice(table, key: key))
  }
}

extension Delete where Source: StoredObject {
  /// Removes rows of a class's table, with what the file's foreign keys say of those that refer to them.
  ///
  /// Stores do more: they remove what belongs to an object at any depth, and tell beforehand what goes.
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
