import ObjectVaultEngine

/// Which tables of the file refer to which, as its real foreign keys have it.
///
/// A connection keeps one for as long as the file's schema stays as it is.
final class ReferenceGraph {
  /// The schema that it was read from.
  let schemaVersion: Int64
  /// The foreign keys by the table that has them.
  let outgoing: [String: [ForeignKey]]
  /// The foreign keys by the table that they refer to.
  let incoming: [String: [ForeignKey]]
  /// What the file says of the classes, by table; where no table refers to another, nothing.
  let descriptions: [String: ClassDescription]
  /// The tables with triggers of the library's own, whatever a store knows of them: those that keep an
  /// index of words, or count shared contents, and must be told of every row that goes.
  let triggered: Set<String>
  private var scopes: [String: RemovalScope] = [:]

  private init(
    schemaVersion: Int64, keys: [ForeignKey], descriptions: [String: ClassDescription],
    triggered: Set<String>
  ) {
    self.schemaVersion = schemaVersion
    self.triggered = triggered
    self.descriptions = descriptions
    outgoing = Dictionary(grouping: keys, by: \.table)
    incoming = Dictionary(grouping: keys, by: \.target)
  }

  /// What may go with rows of a table.
  func scope(of table: String, on connection: VaultConnection) throws -> RemovalScope {
    if let scope = scopes[table] { return scope }
    let scope = try RemovalScope(root: table, graph: self, schema: Schema(on: connection))
    scopes[table] = scope
    return scope
  }

  fileprivate static func read(
    on connection: VaultConnection, schemaVersion: Int64
  ) throws -> ReferenceGraph {
    let tables = try connection.with(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%REFERENCES%' ORDER BY name"
    ) { statement in
      var tables: [String] = []
      while try statement.step() { tables.append(statement.row.text(at: 0) ?? "") }
      return tables
    }
    let schema = Schema(on: connection)
    let triggered = Set(
      try schema.triggeredTables().filter {
        try !PresentSearch(ofTable: $0, in: schema).statements.isEmpty
          || !PresentSharing(ofTable: $0, in: schema).triggers.isEmpty
      })
    guard !tables.isEmpty else {
      return ReferenceGraph(
        schemaVersion: schemaVersion, keys: [], descriptions: [:], triggered: triggered)
    }
    let descriptions = Dictionary(
      try SystemTables(connection).descriptions().map { ($0.table, $0) },
      uniquingKeysWith: { first, _ in first })
    let keys = try tables.flatMap { try schema.foreignKeys(of: $0, descriptions[$0]) }
    return ReferenceGraph(
      schemaVersion: schemaVersion, keys: keys, descriptions: descriptions, triggered: triggered)
  }
}

extension VaultConnection {
  /// Which tables refer to which.
  func referenceGraph() throws -> ReferenceGraph {
    let version = try with("PRAGMA schema_version") { statement in
      try statement.step() ? statement.row.integer(at: 0) : -1
    }
    if let graph, graph.schemaVersion == version { return graph }
    let graph = try ReferenceGraph.read(on: self, schemaVersion: version)
    self.graph = graph
    return graph
  }
}
