/// What a query becomes, and how the engine will find its objects. Values never stand in it.
public struct QueryExplanation: Sendable, Hashable {
  /// What is asked, as an indented tree: `?` stands for a value, with its storage class. Empty where
  /// every object is chosen.
  public var condition: String
  /// The statement, with `?` for every value.
  public var sql: String
  /// The storage classes of the values, in the order of the `?`.
  public var bindings: [BoundType]
  /// What the engine does, in order.
  public var plan: [PlanStep]
  /// About how many rows of the class's own table are read, as far as the file tells: by the
  /// statistics of `ANALYZE` where it has some, else exactly for a whole table and one objectID;
  /// `nil` where nothing tells.
  public var estimatedRows: Int?
  /// Indexes that would save the engine reading or sorting everything.
  public var suggestions: [IndexSuggestion]
  /// What the condition may not mean as it was written, such as a `LIKE` with `*` instead of `%`.
  public var warnings: [String]

  /// Whether the engine reads the whole table, or sorts in memory what it read.
  public var isCostly: Bool {
    plan.contains { $0.kind != .search }
  }
}

/// The storage class of a bound value.
public enum BoundType: String, Sendable, Hashable, CaseIterable {
  /// No value.
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
  /// All of it, as text for people.
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
