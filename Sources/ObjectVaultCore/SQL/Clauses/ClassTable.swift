import ObjectVaultCondition

/// The table of a class; its members are the columns of the class's properties, which the compiler
/// checks.
///
/// ```swift
/// let s = ClassTable(Student.self, as: "s")
/// let r = ClassTable(Room.self, as: "r")
/// Select(s.name, r.floor).from(s).join(r, on: s.room == r.name)
/// ```
///
/// The class needs typed members: ``ObjectProperties``. Expressions compare as the engine does, where
/// NULL is neither equal to anything nor different, and a decimal is text unless it is
/// `collated(.decimal)`; ``matches(_:)`` takes conditions that mean what they mean in queries of objects.
@dynamicMemberLookup
public struct ClassTable<T: StoredObject>: Sendable, Hashable, SQLSource {
  /// As it stands in `FROM`.
  public let sqlSource: SQLStatement
  /// Its alias, or its own name.
  public let sqlName: String

  /// The table of a class.
  ///
  /// - Parameter alias: What the statement calls it; needed where it reads one table twice.
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

  /// The column of a property that is stored through a converter: what is stored.
  public subscript<C, Value>(
    dynamicMember member: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) -> SQLExpression {
    classColumns.column(T.Properties(origin: .object)[keyPath: member].path)
  }

  /// The column of a reference to an object with an objectID of one part.
  public subscript<Target>(
    dynamicMember member: KeyPath<T.Properties, RelatedObject<Target>>
  ) -> SQLExpression {
    classColumns.column(T.Properties(origin: .object)[keyPath: member].id.path)
  }

  /// A condition as queries of objects have it: `s.matches { $0.note != "x" && $0.room.floor > 1 }`.
  public func matches<C: ConditionConvertible>(
    _ condition: (T.Properties) -> C
  ) -> SQLExpression {
    matches(condition(T.Properties(origin: .object)).condition)
  }

  /// A condition as queries of objects have it.
  public func matches(_ condition: ObjectCondition) -> SQLExpression {
    classColumns.expression(condition)
  }

  private var classColumns: ClassColumns { ClassColumns(T.self, of: sqlName) }
}

/// The columns of a class under the name that a statement calls its table by, or under none.
struct ClassColumns {
  private let description: ClassDescription
  private let graph: @Sendable () -> ClassGraph
  private let table: String?
  private let converters: @Sendable () -> ConverterPaths?

  init<T: StoredObject>(_ type: T.Type, of table: String?) {
    description = T.classDescription
    self.table = table
    let declaration = ClassDeclaration(type)
    converters = { ConverterPaths(declaration) }
    graph = {
      ClassGraph(declaration.referenced.map(\.description)).with(declaration.description)
    }
  }

  /// The column of a property of the class.
  func column(_ path: PropertyPath) -> SQLExpression {
    guard let position = description.rowNames.firstIndex(of: path.spelling) else {
      return SQLExpression(
        defect: SQLDefect(
          .noSuchProperty,
          "'\(path.spelling)' is no property of class '\(description.name)' with a column of its own. "
            + "Join the table that has it."))
    }
    let column = SQLExpression.column(description.rowColumns[position], of: table)
    guard description.sharedPositions.contains(position) else { return column }
    return SQLExpression(
      SQLStatement(unchecked: SharedBlobs.content(of: column.statement.sql)), .primary)
  }

  /// The column of a property as `SET` names it, and what becomes of a value that it is given.
  func assignment(_ path: PropertyPath) -> (column: SQLExpression, (SQLStatement) -> SQLStatement) {
    guard let position = description.rowNames.firstIndex(of: path.spelling),
      description.sharedPositions.contains(position)
    else { return (column(path), { $0 }) }
    return (
      .column(description.rowColumns[position], of: table),
      { "\(unchecked: SharedBlobs.shareFunction)(\($0))" }
    )
  }

  /// The expression that holds for the rows of the objects that the condition holds for.
  func expression(_ condition: ObjectCondition) -> SQLExpression {
    make { checker, writer in
      if let failure = condition.failure { throw failure }
      let (arguments, named) = try condition.settledArguments(converters())
      return writer.write(
        try checker.resolve(
          condition.tree, arguments: arguments, named: named, text: condition.text),
        negated: false)
    }
  }

  /// The key of an order.
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
    _ write: (ConditionChecker, inout ConditionSQLWriter) throws -> String
  ) -> SQLExpression {
    let graph = graph
    // Patterns can be switched off where a vault is opened, which a clause knows nothing of.
    let checker = ConditionChecker(
      schema: ClassSchema(description: description, graph: graph), folding: .standard,
      allowsMatches: false)
    let names = names
    // No list goes to a table of its own: the statement is run by whoever has it.
    var writer = ConditionSQLWriter(
      table: names.table, columns: names.columns, parameterLimit: .max)
    do {
      let text = try write(checker, &writer)
      // Terms of AND and OR stand in parentheses already.
      return SQLExpression(SQLStatement(unchecked: text, values: writer.values), .not)
    } catch let error as ConditionError {
      return SQLExpression(defect: SQLDefect(VaultError(error)))
    } catch {
      return SQLExpression(defect: SQLDefect(error))
    }
  }
}
