import ObjectVaultCondition
import ObjectVaultEngine

/// A query as SQL: the clauses after `FROM`, and the values of their parameters in order.
struct QuerySQL {
  private let state: TableState
  private let condition: ConditionSQL?
  /// The statement that reads the objects, where it was written before.
  private let known: StatementText?
  /// What must hold besides the condition.
  private let clauses: [(text: String, values: [StoredValue])]
  private let keys: [String]
  /// What follows the names of the columns that order objects equal in all keys.
  private let ties: String
  private let limit: LimitClause

  /// - Parameter otherParameters: How many parameters the statement has besides.
  init<T>(_ query: Query<T>, firstList: Int, otherParameters: Int = 0) {
    self.init(
      query.parts, of: query.store.access, firstList: firstList,
      otherParameters: otherParameters)
  }

  /// - Parameter otherParameters: How many parameters the statement has besides.
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
      // What ends in a comment ends with its line.
      + query.fragments.map { ("(\($0.sql)\n)", $0.values) }
    keys = query.order.map { $0.sql(table: table, columns: columns) }
    known = nil
  }

  /// Lists of the condition that need a temporary table.
  var lists: [ConditionSQL.List] { condition?.lists ?? [] }

  /// Every chosen object, in order.
  var select: StatementText {
    known ?? StatementText(select(state.sql.columns))
  }

  /// These columns of every chosen object, in order.
  func select(_ columns: String) -> String {
    "SELECT \(columns) FROM \(state.sql.table)\(whereClause)\(orderClause)\(limit.text)"
  }

  /// These columns of the chosen objects, each combination once, in an order of its own.
  func distinct(_ columns: [String], order: [String]) -> String {
    "SELECT DISTINCT \(columns.joined(separator: ", ")) FROM \(state.sql.table)\(whereClause)"
      + " ORDER BY \(order.joined(separator: ", "))\(limit.text)"
  }

  /// These columns of the chosen objects, for a statement around: in order only where the order
  /// says which objects they are.
  func part(_ columns: String) -> String {
    let order = limit.isWhole ? "" : orderClause
    return "SELECT \(columns) FROM \(state.sql.table)\(whereClause)\(order)\(limit.text)"
  }

  /// Gives columns of them values.
  func update(_ assignments: [String]) -> String {
    let set = "UPDATE \(state.sql.table) SET \(assignments.joined(separator: ", "))"
    guard !limit.isWhole else { return set + whereClause }
    return "\(set) WHERE \(isChosen)"
  }

  /// How many there are.
  var count: StatementText {
    guard !limit.isWhole else { return StatementText(state.sql.count.text + whereClause) }
    return StatementText(
      "SELECT count(*) FROM (SELECT 1 FROM \(state.sql.table)\(whereClause)\(limit.text))")
  }

  /// 1 or 0: whether there is one.
  var exists: String {
    // The engine puts a limit of its own in place of that of the query directly inside EXISTS.
    "SELECT EXISTS "
      + "(SELECT 1 FROM (SELECT 1 FROM \(state.sql.table)\(whereClause)\(limit.text)))"
  }

  /// Removes them.
  var remove: String {
    guard !limit.isWhole else { return "DELETE FROM \(state.sql.table)\(whereClause)" }
    return "DELETE FROM \(state.sql.table) WHERE \(isChosen)"
  }

  /// The condition that a row is one of those in the range.
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

  /// Condition, order and range, as they follow what is read from.
  ///
  /// - Parameter first: What orders the rows where the query has no order of its own.
  func tail(orderedBy first: String) -> String {
    let order = (keys.isEmpty ? [first] : keys) + state.insertionOrder.map { "\($0)\(ties)" }
    return "\(whereClause) ORDER BY \(order.joined(separator: ", "))\(limit.text)"
  }

  /// Binds the condition's values and the range.
  ///
  /// - Returns: The position after them.
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

  /// What the values and the range are bound as.
  var bindings: [BoundType] {
    let values = (condition?.values ?? []) + clauses.flatMap(\.values)
    return values.map(\.boundType) + limit.bindings
  }

  /// Calls `body` with the bound statement while the condition's lists stand in their tables.
  static func with<T, R>(
    _ query: Query<T>, _ text: (QuerySQL) -> String, on connection: VaultConnection,
    _ body: (Statement) throws -> R
  ) throws -> R {
    try with(query, { StatementText(text($0)) }, on: connection, body)
  }

  /// Calls `body` with the bound statement while the condition's lists stand in their tables.
  static func with<T, R>(
    _ query: Query<T>, _ text: (QuerySQL) -> StatementText, on connection: VaultConnection,
    _ body: (Statement) throws -> R
  ) throws -> R {
    try with(query.parts, of: query.store.access, text, on: connection, body)
  }

  /// Calls `body` with the bound statement while the condition's lists stand in their tables.
  static func with<R>(
    _ query: QueryParts, of store: StoreAccess, limit: LimitClause? = nil,
    _ text: (QuerySQL) -> StatementText, on connection: VaultConnection,
    _ body: (Statement) throws -> R
  ) throws -> R {
    let sql = QuerySQL(query, of: store, limit: limit, firstList: connection.nextList)
    let statement = text(sql)
    return try store.timed(statement.text, asking: query) { _ in
      try connection.with(statement, lists: sql.lists) { statement in
        sql.bind(to: statement.binder)
        return try body(statement)
      }
    }
  }
}

extension VaultConnection {
  /// Calls `body` with a statement while lists of its conditions stand in their tables.
  func with<R>(
    _ text: String, lists: [ConditionSQL.List], _ body: (Statement) throws -> R
  ) throws -> R {
    try with(StatementText(text), lists: lists, body)
  }

  /// Calls `body` with a statement while lists of its conditions stand in their tables.
  func with<R>(
    _ text: StatementText, lists: [ConditionSQL.List], _ body: (Statement) throws -> R
  ) throws -> R {
    guard !lists.isEmpty else { return try with(text, body) }
    defer { empty(lists) }
    try fill(lists)
    return try with(text, body)
  }

  /// Puts the lists of a condition into temporary tables, which stay in memory.
  func fill(_ lists: [ConditionSQL.List]) throws {
    listsInUse.formUnion(lists.map(\.number))
    try changingTemporaryTables {
      try ConditionSQL(text: "", values: [], lists: lists).fillLists(on: engine)
    }
  }

  func empty(_ lists: [ConditionSQL.List]) {
    listsInUse.subtract(lists.map(\.number))
    // A table that cannot be emptied is emptied before its next use.
    changingTemporaryTables {
      try? ConditionSQL(text: "", values: [], lists: lists).emptyLists(on: engine)
    }
  }
}
