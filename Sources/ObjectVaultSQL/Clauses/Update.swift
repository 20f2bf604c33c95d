import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel

/// An `UPDATE` statement as a value.
///
/// ```swift
/// Update("students").set(["note": "late"]).set("visits", to: SQLTable("students").visits + 1)
///   .where { $0.age < 7 }
/// // UPDATE students SET note = ?, visits = students.visits + ? WHERE age < ?
/// ```
///
/// Without a condition, all rows are updated. `Source` is the class of the table, or
/// ``NamedColumns``.
public struct Update<Source>: SQLRowChoosing, Sendable, Hashable {
  private var rows: SQLRowChoice
  private var assignments: [SQLStatement] = []
  private var rule: SQLConflictRule?

  init(_ rows: SQLRowChoice) { self.rows = rows }

  /// The SQL text and its values, in order.
  public var statement: SQLStatement {
    let update: SQLStatement =
      "UPDATE\(SQLConflictRule.clause(rule)) \(SQLName.statement(rows.table))"
    guard !assignments.isEmpty else {
      return SQLStatement(
        sql: update.sql, values: [],
        defect: SQLDefect(
          .invalidArgument, "An UPDATE has no assignment. Add a `set`."))
    }
    return "\(update) SET \(assignments.joined(separator: ", "))\(rows.clause)"
  }

  /// The name of the table.
  public var sourceName: String? { rows.table }

  private func with(_ change: (inout Update) -> Void) -> Update {
    var other = self
    change(&other)
    return other
  }

  // MARK: Assignments

  /// Returns a statement that also assigns a value to a column, after earlier assignments.
  public func set(_ column: String, to value: some SQLExpressible) -> Update {
    let name = SQLName.statement(column)
    let value = value.sqlExpression.nested(above: .raw)
    return with { $0.assignments.append("\(name) = \(value)") }
  }

  /// Returns a statement that also assigns an expression, or NULL, to a column.
  public func set(_ column: String, to value: SQLExpression?) -> Update {
    set(column, to: value ?? .null)
  }

  /// Returns a statement that also assigns values to columns, in the order of the columns' names.
  public func set(_ values: [String: any SQLExpressible]) -> Update {
    values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .reduce(self) { $0.set($1.key, to: SQLExpression($1.value)) }
  }

  /// Returns a statement that also contains a raw assignment: `set("visits = visits + \(1)")`.
  public func set(_ assignment: SQLStatement) -> Update {
    with { $0.assignments.append(assignment.closed) }
  }

  /// Returns a statement that also contains several raw assignments, in order.
  public func set(_ assignments: [SQLStatement]) -> Update {
    assignments.reduce(self) { $0.set($1) }
  }

  /// Returns a statement that applies a rule to rows that violate a constraint.
  public func or(_ rule: SQLConflictRule) -> Update { with { $0.rule = rule } }

  // MARK: Rows

  /// Returns a statement that also requires the condition, in addition to those of earlier calls.
  public func `where`(_ condition: SQLExpression) -> Update { with { $0.rows.choose(condition) } }

  /// Returns a statement that orders the rows, which matters only in combination with a limit.
  public func ordered(by keys: [SQLOrder]) -> Update {
    with { $0.rows.order(by: keys.map(\.statement)) }
  }

  /// Returns a statement that skips `offset` rows and updates at most `count` rows.
  public func limit(_ count: Int, offset: Int) -> Update {
    with { $0.rows.limit(to: count, offset: offset) }
  }
}

extension Update where Source == NamedColumns {
  /// Creates a statement that updates rows of a table.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - key: The columns that identify a row, used to apply a limit. For a table without a rowid,
  ///     list the columns of its primary key.
  public init(_ table: String, key: [String] = ["rowid"]) {
    self.init(SQLRowChoice(table, key: key))
  }
}

extension Update where Source: StoredObject {
  /// Creates a statement that updates rows of a class's table.
  public init(_ type: Source.Type) {
    self.init(SQLRowChoice(Source.classDescription))
  }

  /// Returns a statement that also assigns a value to a property.
  public func set<Value: StorableValue>(
    _ member: KeyPath<Source.Properties, Property<Value>>, to value: Value
  ) -> Update {
    set(member, to: .value(value))
  }

  /// Returns a statement that also assigns a value to a property that is stored as a raw value.
  @_disfavoredOverload
  public func set<Value: RawRepresentable>(
    _ member: KeyPath<Source.Properties, Property<Value>>, to value: Value
  ) -> Update where Value.RawValue: StorableValue {
    set(member, to: .value(value))
  }

  /// Returns a statement that also assigns a value to a property with a converter.
  public func set<C: PropertyConverter>(
    _ member: KeyPath<Source.Properties, ConvertedProperty<C, C.Value>>, to value: C.Value
  ) -> Update {
    set(
      Source.Properties(origin: .object)[keyPath: member].path, to: .value(Converted<C>(value)))
  }

  /// Returns a statement that also assigns a value or nil to an optional property with a converter.
  public func set<C: PropertyConverter>(
    _ member: KeyPath<Source.Properties, ConvertedProperty<C, C.Value?>>, to value: C.Value?
  ) -> Update {
    set(
      Source.Properties(origin: .object)[keyPath: member].path,
      to: .value(value.map { Converted<C>($0) }))
  }

  /// Returns a statement that also assigns an expression to a property.
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
