public import ObjectVaultModel

/// A `SELECT` statement as a value, composed of clauses in any order.
///
/// ```swift
/// Select("name", SQLExpression.count.as("n")).from("students")
///   .where { $0.age >= 18 }
///   .grouped(by: "name").ordered(by: .descending("n")).limit(5).offset(3)
/// // SELECT name, COUNT(*) AS n FROM students WHERE age >= ? GROUP BY name ORDER BY n DESC
/// //   LIMIT 5 OFFSET 3
/// ```
///
/// Every method returns a new value and leaves the original unchanged. Limits, offsets and integers
/// from ``SQLExpression/inline(_:)`` are written into the text; all other values are bound.
/// `Source` is the class of the first source, which provides the members in conditions and columns,
/// or ``NamedColumns``.
public struct Select<Source>: SQLConvertible, SQLFiltering, Sendable, Hashable {
  var parts: SelectParts

  init(_ parts: SelectParts) { self.parts = parts }

  /// The SQL text and its values, in order.
  public var statement: SQLStatement { parts.statement }

  /// The qualifier of the first source's columns.
  public var sourceName: String? { parts.sourceName }

  /// Returns a changed copy of the query.
  func with(_ change: (inout SelectParts) -> Void) -> Select {
    var other = self
    change(&other.parts)
    return other
  }

  /// Returns a copy of the query with a change to a clause of a single `SELECT`.
  ///
  /// A compound query, such as a `UNION`, becomes a subquery first.
  func withCore(_ change: (inout SelectParts) -> Void) -> Select {
    with { parts in
      if !parts.compounds.isEmpty { parts = parts.wrapped }
      change(&parts)
    }
  }
}

extension Select where Source == NamedColumns {
  /// Creates a query of columns, or of all columns if none are given.
  ///
  /// - Parameter columns: The columns. A `String` is a column name, and `"*"` is all columns.
  public init(_ columns: any SQLSelectable...) {
    self.init(SelectParts(columns: columns.map { $0.sqlResultColumn.statement }))
  }

  /// Creates a query of all columns of a source.
  public init(from source: any SQLSource) {
    self.init(SelectParts())
    parts.read(source, by: ", ")
  }
}

extension Select where Source: StoredObject {
  /// Creates a query of all columns of a class.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - alias: The name of the table in the statement. Default: `nil`, the name of the table.
  public init(from type: Source.Type, as alias: String? = nil) {
    self.init(SelectParts())
    parts.read(ClassTable(type, as: alias), by: ", ")
  }
}

extension Select {
  /// Returns a query that also selects the columns.
  public func columns(_ columns: any SQLSelectable...) -> Select {
    withCore { $0.columns += columns.map { $0.sqlResultColumn.statement } }
  }

  /// Returns a query that also selects the columns of the properties.
  public func columns<each Value>(
    _ members: repeat KeyPath<Source.Properties, Property<each Value>>
  ) -> Select where Source: StoredObject {
    let (properties, columns) = classColumns
    var found: [SQLStatement] = []
    repeat found.append(columns.column(properties[keyPath: each members].path).statement)
    return withCore { $0.columns += found }
  }

  /// Returns a query without duplicate rows.
  public func distinct() -> Select { withCore { $0.isDistinct = true } }

  /// Returns a query that also requires the condition, in addition to those of earlier calls.
  public func `where`(_ condition: SQLExpression) -> Select {
    withCore { $0.condition = $0.condition.map { $0 && condition } ?? condition }
  }

  // MARK: Groups

  /// Returns a query that also groups by the columns, in addition to those of earlier calls.
  ///
  /// A `String` is a column name.
  public func grouped(by columns: any SQLSelectable...) -> Select {
    withCore { $0.groups += columns.map { $0.sqlResultColumn.statement } }
  }

  /// Returns a query that also groups by the properties, in addition to those of earlier calls.
  public func grouped<each Value>(
    by members: repeat KeyPath<Source.Properties, Property<each Value>>
  ) -> Select where Source: StoredObject {
    let (properties, columns) = classColumns
    var found: [SQLStatement] = []
    repeat found.append(columns.column(properties[keyPath: each members].path).statement)
    return withCore { $0.groups += found }
  }

  /// Returns a query that also requires a condition of groups, in addition to those of earlier
  /// calls.
  public func having(_ condition: SQLExpression) -> Select {
    withCore { $0.having = $0.having.map { $0 && condition } ?? condition }
  }

  /// Returns a query that also requires raw SQL to be true for groups.
  public func having(_ condition: SQLStatement) -> Select { having(SQLExpression(condition)) }

  /// Returns a query that also requires an expression of named columns to be true for groups.
  public func having(_ condition: (NamedColumns) -> SQLExpression) -> Select {
    having(condition(NamedColumns()))
  }

  // MARK: Order and range

  /// Returns a query with sort keys after those of earlier calls.
  ///
  /// A `String` is a column name, in ascending order.
  public func ordered(by keys: any SQLOrderable...) -> Select {
    with { $0.order += keys.map { $0.sqlOrder.statement } }
  }

  /// Returns a query with sort keys after those of earlier calls.
  public func ordered(by keys: SQLOrder...) -> Select {
    with { $0.order += keys.map(\.statement) }
  }

  /// Returns a query sorted by properties, in the order that object queries use.
  public func ordered<each Key: SortConvertible>(
    by keys: repeat KeyPath<Source.Properties, each Key>
  ) -> Select where Source: StoredObject {
    let (properties, columns) = classColumns
    var found: [SQLStatement] = []
    repeat found.append(columns.order(properties[keyPath: each keys].sort).statement)
    return with { $0.order += found }
  }

  /// Returns a query of at most `count` rows.
  ///
  /// The number is written into the text.
  public func limit(_ count: Int) -> Select {
    with {
      $0.limit = count
      $0.noteNegative(count)
    }
  }

  /// Returns a query that skips the first `count` rows.
  ///
  /// The number is written into the text.
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
  /// The SQL text, without the values.
  public var description: String { statement.description }
}
