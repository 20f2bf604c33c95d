import Foundation
package import ObjectVaultDriver

/// One step of a query plan, in a form that does not depend on the version of the engine.
///
/// ```swift
/// let plan = try students.where("age >= %@", 18).explain().plan
/// print(plan.contains { $0.kind == .scan })
/// ```
public struct PlanStep: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a step.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Finds rows by an index or by the objectID.
    case search
    /// Reads all rows of the table or of an index.
    case scan
    /// Sorts rows in memory.
    case temporarySort
    /// Stores rows in a temporary table, to remove duplicates or as an index for one query.
    case temporaryTable
  }

  /// The access path of a search or scan.
  public enum Access: Sendable, Hashable {
    /// The table.
    case table
    /// The objectID.
    case objectID
    /// An index, by its name in the file.
    case index(String)
    /// An index that SQLite creates for this query.
    case automaticIndex
  }

  /// The kind of the step.
  public var kind: Kind
  /// The searched or scanned table; `nil` for steps in memory.
  public var table: String?
  /// The access path.
  public var access: Access
  /// Whether the index is covering, so that the table is not read.
  public var isCovering: Bool
  /// The search terms in SQLite's words, such as `age>? AND age<?`; empty for other steps.
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

  /// The number of equality terms.
  var equalityCount: Int {
    terms.split(separator: " ").filter { $0.hasSuffix("=?") }.count
  }

  /// A textual description of the step.
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
  /// Creates a step of the plan of another engine.
  package init(_ step: EnginePlanStep) {
    let kind: Kind =
      switch step.kind {
      case .search: .search
      case .scan: .scan
      case .sort: .temporarySort
      case .store: .temporaryTable
      }
    let access: Access = step.isByObjectID ? .objectID : step.index.map { .index($0) } ?? .table
    self.init(
      kind, of: step.table, by: access, isCovering: step.isCovering, terms: step.terms)
  }

  /// Creates a step from a line of `EXPLAIN QUERY PLAN`, or returns `nil` for headings.
  ///
  /// The wording differs between versions: SQLite 3.15 writes `SEARCH TABLE Student AS s USING
  /// INDEX …`, 3.46 `SEARCH s USING INDEX …`. Headings are lines of subqueries and of the parts of
  /// an OR.
  ///
  /// - Parameters:
  ///   - detail: The line.
  ///   - tables: The tables by the names that the plan can use for them.
  package init?(_ detail: String, tables: [String: String]) {
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

  /// Removes and returns the longest matching table name at the start; names can contain spaces.
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
