/// What becomes one statement of SQL: ``Select``, ``Insert``, ``Update``, ``Delete``, and an
/// ``SQLStatement`` itself.
///
/// ```swift
/// let grown = Select("name").from("students").where { $0.age >= 18 }
/// grown.statement.sql      // SELECT name FROM students WHERE age >= ?
/// grown.statement.values   // .integer(18)
/// let rows = try vault.rows(grown)
/// ```
public protocol SQLConvertible: Sendable {
  /// The text, with `?` for values, and the values in order.
  var statement: SQLStatement { get }
}

extension SQLStatement: SQLConvertible {
  /// Itself.
  public var statement: SQLStatement { self }
}

/// A statement that takes a condition: ``Select``, ``Update``, ``Delete``.
public protocol SQLFiltering {
  /// A class, or ``NamedColumns`` where a table is named by its name.
  associatedtype Source

  /// What the columns of its table are named after.
  var sourceName: String? { get }

  /// The statement for the rows, too, for which the expression is true. Calls add up.
  func `where`(_ condition: SQLExpression) -> Self
}

extension SQLFiltering {
  /// The statement for the rows, too, for which the text is true: `where("age > \(18)")`.
  public func `where`(_ condition: SQLStatement) -> Self { `where`(SQLExpression(condition)) }
}

extension SQLFiltering where Source == NamedColumns {
  /// The statement for the rows, too, for which the expression of columns is true.
  public func `where`(_ condition: (NamedColumns) -> SQLExpression) -> Self {
    `where`(condition(NamedColumns()))
  }
}

extension SQLFiltering where Source: StoredObject {
  /// The statement for the rows, too, of the objects for which the condition holds, in members that the
  /// compiler checks. It means what it means in queries of objects, across associations too.
  public func `where`<C: ConditionConvertible>(_ condition: (Source.Properties) -> C) -> Self {
    `where`(condition(Source.Properties(origin: .object)).condition)
  }

  /// The statement for the rows, too, of the objects for which the condition holds.
  public func `where`(_ condition: ObjectCondition) -> Self {
    `where`(ClassColumns(Source.self, of: sourceName).expression(condition))
  }
}
