import Foundation

/// One thing that the engine does to find the objects of a query, said alike for every engine.
public struct PlanStep: Sendable, Hashable, CustomStringConvertible {
  /// What it is.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Rows are found by an index or by the objectID.
    case search
    /// All rows are read, of the table or of an index.
    case scan
    /// Rows are sorted in memory.
    case temporarySort
    /// Rows are kept in a table in memory: to tell which were seen, or an index for one query.
    case temporaryTable
  }

  /// What orders the rows that are searched or scanned.
  public enum Access: Sendable, Hashable {
    /// The table itself.
    case table
    /// The objectID.
    case objectID
    /// An index, by its name in the file.
    case index(String)
    /// An index that the engine makes for this one query.
    case automaticIndex
  }

  /// What is done.
  public var kind: Kind
  /// The table that is searched or scanned; `nil` for what is done in memory.
  public var table: String?
  /// By what it is searched or scanned.
  public var access: Access
  /// Whether the index alone answers, so that the table is not looked at.
  public var isCovering: Bool
  /// What is searched for, as the engine says it: `age>? AND age<?`. Empty for others.
  public var terms: String

  init(
    _ kind: Kind, of table: String? = nil, by access: Access = .table, isCovering: Bool = false,
    terms: String = ""
  ) {
    self.kind = kind
    self.table = table
    self.access = access
    self.isCovering = isCovering
    self.terms = terms
  }

  /// How many equalities it searches for.
  var equalityCount: Int {
    terms.split(separator: " ").filter { $0.hasSuffix("=?") }.count
  }

  /// The step as text for people.
  public var description: String {
    let means =
      switch access {
      case .table: ""
      case .objectID: " by objectID"
      case .index(let name): " by index \(name)"
      case .automaticIndex: " by an index made for this query"
      }
    let found = terms.isEmpty ? "" : " (\(terms))"
    let only = isCovering ? ", without the table" : ""
    return switch kind {
    case .search: "search \(table ?? "")\(means)\(found)\(only)"
    case .scan: "scan \(table ?? "")\(means)\(only)"
    case .temporarySort: "sort in memory"
    case .temporaryTable: "keep rows in memory"
    }
  }
}

extension PlanStep {
  /// Reads a line of `EXPLAIN QUERY PLAN`, whose words differ between engines: SQLite 3.15 writes
  /// `SEARCH TABLE Student AS s USING INDEX …`, 3.46 `SEARCH s USING INDEX …`.
  ///
  /// - Parameter tables: The tables by the names that the plan may call them.
  /// - Returns: `nil` for headings, such as those of subqueries and of the parts of an OR.
  init?(_ detail: String, tables: [String: String]) {
    if detail.hasPrefix("USE TEMP B-TREE FOR ") {
      self.init(detail.hasSuffix("ORDER BY") ? .temporarySort : .temporaryTable)
      return
    }
    if detail.hasPrefix("MATERIALIZE ") {
      self.init(.temporaryTable)
      return
    }
    let kind: Kind
    var rest: Substring
    if detail.hasPrefix("SEARCH ") {
      (kind, rest) = (.search, detail.dropFirst("SEARCH ".count))
    } else if detail.hasPrefix("SCAN ") {
      (kind, rest) = (.scan, detail.dropFirst("SCAN ".count))
    } else {
      return nil
    }
    guard let name = Self.takeName(from: &rest, tables) else { return nil }
    var table = tables[name]
    if rest.hasPrefix(" AS ") {
      var alias = rest.dropFirst(" AS ".count)
      if let called = Self.takeName(from: &alias, tables) { table = tables[called] }
      rest = alias
    }
    guard rest.hasPrefix(" USING ") else {
      self.init(kind, of: table)
      return
    }
    rest = rest.dropFirst(" USING ".count)
    var terms = ""
    if rest.hasSuffix(")"), let start = rest.range(of: " (", options: .backwards) {
      terms = String(rest[start.upperBound...].dropLast())
      rest = rest[..<start.lowerBound]
    }
    let isCovering = rest.contains("COVERING INDEX")
    let access: Access
    if rest.hasPrefix("AUTOMATIC ") {
      access = .automaticIndex
    } else if rest.hasSuffix("PRIMARY KEY") {
      access = .objectID
    } else if let index = rest.range(of: "INDEX ") {
      let name = String(rest[index.upperBound...])
      // The index of a primary key that is not the rowid.
      access = name.hasPrefix("sqlite_autoindex_") ? .objectID : .index(name)
    } else {
      access = .table
    }
    self.init(kind, of: table, by: access, isCovering: isCovering, terms: terms)
  }

  /// Takes the name of a table off the start; the longest that fits, since names may have spaces.
  private static func takeName(
    from text: inout Substring, _ tables: [String: String]
  ) -> String? {
    let candidates = [text, text.hasPrefix("TABLE ") ? text.dropFirst("TABLE ".count) : text]
    var best: (name: String, rest: Substring)?
    for candidate in candidates {
      for name in tables.keys where candidate.hasPrefix(name) {
        let rest = candidate.dropFirst(name.count)
        guard rest.isEmpty || rest.hasPrefix(" "), name.count > best?.name.count ?? -1 else {
          continue
        }
        best = (name, rest)
      }
    }
    if let best { text = best.rest }
    return best?.name
  }
}
