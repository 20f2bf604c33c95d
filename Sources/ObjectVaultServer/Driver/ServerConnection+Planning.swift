internal import CPostgreSQL
import Foundation
import ObjectVaultDriver

extension ServerConnection {
  /// Returns the plan of a query, see ``DriverConnection/plan(of:)``.
  ///
  /// The server plans the statement for any values (PostgreSQL's documentation, "PREPARE"), so that
  /// the plan contains none.
  func plan(of sql: String) throws(DriverError) -> [EnginePlanStep]? {
    let text = ParameterText(sql)
    let values = text.numbers.map { _ in "NULL" }.joined(separator: ", ")
    let call = values.isEmpty ? "" : " (\(values))"
    try command("PREPARE ov_explained AS \(text.text)")
    defer {
      if !link.isBroken, !isInFailedTransaction {
        _ = try? command("RESET plan_cache_mode")
        _ = try? command("DEALLOCATE ov_explained")
      }
    }
    try command("SET plan_cache_mode TO force_generic_plan")
    let explain = "EXPLAIN (FORMAT JSON) EXECUTE ov_explained\(call)"
    let result = try ended { PQsendQueryParams($0, explain, 0, nil, nil, nil, nil, 1) }
    result.position = 0
    return ServerPlan(result.text(at: 0) ?? "").steps
  }
}

/// A plan as PostgreSQL describes it (its documentation, "EXPLAIN").
struct ServerPlan {
  /// The steps, each after those whose rows it reads.
  private(set) var steps: [EnginePlanStep] = []

  init(_ json: String) {
    let parsed = try? JSONSerialization.jsonObject(with: Data(json.utf8))
    let plans = parsed as? [[String: Any]] ?? []
    for plan in plans { add(plan["Plan"] as? [String: Any] ?? [:], under: nil) }
  }

  private mutating func add(_ node: [String: Any], under table: String?) {
    func text(_ key: String) -> String? { node[key] as? String }
    let relation = text("Relation Name")
    for child in node["Plans"] as? [[String: Any]] ?? [] { add(child, under: relation ?? table) }
    let type = text("Node Type") ?? ""
    let condition = text("Index Cond")
    let kind: EnginePlanStep.Kind
    switch type {
    case "Seq Scan", "Sample Scan", "Tid Scan": kind = .scan
    case "Index Scan", "Index Only Scan", "Bitmap Index Scan":
      kind = condition == nil ? .scan : .search
    case "Sort", "Incremental Sort": kind = .sort
    case "Materialize", "Memoize", "Hash": kind = .store
    case "Aggregate" where text("Strategy") == "Hashed": kind = .store
    // The others pass on the rows of their children.
    default: return
    }
    var step = EnginePlanStep(kind)
    if kind == .search || kind == .scan {
      let table = relation ?? table
      step.table = table
      step.index = text("Index Name")
      step.isByObjectID = step.index != nil && step.index == table.map { "\($0)_pkey" }
      step.isCovering = type == "Index Only Scan"
      step.terms = condition.map(Self.terms) ?? ""
      step.rows = node["Plan Rows"] as? Int
    }
    steps.append(step)
  }

  /// Returns the terms of a search as SQLite writes them.
  private static func terms(_ condition: String) -> String {
    let parts = condition.replacing("(", with: "").replacing(")", with: "")
      .components(separatedBy: " AND ")
    return parts.map { part in
      part.replacing(#/\$[0-9]+(::[a-z ]+)?/#, with: "?").replacing("\"", with: "")
        .replacing(#/ (=|<|>|<=|>=) /#) { String($0.1) }
    }.joined(separator: " AND ")
  }
}
