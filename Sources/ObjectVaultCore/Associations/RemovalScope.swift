/// The tables from which rows may go when rows of one table go, and in what order.
struct RemovalScope {
  /// How the rows of a table are told apart: by the name of the rowid, or by the primary key in a
  /// table without one.
  struct Table {
    let name: String
    /// Quoted.
    let key: [String]
    let hasRowID: Bool
    /// The column that is the rowid by another name.
    let rowIDAlias: String?
    /// The columns that may hold no value.
    let optionalColumns: Set<String>
    /// The columns of the primary key.
    let primaryKey: [String]
  }

  /// Tables that cascade to one another in a circle, or a single one.
  struct Group {
    let tables: [String]
    /// The cascading foreign keys that lie within the group.
    let circle: [ForeignKey]
  }

  let root: String
  let tables: [String: Table]
  /// Each after those that cascade to it; the first one has the root.
  let groups: [Group]
  /// The foreign keys by which a row goes with another, both of tables in the scope.
  let cascades: [ForeignKey]
  /// The foreign keys to tables in the scope whose rows forbid that others go.
  let refusals: [ForeignKey]
  /// The foreign keys to tables in the scope that become empty.
  let nullified: [ForeignKey]
  /// Whether nothing can go but the rows themselves, and nobody minds.
  var isPlain: Bool { groups.count == 1 && groups[0].circle.isEmpty && refusals.isEmpty }
  /// Whether the engine's own cascades do all of it: one level down, of rows that nobody holds back.
  let isDirect: Bool
  /// The name of the class of each table, for what is said of it.
  let classNames: [String: String]

  init(root: String, graph: ReferenceGraph, schema: Schema) throws {
    var order: [String] = [root]
    var cascades: [ForeignKey] = []
    var refusals: [ForeignKey] = []
    var nullified: [ForeignKey] = []
    var next = 0
    while next < order.count {
      for key in graph.incoming[order[next]] ?? [] {
        switch key.action {
        case .cascade:
          // A class may have cascade written into its table, and be denied all the same.
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
    self.cascades = cascades
    self.refusals = refusals
    self.nullified = nullified
    tables = try Dictionary(
      uniqueKeysWithValues: order.map { ($0, try schema.removalTable($0)) })
    groups = Self.groups(of: order, cascades)
    classNames = graph.descriptions.mapValues(\.name)
    let beyond = cascades.contains { $0.target != root }
    isDirect = refusals.isEmpty && !beyond && !cascades.contains { $0.table == root }
  }

  /// The name of the class whose table it is.
  func className(of table: String) -> String { classNames[table] ?? table }

  /// The strongly connected components, each after those that lead to it (Tarjan 1972).
  private static func groups(of tables: [String], _ cascades: [ForeignKey]) -> [Group] {
    var search = ComponentSearch(
      edges: Dictionary(grouping: cascades, by: \.target).mapValues { $0.map(\.table) })
    for table in tables { search.visit(table) }
    // Found from the far end on.
    return search.components.reversed().map { component in
      let members = Set(component)
      return Group(
        tables: tables.filter(members.contains),
        circle: cascades.filter { members.contains($0.table) && members.contains($0.target) })
    }
  }
}

/// Tarjan's search for strongly connected components, over the tables of one file.
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
  /// How the rows of a table are told apart.
  fileprivate func removalTable(_ name: String) throws -> RemovalScope.Table {
    let columns = try columns(of: name)
    let primaryKey = try primaryKey(of: name)
    let rowID = try rowIDName(of: name, columns: columns.map(\.name))
    let alias =
      rowID != nil && primaryKey.count == 1
      ? columns.first { $0.name == primaryKey[0] && $0.type.uppercased() == "INTEGER" }?.name : nil
    return RemovalScope.Table(
      name: name, key: rowID.map { [$0] } ?? primaryKey.map(SQL.quoted), hasRowID: rowID != nil,
      rowIDAlias: alias,
      optionalColumns: Set(
        columns.filter { !$0.isNotNull && $0.primaryKeyPlace == 0 }.map(\.name)),
      primaryKey: primaryKey)
  }
}
