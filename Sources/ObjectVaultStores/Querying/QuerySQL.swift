import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// A query as SQL: the clauses after `FROM` and the values of their parameters, in order.
struct QuerySQL {
  private let state: TableState
  private let condition: ConditionSQL?
  /// The prepared statement text that reads the objects, if the condition has a form.
  private let known: StatementText?
  /// The additional terms of the condition: full-text searches and SQL fragments.
  private let clauses: [(text: String, values: [StoredValue])]
  private let keys: [String]
  /// The suffix of the columns that order objects with equal keys.
  private let ties: String
  private let limit: LimitClause

  /// Creates the SQL of a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - firstList: The number of the first list's temporary table.
  ///   - otherParameters: The number of other parameters of the statement.
  init<T>(_ query: Query<T>, firstList: Int, otherParameters: Int = 0) {
    self.init(
      query.parts, of: query.store.access, firstList: firstList,
      otherParameters: otherParameters)
  }

  /// Creates the SQL of the parts of a query.
  ///
  /// - Parameters:
  ///   - query: The parts.
  ///   - store: The queried store.
  ///   - limit: The limit clause; `nil` for the range of the query.
  ///   - firstList: The number of the first list's temporary table.
  ///   - otherParameters: The number of other parameters of the statement.
  init(
    _ query: QueryParts, of store: StoreAccess, limit: LimitClause? = nil, firstList: Int,
    otherParameters: Int = 0
  ) {
    state = store.state
    let (table, columns) = (state.sql.table, state.sql.quotedColumns)
    let asked = store.condition(of: query)
    condition = asked?.sql(
      table: table, columns: columns,
      parameterLimit: max(
        0, 900 - otherParameters - query.fragments.reduce(0) { $0 + $1.values.count }),
      firstList: firstList)
    ties = query.reversesTies ? " DESC" : ""
    let limit = limit ?? query.limit
    self.limit = limit
    if query.searches.isEmpty, query.fragments.isEmpty, query.order.isEmpty {
      (clauses, keys) = ([], [])
      known = query.reversesTies ? nil : asked?.select(limit)
      return
    }
    clauses =
      Self.clauses(of: query.searches, state)
      // The line break ends a comment at the end of the fragment.
      + query.fragments.map { ("(\($0.sql)\n)", $0.values) }
    keys = query.order.map { $0.sql(table: table, columns: columns) }
    known = nil
  }

  /// The lists of the condition that need a temporary table.
  var lists: [ConditionSQL.List] { condition?.lists ?? [] }

  /// The statement that reads all selected objects, in order.
  var select: StatementText {
    known ?? StatementText(select(state.sql.columns))
  }

  /// Returns the statement that reads these columns of all selected objects, in order.
  func select(_ columns: String) -> String {
    "SELECT \(columns) FROM \(state.sql.table)\(whereClause)\(orderClause)\(limit.text)"
  }

  /// Returns the statement that reads the distinct combinations of columns in the given order.
  func distinct(_ columns: [String], order: [String]) -> String {
    "SELECT DISTINCT \(columns.joined(separator: ", ")) FROM \(state.sql.table)\(whereClause)"
      + " ORDER BY \(order.joined(separator: ", "))\(limit.text)"
  }

  /// Returns a subquery with these columns of the selected objects.
  ///
  /// It is ordered only if a range depends on the order.
  func part(_ columns: String) -> String {
    let order = limit.isWhole ? "" : orderClause
    return "SELECT \(columns) FROM \(state.sql.table)\(whereClause)\(order)\(limit.text)"
  }

  /// Returns the statement that updates the selected objects.
  func update(_ assignments: [String]) -> String {
    let set = "UPDATE \(state.sql.table) SET \(assignments.joined(separator: ", "))"
    guard !limit.isWhole else { return set + whereClause }
    return "\(set) WHERE \(isChosen)"
  }

  /// The statement that counts the selected objects.
  var count: StatementText {
    guard !limit.isWhole else { return StatementText(state.sql.count.text + whereClause) }
    return StatementText(
      "SELECT count(*) FROM (SELECT 1 FROM \(state.sql.table)\(whereClause)\(limit.text))")
  }

  /// The statement that returns 1 if an object is selected, else 0.
  var exists: String {
    // SQLite replaces the limit of a query that is directly inside EXISTS with its own.
    "SELECT EXISTS "
      + "(SELECT 1 FROM (SELECT 1 FROM \(state.sql.table)\(whereClause)\(limit.text)))"
  }

  /// The statement that deletes the selected objects.
  var remove: String {
    guard !limit.isWhole else { return "DELETE FROM \(state.sql.table)\(whereClause)" }
    return "DELETE FROM \(state.sql.table) WHERE \(isChosen)"
  }

  /// The condition that a row is in the range.
  private var isChosen: String {
    let key = state.objectIDPositions.map { state.sql.qualifiedColumns[$0] }
      .joined(separator: ", ")
    return "(\(key)) IN "
      + "(SELECT \(key) FROM \(state.sql.table)\(whereClause)\(orderClause)\(limit.text))"
  }

  private var whereClause: String {
    if clauses.isEmpty { return condition.map { " WHERE " + $0.text } ?? "" }
    let all = (condition.map { ["(\($0.text))"] } ?? []) + clauses.map(\.text)
    return " WHERE \(all.joined(separator: " AND "))"
  }

  private var orderClause: String {
    if keys.isEmpty, ties.isEmpty { return state.insertionOrderClause }
    let order = keys + state.insertionOrder.map { "\($0)\(ties)" }
    return " ORDER BY \(order.joined(separator: ", "))"
  }

  /// Returns the condition, order and range as the clauses after the `FROM` clause.
  ///
  /// - Parameter first: The first ordering term if the query has no order.
  /// - Returns: The clauses with a leading space.
  func tail(orderedBy first: String) -> String {
    let order = (keys.isEmpty ? [first] : keys) + state.insertionOrder.map { "\($0)\(ties)" }
    return "\(whereClause) ORDER BY \(order.joined(separator: ", "))\(limit.text)"
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
    return limit.bind(to: binder, at: position)
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
    let sql = QuerySQL(query, of: store, limit: limit, firstList: session.nextList)
    let statement = text(sql)
    return try store.timed(statement.text, asking: query) { _ in
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
