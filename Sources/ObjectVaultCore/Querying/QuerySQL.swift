import ObjectVaultCondition
import ObjectVaultEngine

/// A query as SQL: the clauses after `FROM`, and the values of their parameters in order.
struct QuerySQL {
  private let state: TableState
  private let condition: ConditionSQL?
  private let order: [String]
  private let limit: (offset: Int, length: Int?)?

  init<T>(_ query: Query<T>, firstList: Int) {
    state = query.store.state
    let columns = state.sql.quotedColumns
    condition = query.condition.map {
      ConditionSQL($0, columns: columns, firstList: firstList)
    }
    order =
      query.order.map { $0.sql(columns: columns) } + state.insertionOrder
    let isWhole = query.offset == 0 && query.length == nil
    limit = isWhole ? nil : (query.offset, query.length)
  }

  /// Lists of the condition that need a temporary table.
  var lists: [ConditionSQL.List] { condition?.lists ?? [] }

  /// Every chosen object, in order.
  var select: String { select(state.sql.columns) }

  /// These columns of every chosen object, in order.
  func select(_ columns: String) -> String {
    "SELECT \(columns) FROM \(state.sql.table)\(whereClause)\(orderClause)\(limitClause)"
  }

  /// How many there are.
  var count: String {
    guard limit != nil else { return "SELECT count(*) FROM \(state.sql.table)\(whereClause)" }
    return "SELECT count(*) FROM (SELECT 1 FROM \(state.sql.table)\(whereClause)\(limitClause))"
  }

  /// 1 or 0: whether there is one.
  var exists: String {
    // The engine puts a limit of its own in place of that of the query directly inside EXISTS.
    "SELECT EXISTS "
      + "(SELECT 1 FROM (SELECT 1 FROM \(state.sql.table)\(whereClause)\(limitClause)))"
  }

  /// Removes them.
  var remove: String {
    guard limit != nil else { return "DELETE FROM \(state.sql.table)\(whereClause)" }
    let key = state.objectIDPositions.map { state.sql.quotedColumns[$0] }
      .joined(separator: ", ")
    return "DELETE FROM \(state.sql.table) WHERE (\(key)) IN "
      + "(SELECT \(key) FROM \(state.sql.table)\(whereClause)\(orderClause)\(limitClause))"
  }

  private var whereClause: String { condition.map { " WHERE \($0.text)" } ?? "" }
  private var orderClause: String { " ORDER BY \(order.joined(separator: ", "))" }
  private var limitClause: String { limit == nil ? "" : " LIMIT ? OFFSET ?" }

  /// Binds the condition's values and the range.
  func bind(to statement: Statement) {
    let binder = statement.binder
    var position = 0
    for value in condition?.values ?? [] {
      value.bind(to: binder, at: position)
      position += 1
    }
    if let limit {
      // -1 is the engine's "no limit".
      binder.bind(integer: limit.length.map(Int64.init) ?? -1, at: position)
      binder.bind(integer: Int64(limit.offset), at: position + 1)
    }
  }

  /// Calls `body` with the bound statement while the condition's lists stand in their tables.
  static func with<T, R>(
    _ query: Query<T>, _ text: (QuerySQL) -> String, on connection: VaultConnection,
    _ body: (Statement) throws -> R
  ) throws -> R {
    let sql = QuerySQL(query, firstList: connection.listsInUse)
    return try connection.withLists(of: sql) {
      try connection.with(text(sql)) { statement in
        sql.bind(to: statement)
        return try body(statement)
      }
    }
  }
}

extension VaultConnection {
  fileprivate func withLists<R>(of sql: QuerySQL, _ body: () throws -> R) throws -> R {
    guard !sql.lists.isEmpty else { return try body() }
    defer { emptyLists(of: sql) }
    try fillLists(of: sql)
    return try body()
  }

  /// Puts the lists of a condition into temporary tables, which stay in memory.
  func fillLists(of sql: QuerySQL) throws {
    listsInUse += sql.lists.count
    try ConditionSQL(text: "", values: [], lists: sql.lists).fillLists(on: engine)
  }

  func emptyLists(of sql: QuerySQL) {
    listsInUse -= sql.lists.count
    // A table that cannot be emptied is emptied before its next use.
    try? ConditionSQL(text: "", values: [], lists: sql.lists).emptyLists(on: engine)
  }
}
