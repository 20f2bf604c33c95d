/// `SELECT` as a value, put together clause by clause in any order.
///
/// ```swift
/// Select("name", SQLExpression.count.as("n")).from("students")
///   .where { $0.age >= 18 }
///   .grouped(by: "name").ordered(by: .descending("n")).limit(5).offset(3)
/// // SELECT name, COUNT(*) AS n FROM students WHERE age >= ? GROUP BY name ORDER BY n DESC
/// //   LIMIT 5 OFFSET 3
/// ```
///
/// Every call gives another value and leaves the first as it was. Range and whole numbers of
/// ``SQLExpression/inline(_:)`` stand in the text; every other value is bound. `Source` is the class that
/// is read first, whose members conditions and columns then name, or ``NamedColumns``.
public struct Select<Source>: SQLConvertible, SQLFiltering, Sendable, Hashable {
  var parts: SelectParts

  init(_ parts: SelectParts) { self.parts = parts }

  /// The text and the values, in order.
  public var statement: SQLStatement { parts.statement }

  /// What the columns of the first table are named after.
  public var sourceName: String? { parts.sourceName }

  /// The query with a change.
  func with(_ change: (inout SelectParts) -> Void) -> Select {
    var other = self
    change(&other.parts)
    return other
  }

  /// The query with a change of what a single `SELECT` says: one of several joined by `UNION` and its
  /// like is read from as a whole.
  func withCore(_ change: (inout SelectParts) -> Void) -> Select {
    with { parts in
      if !parts.compounds.isEmpty { parts = parts.wrapped }
      change(&parts)
    }
  }
}

extension Select where Source == NamedColumns {
  /// A query of these columns; of all, where none is given.
  ///
  /// - Parameter columns: A `String` is the name of one column, `"*"` all.
  public init(_ columns: any SQLSelectable...) {
    self.init(SelectParts(columns: columns.map { $0.sqlResultColumn.statement }))
  }

  /// A query of all columns of what is read.
  public init(from source: any SQLSource) {
    self.init(SelectParts())
    parts.read(source, by: ", ")
  }
}

extension Select where Source: StoredObject {
  /// A query of all columns of a class.
  ///
  /// - Parameter alias: What the statement calls its table.
  public init(from type: Source.Type, as alias: String? = nil) {
    self.init(SelectParts())
    parts.read(ClassTable(type, as: alias), by: ", ")
  }
}

extension Select {
  /// The query with these columns, too.
  public func columns(_ columns: any SQLSelectable...) -> Select {
    withCore { $0.columns += columns.map { $0.sqlResultColumn.statement } }
  }

  /// The query with the columns of these properties, too.
  public func columns<each Value>(
    _ members: repeat KeyPath<Source.Properties, Property<each Value>>
  ) -> Select where Source: StoredObject {
    let (properties, columns) = classColumns
    var found: [SQLStatement] = []
    repeat found.append(columns.column(properties[keyPath: each members].path).statement)
    return withCore { $0.columns += found }
  }

  /// The query that gives equal rows once.
  public func distinct() -> Select { withCore { $0.isDistinct = true } }

  /// The query for the rows, too, for which the expression is true. Calls add up.
  public func `where`(_ condition: SQLExpression) -> Select {
    withCore { $0.condition = $0.condition.map { $0 && condition } ?? condition }
  }

  // MARK: Groups

  /// The query that gives one row for each combination of these. Calls add up.
  ///
  /// - Parameter columns: A `String` is the name of one column.
  public func grouped(by columns: any SQLSelectable...) -> Select {
    withCore { $0.groups += columns.map { $0.sqlResultColumn.statement } }
  }

  /// The query that gives one row for each combination of these properties. Calls add up.
  public func grouped<each Value>(
    by members: repeat KeyPath<Source.Properties, Property<each Value>>
  ) -> Select where Source: StoredObject {
    let (properties, columns) = classColumns
    var found: [SQLStatement] = []
    repeat found.append(columns.column(properties[keyPath: each members].path).statement)
    return withCore { $0.groups += found }
  }

  /// The query for the groups, too, for which the expression is true. Calls add up.
  public func having(_ condition: SQLExpression) -> Select {
    withCore { $0.having = $0.having.map { $0 && condition } ?? condition }
  }

  /// The query for the groups, too, for which the text is true.
  public func having(_ condition: SQLStatement) -> Select { having(SQLExpression(condition)) }

  /// The query for the groups, too, for which the expression of columns is true.
  public func having(_ condition: (NamedColumns) -> SQLExpression) -> Select {
    having(condition(NamedColumns()))
  }

  // MARK: Order and range

  /// The query in this order. Further calls order what the earlier ones leave equal.
  ///
  /// - Parameter keys: A `String` is the name of one column, small first.
  public func ordered(by keys: any SQLOrderable...) -> Select {
    with { $0.order += keys.map { $0.sqlOrder.statement } }
  }

  /// The query in this order.
  public func ordered(by keys: SQLOrder...) -> Select {
    with { $0.order += keys.map(\.statement) }
  }

  /// The query in the order of these properties, as queries of objects have it.
  public func ordered<each Key: SortConvertible>(
    by keys: repeat KeyPath<Source.Properties, each Key>
  ) -> Select where Source: StoredObject {
    let (properties, columns) = classColumns
    var found: [SQLStatement] = []
    repeat found.append(columns.order(properties[keyPath: each keys].sort).statement)
    return with { $0.order += found }
  }

  /// The query for at most so many rows; it stands in the text.
  public func limit(_ count: Int) -> Select {
    with {
      $0.limit = count
      $0.noteNegative(count)
    }
  }

  /// The query without its first rows, so many; it stands in the text.
  public func offset(_ count: Int) -> Select {
    with {
      $0.offset = count
      $0.noteNegative(count)
    }
  }
}

extension Select where Source: StoredObject {
  private var classColumns: (Source.Properties, ClassColumns) {
    (Source.Properties(origin: .object), ClassColumns(Source.self, of: sourceName))
  }
}

extension Select: CustomStringConvertible {
  /// The text. Values are never shown.
  public var description: String { statement.description }
}
