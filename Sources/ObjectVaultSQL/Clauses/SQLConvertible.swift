public import ObjectVaultModel

/// A type that produces one SQL statement.
///
/// The conforming types are ``Select``, ``Insert``, ``Update``, ``Delete`` and ``SQLStatement``.
///
/// ```swift
/// let grown = Select("name").from("students").where { $0.age >= 18 }
/// grown.statement.sql      // SELECT name FROM students WHERE age >= ?
/// grown.statement.values   // .integer(18)
/// let rows = try vault.rows(grown)
/// ```
public protocol SQLConvertible: Sendable {
  /// The SQL text, with `?` for values, and the values in order.
  var statement: SQLStatement { get }
}

extension SQLStatement: SQLConvertible {
  /// The statement itself.
  public var statement: SQLStatement { self }
}

/// A statement with a `WHERE` clause: ``Select``, ``Update`` or ``Delete``.
public protocol SQLFiltering {
  /// The class of the table, or ``NamedColumns`` for a table given by its name.
  associatedtype Source

  /// The qualifier of the table's columns.
  var sourceName: String? { get }

  /// Returns a statement that also requires the condition, in addition to those of earlier calls.
  func `where`(_ condition: SQLExpression) -> Self
}

extension SQLFiltering {
  /// Returns a statement that also requires raw SQL to be true: `where("age > \(18)")`.
  public func `where`(_ condition: SQLStatement) -> Self { `where`(SQLExpression(condition)) }
}

extension SQLFiltering where Source == NamedColumns {
  /// Returns a statement that also requires an expression of named columns to be true.
  public func `where`(_ condition: (NamedColumns) -> SQLExpression) -> Self {
    `where`(condition(NamedColumns()))
  }
}

extension SQLFiltering where Source: StoredObject {
  /// Returns a statement that also requires a condition with type-checked members.
  ///
  /// The condition has the semantics of object queries, including conditions across associations.
  public func `where`<C: ConditionConvertible>(_ condition: (Source.Properties) -> C) -> Self {
    `where`(condition(Source.Properties(origin: .object)).condition)
  }

  /// Returns a statement that also requires a condition with the semantics of object queries.
  public func `where`(_ condition: ObjectCondition) -> Self {
    `where`(ClassColumns(Source.self, of: sourceName).expression(condition))
  }
}
