import ObjectVaultCondition
import ObjectVaultDriver

/// A grouped query as SQL.
///
/// The innermost query reads the values of the objects. The next one groups them. The outer query
/// filters and sorts the groups.
struct GroupSQL {
  private let query: QuerySQL
  private let groups: String
  private let condition: ConditionSQL?
  private let columns: [String]
  private let order: [String]
  private let limit: LimitClause
  private let range: String
  private let dialect: any Dialect

  /// Creates the SQL of a grouped query.
  ///
  /// - Throws: The errors of ``GroupedQuery/validate()``.
  init<T>(_ grouped: GroupedQuery<T>, firstList: Int) throws {
    let query = try QuerySQL(grouped.query, firstList: firstList, parametersAfter: 100)
    guard !grouped.columns.isEmpty else {
      throw VaultError(
        .invalidArgument,
        "The grouping has no key and no result. Pass a property to group by, or an aggregate.")
    }
    self.query = query
    let sql = grouped.query.store.table.sql
    var values: [String] = []
    var made: [String] = []
    var keys: [String] = []
    for (position, column) in grouped.columns.enumerated() {
      let value = "ov_v\(position)"
      if let source = column.source {
        var writer = SQLWriter(sql.queried)
        values.append("\(try writer.value(source)) AS \(value)")
      }
      made.append("\(try column.sql(of: value, sql.dialect)) AS ov_g\(position)")
      if column.function == nil { keys.append(value) }
    }
    let part = query.part(values.isEmpty ? "1" : values.joined(separator: ", "))
    let by = keys.isEmpty ? "" : " GROUP BY \(keys.joined(separator: ", "))"
    groups = "(SELECT \(made.joined(separator: ", ")) FROM (\(part)) AS ov_part\(by)) AS ov_groups"
    let columns = grouped.columns.indices.map { "ov_g\($0)" }
    self.columns = columns
    let table = QueriedTable(name: "ov_groups", columns: columns, dialect: sql.dialect)
    // The rest is for the conditions of filters, and for the range.
    let room = sql.dialect.parameterLimit - query.parameterCount - 1_000
    condition = try grouped.condition.map { condition throws(VaultError) in
      try ConditionSQL(
        condition, of: table, parameterLimit: max(90, room),
        firstParameter: query.parameterCount + 1, firstList: firstList + query.lists.count)
    }
    let ties = grouped.columns.filter { $0.function == nil }
      .map { SortKey(ValueShape($0.shape)) }
    var order: [String] = []
    for key in grouped.order + ties { order.append(try key.sql(of: table)) }
    self.order = order
    limit = LimitClause(offset: grouped.offset, length: grouped.length)
    dialect = sql.dialect
    range = limit.text(
      dialect, from: query.parameterCount + (condition?.values.count ?? 0) + 1)
  }

  /// The lists of both conditions that need a temporary table.
  var lists: [ConditionSQL.List] { query.lists + (condition?.lists ?? []) }

  /// The statement that reads the rows, in order.
  var select: String {
    let order = order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))"
    return "SELECT \(columns.joined(separator: ", ")) FROM \(groups)\(whereClause)\(order)"
      + range
  }

  /// The statement that counts the groups.
  var count: String {
    "SELECT count(*) FROM (SELECT 1 FROM \(groups)\(whereClause)\(range)) AS ov_part"
  }

  private var whereClause: String { condition.map { " WHERE \($0.text)" } ?? "" }

  /// Binds the values of both conditions and both limits.
  func bind(to binder: Binder) {
    var position = query.bind(to: binder)
    for value in condition?.values ?? [] {
      value.bind(to: binder, at: position)
      position += 1
    }
    _ = limit.bind(to: binder, at: position, dialect)
  }
}
