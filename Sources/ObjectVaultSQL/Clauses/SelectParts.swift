import ObjectVaultDriver
import ObjectVaultModel

/// The clauses of a `SELECT`.
struct SelectParts: Sendable, Hashable {
  var isDistinct = false
  var columns: [SQLStatement] = []
  /// The text after `FROM`.
  var sources: SQLStatement?
  /// The qualifier of the first source's columns.
  var sourceName: String?
  var condition: SQLExpression?
  var groups: [SQLStatement] = []
  var having: SQLExpression?
  /// The compound operators and their queries, which have no order and limit.
  var compounds: [SQLStatement] = []
  var order: [SQLStatement] = []
  var limit: Int?
  var offset: Int?
  /// The first problem that can't be represented in the text.
  var defect: SQLDefect?

  init(columns: [SQLStatement] = []) { self.columns = columns }

  /// A query of this query as a subquery, with the name of the first source.
  var wrapped: SelectParts {
    var outer = SelectParts()
    let name = sourceName.map { " AS \(SQLName.statement($0))" as SQLStatement }
    outer.sources = "(\(statement))\(name ?? "")"
    outer.sourceName = sourceName
    return outer
  }

  var statement: SQLStatement {
    var clauses: [SQLStatement] = [core] + compounds
    if !order.isEmpty { clauses.append("ORDER BY \(order.joined(separator: ", "))") }
    // OFFSET requires LIMIT, and -1 is no limit.
    if let limit = limit ?? offset.map({ _ in -1 }) {
      clauses.append("LIMIT \(unchecked: String(limit))")
    }
    if let offset { clauses.append("OFFSET \(unchecked: String(offset))") }
    let whole = clauses.joined(separator: " ")
    return SQLStatement(
      sql: whole.sql, values: whole.values, defect: whole.defect ?? defect)
  }

  private var core: SQLStatement {
    let columns = columns.isEmpty ? "*" : columns.joined(separator: ", ")
    var clauses: [SQLStatement] = ["SELECT \(unchecked: isDistinct ? "DISTINCT " : "")\(columns)"]
    if let sources { clauses.append("FROM \(sources)") }
    if let condition { clauses.append("WHERE \(condition.statement)") }
    if !groups.isEmpty { clauses.append("GROUP BY \(groups.joined(separator: ", "))") }
    if let having { clauses.append("HAVING \(having.statement)") }
    return clauses.joined(separator: " ")
  }

  /// Adds a source.
  mutating func read(_ source: any SQLSource, by join: SQLStatement, _ end: SQLStatement = "") {
    guard let earlier = sources else {
      sources = source.sqlSource
      sourceName = source.sqlName.isEmpty ? nil : source.sqlName
      return
    }
    sources = "\(earlier)\(join)\(source.sqlSource)\(end)"
  }

  mutating func noteNegative(_ count: Int) {
    if count < 0 {
      note(
        SQLDefect(
          .invalidArgument,
          "The offset or the limit of the range is negative. Use 0 or more, and omit the limit for "
            + "all rows."))
    }
  }

  mutating func note(_ defect: SQLDefect) {
    if self.defect == nil { self.defect = defect }
  }
}
