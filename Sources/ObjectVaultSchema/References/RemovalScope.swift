import ObjectVaultDriver
import ObjectVaultModel

/// The tables that a removal of rows from one table can affect, and the order of deletion.
package final class RemovalScope {
  /// The identification of a table's rows: the rowid, or the primary key of a table without a
  /// rowid.
  package struct Table {
    let name: String
    /// The identifying columns, quoted.
    package let key: [String]
    package let hasRowID: Bool
    /// The column that is an alias of the rowid.
    package let rowIDAlias: String?
    /// The columns that may be NULL.
    package let optionalColumns: Set<String>
    /// The columns of the primary key.
    package let primaryKey: [String]
  }

  /// A cycle of tables with cascading foreign keys, or a single table.
  package struct Group {
    package let tables: [String]
    /// The cascading foreign keys within the group.
    package let circle: [ForeignKey]
  }

  package let root: String
  /// The tables, once they were read.
  private var knownTables: [String: Table]?
  /// The groups, each after those that cascade to it, beginning with the root's group.
  package let groups: [Group]
  /// The cascading foreign keys between tables in the scope.
  package let cascades: [ForeignKey]
  /// The foreign keys to tables in the scope that prevent a deletion.
  package let refusals: [ForeignKey]
  /// The foreign keys to tables in the scope that become NULL.
  package let nullified: [ForeignKey]
  /// Whether SQLite's own cascades suffice: one level deep, without foreign keys that prevent them.
  package let isDirect: Bool
  /// The tables with triggers that can ignore a deletion.
  let ignoring: Set<String>
  /// The class name for each table, for error messages and plans.
  let classNames: [String: String]

  init(root: String, graph: ReferenceGraph) {
    var order: [String] = [root]
    var cascades: [ForeignKey] = []
    var refusals: [ForeignKey] = []
    var nullified: [ForeignKey] = []
    var next = 0
    while next < order.count {
      for key in graph.incoming[order[next]] ?? [] {
        switch key.action {
        case .cascade:
          // A class can have `CASCADE` in its table and the rule `deny` in its description.
          cascades.append(key)
          if !order.contains(key.table) { order.append(key.table) }
        case .setNull: nullified.append(key)
        case .setDefault: break
        case .restrict, .noAction: refusals.append(key)
        }
      }
      next += 1
    }
    self.root = root
    ignoring = graph.ignoring
    self.cascades = cascades
    self.refusals = refusals
    self.nullified = nullified
    groups = Self.groups(of: order, cascades)
    classNames = graph.descriptions.mapValues(\.name)
    let beyond = cascades.contains { $0.target != root }
    isDirect = refusals.isEmpty && !beyond && !cascades.contains { $0.table == root }
  }

  /// Returns the tables, which a direct removal does not need.
  package func tables(in schema: Schema) throws -> [String: Table] {
    if let tables = knownTables { return tables }
    let names = groups.flatMap(\.tables)
    let tables = try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try schema.removalTable($0)) })
    knownTables = tables
    return tables
  }

  /// Returns the name of a table's class, or of the table if it has no class.
  package func className(of table: String) -> String { classNames[table] ?? table }

  /// Returns the strongly connected components, each after those that lead to it (Tarjan 1972).
  static func groups(of tables: [String], _ cascades: [ForeignKey]) -> [Group] {
    var search = ComponentSearch(
      edges: Dictionary(grouping: cascades, by: \.target).mapValues { $0.map(\.table) })
    for table in tables { search.visit(table) }
    // The search finds the last components first.
    return search.components.reversed().map { component in
      let members = Set(component)
      return Group(
        tables: tables.filter(members.contains),
        circle: cascades.filter { members.contains($0.table) && members.contains($0.target) })
    }
  }
}

/// Tarjan's search for strongly connected components in the tables of one file.
private struct ComponentSearch {
  let edges: [String: [String]]
  private(set) var components: [[String]] = []
  private var indexes: [String: Int] = [:]
  private var lows: [String: Int] = [:]
  private var stack: [String] = []

  init(edges: [String: [String]]) { self.edges = edges }

  mutating func visit(_ table: String) {
    guard indexes[table] == nil else { return }
    let index = indexes.count
    indexes[table] = index
    var low = index
    stack.append(table)
    for next in edges[table] ?? [] {
      if indexes[next] == nil {
        visit(next)
        low = min(low, lows[next] ?? low)
      } else if stack.contains(next) {
        low = min(low, indexes[next] ?? low)
      }
    }
    lows[table] = low
    guard low == index, let place = stack.firstIndex(of: table) else { return }
    components.append(Array(stack[place...]))
    stack.removeSubrange(place...)
  }
}

extension Schema {
  /// Returns the identification of a table's rows.
  fileprivate func removalTable(_ name: String) throws -> RemovalScope.Table {
    let columns = try columns(of: name)
    let primaryKey = try primaryKey(of: name)
    let rowID = try rowIDName(of: name, columns: columns.map(\.name))
    let alias = rowID == nil ? nil : try rowIDColumn(of: name)
    return RemovalScope.Table(
      name: name, key: rowID.map { [$0] } ?? primaryKey.map(SQL.quoted), hasRowID: rowID != nil,
      rowIDAlias: alias,
      optionalColumns: Set(
        columns.filter { !$0.isNotNull && $0.primaryKeyPlace == 0 }.map(\.name)),
      primaryKey: primaryKey)
  }
}
