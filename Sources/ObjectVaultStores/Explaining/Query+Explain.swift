import Foundation
import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension Query {
  /// Returns the SQL of the query and the engine's plan for it, without running the query.
  ///
  /// The method reads only the schema and the statistics of the file. If the plan scans the whole
  /// table, it also counts the rows.
  ///
  /// ```swift
  /// print(try students.where("age >= %@", 18).sorted(by: "name").explain())
  /// ```
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func explain() throws -> QueryExplanation {
    let description = store.classDescription
    return try store.read { session in
      let sql = try QuerySQL(self, firstList: session.nextList)
      let select = sql.select.text
      let tables = try tableNames(in: select)
      // The temporary tables must exist; their content is irrelevant.
      try session.fill(sql.lists)
      defer { session.empty(sql.lists) }
      if let steps = try session.connection.plan(of: select) {
        let read = steps.filter { $0.table == description.table }.compactMap(\.rows)
        return explanation(
          sql, steps.map(PlanStep.init), read.isEmpty ? nil : read.reduce(0, +))
      }
      // A cached plan would use the former schema.
      let plan = try Schema(on: session).fresh("EXPLAIN QUERY PLAN \(select)") { statement in
        sql.bind(to: statement.binder)
        var plan: [PlanStep] = []
        while try statement.step() {
          if let step = PlanStep(statement.row.text(at: 3) ?? "", tables: tables) {
            plan.append(step)
          }
        }
        return plan
      }
      return explanation(
        sql, plan, try RowEstimate(of: description, on: session).rows(of: plan))
    }
  }

  private func explanation(
    _ sql: QuerySQL, _ plan: [PlanStep], _ rows: Int?
  ) -> QueryExplanation {
    let description = store.classDescription
    let isHelped = plan.contains {
      $0.kind == .temporarySort || $0.kind == .scan && $0.table == description.table
    }
    let advice = IndexAdvice(
      description: description, order: order, reversesTies: reversesTies, isLimited: length != nil,
      collated: store.table.sql.queried.own)
    return QueryExplanation(
      condition: outline, sql: sql.select.text, bindings: sql.bindings, plan: plan,
      estimatedRows: rows,
      suggestions: isHelped ? advice.suggestions(for: wholeCondition?.resolved) : [],
      warnings: wholeCondition?.resolved.warnings ?? [])
  }

  /// Returns the tables by the names that a plan can use: their own names and the statement's
  /// aliases.
  private func tableNames(in sql: String) throws -> [String: String] {
    let table = store.classDescription.table
    var names = [table: table]
    // "Classroom" AS ov_1
    var rest = Substring(sql)
    while let alias = rest.range(of: " AS ov_") {
      let before = rest[..<alias.lowerBound]
      let number = rest[alias.upperBound...].prefix { $0.isNumber }
      if let name = SQLIdentifier.last(in: before) {
        names["ov_\(number)"] = name
        names[name] = name
      }
      rest = rest[alias.upperBound...]
    }
    return names
  }
}

extension SQLIdentifier {
  /// Returns the quoted name at the end of a text.
  fileprivate static func last(in text: Substring) -> String? {
    guard text.hasSuffix("\"") else { return nil }
    var name: [Character] = []
    var rest = text.dropLast()
    while let character = rest.popLast() {
      guard character == "\"" else {
        name.append(character)
        continue
      }
      guard rest.last == "\"" else { return String(name.reversed()) }
      rest.removeLast()
      name.append("\"")
    }
    return nil
  }
}

extension Query {
  /// The condition as an indented tree without values, one comparison or search per line.
  var outline: String {
    let found = searches.map { "search for words\($0.column.map { " in \($0)" } ?? "")" }
    if let condition = wholeCondition?.resolved {
      if found.isEmpty { return condition.lines.joined(separator: "\n") }
      return ResolvedCondition.outline("all of", condition.conjuncts.flatMap(\.lines) + found)
        .joined(separator: "\n")
    }
    return (found.count > 1 ? ResolvedCondition.outline("all of", found) : found)
      .joined(separator: "\n")
  }
}
