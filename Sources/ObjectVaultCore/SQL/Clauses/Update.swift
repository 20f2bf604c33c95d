/// `UPDATE` as a value.
///
/// ```swift
/// Update("students").set(["note": "late"]).set("visits", to: SQLTable("students").visits + 1)
///   .where { $0.age < 7 }
/// // UPDATE students SET note = ?, visits = students.visits + ? WHERE age < ?
/// ```
///
/// Without a condition all rows change. `Source` is the class whose table it is, or ``NamedColumns``.
public struct Update<Source>: SQLRowChoosing, Sendable, Hashable {
  private var rows: SQLRowChoice
  private var assignments: [SQLStatement] = []
  private var rule: SQLConflictRule?

  init(_ rows: SQLRowChoice) { self.rows = rows }

  /// The text and the values, in order.
  public var statement: SQLStatement {
    let update: SQLStatement =
      "UPDATE\(SQLConflictRule.clause(rule)) \(SQLName.statement(rows.table))"
    guard !assignments.isEmpty else {
      return SQLStatement(
        sql: update.sql, values: [],
        defect: SQLDefect(
          .invalidArgument, "An UPDATE sets nothing. Give it a `set`."))
    }
    return "\(update) SET \(assignments.joined(separator: ", "))\(rows.clause)"
  }

  /// The table.
  public var sourceName: String? { rows.table }

  private func with(_ change: (inout Update) -> Void) -> Update {
    var other = self
    change(&other)
    return other
  }

  // MARK: Setting

  /// The update that also gives a column this value. Calls add up, in their order.
  public func set(_ column: String, to value: some SQLExpressible) -> Update {
    let name = SQLName.statement(column)
    let value = value.sqlExpression.nested(above: .raw)
    return with { $0.assignments.append("\(name) = \(value)") }
  }

  /// The update that also gives a column this value, or NULL.
  public func set(_ column: String, to value: SQLExpression?) -> Update {
    set(column, to: value ?? .null)
  }

  /// The update that also gives columns these values, in the order of their names.
  public func set(_ values: [String: any SQLExpressible]) -> Update {
    values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .reduce(self) { $0.set($1.key, to: SQLExpression($1.value)) }
  }

  /// The update that also makes the assignments of a text: `set("visits = visits + \(1)")`.
  public func set(_ assignment: SQLStatement) -> Update {
    with { $0.assignments.append(assignment.closed) }
  }

  /// The update that also makes the assignments of several texts, in their order.
  public func set(_ assignments: [SQLStatement]) -> Update {
    assignments.reduce(self) { $0.set($1) }
  }

  /// The update that does this with rows that a constraint stands against.
  public func or(_ rule: SQLConflictRule) -> Update { with { $0.rule = rule } }

  // MARK: Rows

  /// The statement for the rows, too, for which the expression is true. Calls add up.
  public func `where`(_ condition: SQLExpression) -> Update { with { $0.rows.choose(condition) } }

  /// The statement for the rows that come first in this order; it matters only with a limit.
  public func ordered(by keys: [SQLOrder]) -> Update {
    with { $0.rows.order(by: keys.map(\.statement)) }
  }

  /// The statement for at most so many rows, after the first ones, which are left out.
  public func limit(_ count: Int, offset: Int) -> Update {
    with { $0.rows.limit(to: count, offset: offset) }
  }
}

extension Update where Source == NamedColumns {
  /// Changes rows of a table.
  ///
  /// - Parameters:
  ///   - table: Its name.
  ///   - key: The columns that tell its rows apart, which a limit goes by; a table without a rowid
  ///     needs those of its primary key.
  public init(_ table: String, key: [String] = ["rowid"]) {
    self.init(SQLRowChoice(table, key: key))
  }
}

extension Update where Source: StoredObject {
  /// Changes rows of a class's table.
  public init(_ type: Source.Type) {
    self.init(SQLRowChoice(Source.classDescription))
  }

  /// The update that also gives a property this value.
  public func set<Value: StorableValue>(
    _ member: KeyPath<Source.Properties, Property<Value>>, to value: Value
  ) -> Update {
    set(member, to: .value(value))
  }

  /// The update that also gives a property, which is stored by its raw value, this value.
  @_disfavoredOverload
  public func set<Value: RawRepresentable>(
    _ member: KeyPath<Source.Properties, Property<Value>>, to value: Value
  ) -> Update where Value.RawValue: StorableValue {
    set(member, to: .value(value))
  }

  /// The update that also gives a property, which is stored through a converter, this value.
  public func set<C: PropertyConverter>(
    _ member: KeyPath<Source.Properties, ConvertedProperty<C, C.Value>>, to value: C.Value
  ) -> Update {
    set(
      Source.Properties(origin: .object)[keyPath: member].path, to: .value(Converted<C>(value)))
  }

  /// The update that also gives an optional property, which is stored through a converter, this value.
  public func set<C: PropertyConverter>(
    _ member: KeyPath<Source.Properties, ConvertedProperty<C, C.Value?>>, to value: C.Value?
  ) -> Update {
    set(
      Source.Properties(origin: .object)[keyPath: member].path,
      to: .value(value.map { Converted<C>($0) }))
  }

  /// The update that also gives a property the value of an expression.
  public func set<Value>(
    _ member: KeyPath<Source.Properties, Property<Value>>, to value: SQLExpression
  ) -> Update {
    set(Source.Properties(origin: .object)[keyPath: member].path, to: value)
  }

  private func set(_ path: PropertyPath, to value: SQLExpression) -> Update {
    let (column, stored) = ClassColumns(Source.self, of: nil).assignment(path)
    return set("\(column.statement) = \(stored(value.nested(above: .raw)))" as SQLStatement)
  }
}
