public import ObjectVaultSchema

/// The SQL and the plan of a query; it never contains values.
///
/// ```swift
/// let explanation = try students.where("age >= %@", 18).explain()
/// if explanation.isCostly { print(explanation.suggestions.map(\.declaration)) }
/// ```
public struct QueryExplanation: Sendable, Hashable {
  /// The condition as an indented tree, with `?` and the storage class for every value.
  ///
  /// Empty if the query has no condition.
  public var condition: String
  /// The statement, with `?` for every value.
  public var sql: String
  /// The storage classes of the values, in the order of the `?`.
  public var bindings: [BoundType]
  /// The steps of the plan, in order.
  public var plan: [PlanStep]
  /// The estimated number of rows that the query reads from the table of its class.
  ///
  /// The estimate uses the statistics of `ANALYZE` if the file has them. Without statistics it is
  /// exact for a full scan and for a single objectID, and `nil` for other steps.
  public var estimatedRows: Int?
  /// The indexes that would avoid a full scan or a sort in memory.
  public var suggestions: [IndexSuggestion]
  /// Warnings about the condition, such as a `LIKE` with `*` instead of `%`.
  public var warnings: [String]

  /// Whether the query scans a whole table or stores or sorts rows in memory.
  public var isCostly: Bool {
    plan.contains { $0.kind != .search }
  }
}

/// The storage class of a bound value.
public enum BoundType: String, Sendable, Hashable, CaseIterable {
  /// NULL, for nil.
  case null = "NULL"
  /// An integer.
  case integer = "INTEGER"
  /// A floating-point number.
  case real = "REAL"
  /// Text.
  case text = "TEXT"
  /// Bytes.
  case blob = "BLOB"
}

extension QueryExplanation: CustomStringConvertible {
  /// A textual description of the complete explanation.
  public var description: String {
    var lines: [String] = []
    func add(_ title: String, _ content: [String]) {
      lines.append("\(title):")
      lines += content.map { "  \($0)" }
    }
    add(
      "condition",
      condition.isEmpty ? ["every object"] : condition.split(separator: "\n").map(String.init))
    add("statement", [sql])
    if !bindings.isEmpty {
      add("values", [bindings.map(\.rawValue).joined(separator: ", ")])
    }
    add("plan", plan.map(\.description))
    add("rows", [estimatedRows.map { "about \($0) read" } ?? "unknown"])
    for warning in warnings { add("warning", [warning]) }
    for suggestion in suggestions { add("an index would help", [suggestion.declaration]) }
    return lines.joined(separator: "\n")
  }
}
