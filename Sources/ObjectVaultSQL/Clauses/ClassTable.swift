import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultStores

/// The table of a class, with the columns of its properties as type-checked members.
///
/// ```swift
/// let s = ClassTable(Student.self, as: "s")
/// let r = ClassTable(Room.self, as: "r")
/// Select(s.name, r.floor).from(s).join(r, on: s.room == r.name)
/// ```
///
/// The class needs typed members: ``ObjectProperties``. Expressions compare as SQLite does: NULL is
/// neither equal to nor different from any value, and a decimal compares as text unless it is
/// `collated(.decimal)`. ``matches(_:)-(ObjectCondition)`` accepts conditions with the semantics of
/// object queries.
@dynamicMemberLookup
public struct ClassTable<T: StoredObject>: Sendable, Hashable, SQLSource {
  /// The table as written in `FROM`.
  public let sqlSource: SQLStatement
  /// The alias, or the name of the table if it has no alias.
  public let sqlName: String

  /// Creates the table of a class.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - alias: The name of the table in the statement. Required if the statement reads the table
  ///     twice. Default: `nil`, the name of the table.
  public init(_ type: T.Type = T.self, as alias: String? = nil) {
    let table = T.classDescription.table
    sqlName = alias ?? table
    sqlSource = SQLName.source(table, alias)
  }

  /// The column of a property.
  public subscript<Value>(
    dynamicMember member: KeyPath<T.Properties, Property<Value>>
  ) -> SQLExpression {
    classColumns.column(T.Properties(origin: .object)[keyPath: member].path)
  }

  /// The column of a property with a converter, which contains the converted value.
  public subscript<C, Value>(
    dynamicMember member: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) -> SQLExpression {
    classColumns.column(T.Properties(origin: .object)[keyPath: member].path)
  }

  /// The column of a reference to an object with a single-column object ID.
  public subscript<Target>(
    dynamicMember member: KeyPath<T.Properties, RelatedObject<Target>>
  ) -> SQLExpression {
    classColumns.column(T.Properties(origin: .object)[keyPath: member].id.path)
  }

  /// Returns an expression for a condition with the semantics of object queries.
  ///
  /// For example, `s.matches { $0.note != "x" && $0.room.floor > 1 }`.
  public func matches<C: ConditionConvertible>(
    _ condition: (T.Properties) -> C
  ) -> SQLExpression {
    matches(condition(T.Properties(origin: .object)).condition)
  }

  /// Returns an expression for a condition with the semantics of object queries.
  public func matches(_ condition: ObjectCondition) -> SQLExpression {
    classColumns.expression(condition)
  }

  private var classColumns: ClassColumns { ClassColumns(T.self, of: sqlName) }
}

/// The columns of a class, optionally qualified with the table's name in a statement.
struct ClassColumns {
  private let description: ClassDescription
  private let graph: @Sendable () -> ClassGraph
  private let table: String?
  private let converters: @Sendable () -> ConverterPaths?

  init<T: StoredObject>(_ type: T.Type, of table: String?) {
    description = T.classDescription
    self.table = table
    let declaration = ClassDeclaration(type)
    let (own, referenced) = (declaration.description, declaration.referenced.map(\.description))
    converters = { ConverterPaths(own, referenced) }
    graph = { ClassGraph(referenced).with(own) }
  }

  /// Returns the column of a property, or an expression with a defect if the property has no
  /// column.
  func column(_ path: PropertyPath) -> SQLExpression {
    guard let position = description.rowNames.firstIndex(of: path.spelling) else {
      return SQLExpression(
        defect: SQLDefect(
          .noSuchProperty,
          "'\(path.spelling)' is not a property of class '\(description.name)' with its own "
            + "column. Join the table that has it."))
    }
    if description.sealedColumn(position) != nil {
      return SQLExpression(
        defect: SQLDefect(
          .invalidArgument,
          "'\(path.spelling)' of class '\(description.name)' is sealed, so SQL by hand can neither "
            + "read nor write it. Use a store."))
    }
    let column = SQLExpression.column(description.rowColumns[position], of: table)
    guard description.sharedPositions.contains(position) else { return column }
    return SQLExpression(
      SQLStatement(unchecked: SharedBlobs.content(of: column.statement.sql)), .primary)
  }

  /// Returns the column of a property for `SET`, and a transformation for the assigned value.
  ///
  /// The content of a shared blob property is stored once, and its digest is assigned to the
  /// column.
  func assignment(_ path: PropertyPath) -> (column: SQLExpression, (SQLStatement) -> SQLStatement) {
    guard let position = description.rowNames.firstIndex(of: path.spelling),
      description.sharedPositions.contains(position)
    else { return (column(path), { $0 }) }
    return (
      .column(description.rowColumns[position], of: table),
      { "\(unchecked: SharedBlobs.shareFunction)(\($0))" }
    )
  }

  /// Returns the expression that is true for the rows of matching objects.
  func expression(_ condition: ObjectCondition) -> SQLExpression {
    make { checker, writer in
      if let failure = condition.failure { throw failure }
      let (arguments, named) = try condition.settledArguments(converters())
      return try writer.write(
        try checker.resolve(
          condition.tree, arguments: arguments, named: named, text: condition.text),
        negated: false)
    }
  }

  /// Returns the sort key for `ORDER BY`.
  func order(_ sort: Sort) -> SQLOrder {
    let key = make { checker, writer in
      try sort.key(of: checker.value(named: sort.property)).sql(&writer)
    }
    return SQLOrder(statement: key.statement)
  }

  private var names: (table: String, columns: [String]) {
    (SQLName.text(table ?? description.table), description.rowColumns.map(SQLName.text))
  }

  private func make(
    _ write: (ConditionChecker, inout SQLWriter) throws -> String
  ) -> SQLExpression {
    let graph = graph
    // Whether patterns are allowed is an option of an open vault, which a clause does not know.
    let checker = ConditionChecker(
      schema: ClassSchema(description: description, graph: graph), folding: .standard,
      matchesRestriction: .clause)
    let names = names
    // Long lists are not moved to a temporary table, because any connection may run the statement.
    // SQL by hand is written for one engine.
    var writer = SQLWriter(
      QueriedTable(name: names.table, columns: names.columns, dialect: SQLiteDialect()),
      parameterLimit: .max)
    do {
      let text = try write(checker, &writer)
      // Terms of AND and OR are already in parentheses.
      return SQLExpression(SQLStatement(unchecked: text, values: writer.values), .not)
    } catch let error as ConditionError {
      return SQLExpression(defect: SQLDefect(VaultError(error)))
    } catch {
      return SQLExpression(defect: SQLDefect(error))
    }
  }
}
