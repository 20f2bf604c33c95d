import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// A query as SQL: the clauses after `FROM` and the values of their parameters, in order.
struct QuerySQL {
  private let table: Table
  private let condition: ConditionSQL?
  /// The prepared statement text that reads the objects, if the condition has a form.
  private let known: StatementText?
  /// The additional terms of the condition: full-text searches and SQL fragments.
  private let clauses: [(text: String, values: [StoredValue])]
  private let keys: [String]
  /// The suffix of the columns that order objects with equal keys.
  private let ties: String
  private let limit: LimitClause
  /// The clause of the range.
  private let range: String
  /// The number of parameters.
  let parameterCount: Int

  /// Creates the SQL of a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - firstList: The number of the first list's temporary table.
  ///   - before: The number of parameters of the statement before those of the query.
  ///   - after: The number of its other parameters.
  /// - Throws: The error of a step that failed; `.invalidCondition` if the engine lacks a capability
  ///   that the query needs.
  init<T>(
    _ query: Query<T>, firstList: Int, parametersBefore before: Int = 0,
    parametersAfter after: Int = 0
  ) throws {
    let access = query.store.access
    try self.init(
      query.parts, matching: access.condition(of: query.parts), of: access.table,
      firstList: firstList, parametersBefore: before, parametersAfter: after)
  }

  /// Creates the SQL of the parts of a query.
  ///
  /// - Parameters:
  ///   - query: The parts.
  ///   - queried: The condition of the query and of the store.
  ///   - table: The queried table.
  ///   - limit: The limit clause; `nil` for the range of the query.
  ///   - firstList: The number of the first list's temporary table.
  ///   - before: The number of parameters of the statement before those of the query.
  ///   - after: The number of its other parameters.
  /// - Throws: The error of a step that failed; `.invalidCondition` if the engine lacks a capability
  ///   that the query needs.
  init(
    _ query: QueryParts, matching queried: QueryCondition?, of table: Table,
    limit: LimitClause? = nil, firstList: Int = 0, parametersBefore before: Int = 0,
    parametersAfter after: Int = 0
  ) throws {
    try query.checkSteps()
    self.table = table
    let dialect = table.sql.dialect
    let others = before + after + query.fragments.reduce(0) { $0 + $1.values.count }
    condition = try queried?.sql(
      of: table.sql.queried, parameterLimit: max(0, dialect.parameterLimit - 99 - others),
      firstParameter: before + 1, firstList: firstList)
    ties = query.reversesTies ? " DESC" : ""
    let limit = limit ?? query.limit
    self.limit = limit
    if query.searches.isEmpty, query.fragments.isEmpty, query.order.isEmpty {
      (clauses, keys) = ([], [])
      known = query.reversesTies ? nil : queried?.select(limit)
    } else {
      clauses =
        Self.clauses(of: query.searches, table)
        // The line break ends a comment at the end of the fragment.
        + query.fragments.map { ("(\($0.sql)\n)", $0.values) }
      var keys: [String] = []
      for key in query.order { keys.append(try key.sql(of: table.sql.queried)) }
      self.keys = keys
      known = nil
    }
    let bound = clauses.reduce(condition?.values.count ?? 0) { $0 + $1.values.count }
    range = limit.text(dialect, from: before + bound + 1)
    parameterCount = bound + limit.parameterCount
  }

  /// The lists of the condition that need a temporary table.
  var lists: [ConditionSQL.List] { condition?.lists ?? [] }

  /// The statement that reads all selected objects, in order.
  var select: StatementText {
    known ?? StatementText(select(table.sql.columns))
  }

  /// Returns the statement that reads these columns of all selected objects, in order.
  func select(_ columns: String) -> String {
    "SELECT \(columns) FROM \(table.sql.table)\(whereClause)\(orderClause)\(range)"
  }

  /// Returns the statement that reads the distinct combinations of columns in the given order.
  ///
  /// Unlike `SELECT DISTINCT`, all engines order groups by expressions of their columns.
  func distinct(_ columns: [String], order: [String]) -> String {
    let columns = columns.joined(separator: ", ")
    return "SELECT \(columns) FROM \(table.sql.table)\(whereClause) GROUP BY \(columns)"
      + " ORDER BY \(order.joined(separator: ", "))\(range)"
  }

  /// Returns a subquery with these columns of the selected objects.
  ///
  /// It is ordered only if a range depends on the order.
  func part(_ columns: String) -> String {
    let order = limit.isWhole ? "" : orderClause
    return "SELECT \(columns) FROM \(table.sql.table)\(whereClause)\(order)\(range)"
  }

  /// Returns the statement that updates the selected objects.
  func update(_ assignments: [String]) -> String {
    let update = table.sql.dialect.update(table.sql.table, assignments, isUndone: true)
    guard !limit.isWhole else { return update + whereClause }
    return "\(update) WHERE \(isChosen)"
  }

  /// The statement that counts the selected objects.
  var count: StatementText {
    guard !limit.isWhole else { return StatementText(table.sql.count.text + whereClause) }
    return StatementText(
      "SELECT count(*) FROM (SELECT 1 FROM \(table.sql.table)\(whereClause)\(range)) AS ov_part")
  }

  /// The statement that returns 1 if an object is selected, else 0.
  var exists: String {
    // SQLite replaces the limit of a query that is directly inside EXISTS with its own.
    "SELECT EXISTS "
      + "(SELECT 1 FROM (SELECT 1 FROM \(table.sql.table)\(whereClause)\(range)) AS ov_part)"
  }

  /// The statement that deletes the selected objects.
  var remove: String {
    guard limit.isWhole else { return "DELETE FROM \(table.sql.table) WHERE \(isChosen)" }
    let condition = whereClause
    return "DELETE FROM \(table.sql.table)\(condition.isEmpty ? table.everyRow : condition)"
  }

  /// The condition that a row is in the range.
  private var isChosen: String {
    let key = table.objectIDPositions.map { table.sql.comparedColumns[$0] }
      .joined(separator: ", ")
    return "(\(key)) IN "
      + "(SELECT \(key) FROM \(table.sql.table)\(whereClause)\(orderClause)\(range))"
  }

  private var whereClause: String {
    if clauses.isEmpty { return condition.map { " WHERE " + $0.text } ?? "" }
    let all = (condition.map { ["(\($0.text))"] } ?? []) + clauses.map(\.text)
    return " WHERE \(all.joined(separator: " AND "))"
  }

  private var orderClause: String {
    if keys.isEmpty, ties.isEmpty { return table.insertionOrderClause }
    let order = keys + table.insertionOrder.map { "\($0)\(ties)" }
    return " ORDER BY \(order.joined(separator: ", "))"
  }

  /// Returns the condition, order and range as the clauses after the `FROM` clause.
  ///
  /// - Parameter first: The first ordering term if the query has no order.
  /// - Returns: The clauses with a leading space.
  func tail(orderedBy first: String) -> String {
    let order = (keys.isEmpty ? [first] : keys) + table.insertionOrder.map { "\($0)\(ties)" }
    return "\(whereClause) ORDER BY \(order.joined(separator: ", "))\(range)"
  }

  /// Binds the values of the condition and the range.
  ///
  /// - Parameters:
  ///   - binder: The binder of the statement.
  ///   - start: The position of the first parameter.
  /// - Returns: The position after the last bound parameter.
  @discardableResult
  func bind(to binder: Binder, at start: Int = 0) -> Int {
    var position = start
    func bind(_ values: [StoredValue]) {
      for value in values {
        value.bind(to: binder, at: position)
        position += 1
      }
    }
    if let condition { bind(condition.values) }
    for clause in clauses { bind(clause.values) }
    return limit.bind(to: binder, at: position, table.sql.dialect)
  }

  /// The types of the parameters.
  var bindings: [BoundType] {
    let values = (condition?.values ?? []) + clauses.flatMap(\.values)
    return values.map(\.boundType) + limit.bindings
  }

  /// Calls `body` with the bound statement while the lists are in their temporary tables.
  static func with<T, R>(
    _ query: Query<T>, _ text: (QuerySQL) -> String, on session: Session,
    _ body: (Statement) throws -> R
  ) throws -> R {
    try with(query, { StatementText(text($0)) }, on: session, body)
  }

  /// Calls `body` with the bound statement while the lists are in their temporary tables.
  static func with<T, R>(
    _ query: Query<T>, _ text: (QuerySQL) -> StatementText, on session: Session,
    _ body: (Statement) throws -> R
  ) throws -> R {
    try with(query.parts, of: query.store.access, text, on: session, body)
  }

  /// Calls `body` with the bound statement while the lists are in their temporary tables.
  static func with<R>(
    _ query: QueryParts, of store: StoreAccess, limit: LimitClause? = nil,
    _ text: (QuerySQL) -> StatementText, on session: Session,
    _ body: (Statement) throws -> R
  ) throws -> R {
    let sql = try QuerySQL(
      query, matching: store.condition(of: query), of: store.table, limit: limit,
      firstList: session.nextList)
    let statement = text(sql)
    return try store.timed(statement.text, of: query) { _ in
      try session.with(statement, lists: sql.lists) { statement in
        sql.bind(to: statement.binder)
        return try body(statement)
      }
    }
  }
}

extension Session {
  /// Calls `body` with a statement while the lists are in their temporary tables.
  func with<R>(
    _ text: String, lists: [ConditionSQL.List], _ body: (Statement) throws -> R
  ) throws -> R {
    try with(StatementText(text), lists: lists, body)
  }

  /// Calls `body` with a statement while the lists are in their temporary tables.
  func with<R>(
    _ text: StatementText, lists: [ConditionSQL.List], _ body: (Statement) throws -> R
  ) throws -> R {
    guard !lists.isEmpty else { return try with(text, body) }
    defer { empty(lists) }
    try fill(lists)
    return try with(text, body)
  }

  /// Fills the temporary tables of lists, which stay in memory.
  func fill(_ lists: [ConditionSQL.List]) throws {
    self.lists.inUse.formUnion(lists.map(\.number))
    try changingTemporaryTables {
      try ConditionSQL(text: "", values: [], lists: lists).fillLists(on: connection)
    }
  }

  func empty(_ lists: [ConditionSQL.List]) {
    self.lists.inUse.subtract(lists.map(\.number))
    // If this fails, the table is emptied before its next use.
    changingTemporaryTables {
      try? ConditionSQL(text: "", values: [], lists: lists).emptyLists(on: connection)
    }
  }
}
