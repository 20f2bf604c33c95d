import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// The foreign keys between the tables of the file.
///
/// A connection caches one graph until the schema of the file changes.
package final class ReferenceGraph {
  /// The version of the schema that the graph was read from.
  let schemaVersion: Int64
  /// The foreign keys by referring table.
  let outgoing: [String: [ForeignKey]]
  /// The foreign keys by referenced table.
  package let incoming: [String: [ForeignKey]]
  /// The class descriptions in the file by table; empty if there are no foreign keys.
  package let descriptions: [String: ClassDescription]
  /// The tables with triggers of the library, regardless of the state of their stores.
  ///
  /// The triggers maintain a full-text index or the reference counts of shared contents, or record
  /// changes, and must run for every deleted row.
  package let triggered: Set<String>
  /// The tables with other triggers for deleted rows, which can ignore a deletion.
  package let ignoring: Set<String>
  private var scopes: [String: RemovalScope] = [:]
  private var columnCounts: [String: Int] = [:]

  private init(
    schemaVersion: Int64, keys: [ForeignKey], descriptions: [String: ClassDescription],
    triggered: Set<String>, ignoring: Set<String>
  ) {
    self.schemaVersion = schemaVersion
    self.ignoring = ignoring
    self.triggered = triggered
    self.descriptions = descriptions
    outgoing = Dictionary(grouping: keys, by: \.table)
    incoming = Dictionary(grouping: keys, by: \.target)
  }

  /// Returns the scope of a removal of rows from a table.
  package func scope(of table: String) -> RemovalScope {
    if let scope = scopes[table] { return scope }
    let scope = RemovalScope(root: table, graph: self)
    scopes[table] = scope
    return scope
  }

  /// Returns the number of a table's columns in the file.
  package func columnCount(of table: String, on session: Session) throws -> Int {
    if let count = columnCounts[table] { return count }
    let count = try Schema(on: session).columns(of: table).count
    columnCounts[table] = count
    return count
  }

  fileprivate static func read(
    on session: Session, schemaVersion: Int64
  ) throws -> ReferenceGraph {
    let schema = Schema(on: session)
    let present = try schema.foreignKeys()
    let withTriggers = try schema.triggeredTables()
    let triggered = Set(
      try withTriggers.filter {
        try !PresentSearch(ofTable: $0, in: schema).statements.isEmpty
          || !PresentSharing(ofTable: $0, in: schema).triggers.isEmpty
          || !PresentHistory(ofTable: $0, in: schema).triggers.isEmpty
      })
    let ignoring = Set(
      try withTriggers.filter {
        try schema.triggerEvents(of: $0, includesOwn: false).contains("delete")
      })
    guard !present.isEmpty else {
      return ReferenceGraph(
        schemaVersion: schemaVersion, keys: [], descriptions: [:], triggered: triggered,
        ignoring: ignoring)
    }
    let descriptions = Dictionary(
      try SystemTables(session).descriptions().map { ($0.table, $0) },
      uniquingKeysWith: { first, _ in first })
    let keys = try present.flatMap { table, keys in
      try schema.named(keys, of: table, descriptions[table])
    }
    try checkNames(keys.flatMap { [$0.table, $0.target] })
    return ReferenceGraph(
      schemaVersion: schemaVersion, keys: keys, descriptions: descriptions, triggered: triggered,
      ignoring: ignoring)
  }
}

extension ReferenceGraph {
  /// Checks that no two tables have names that only SQLite distinguishes.
  ///
  /// - Throws: `.schemaMismatch`: a removal would delete rows of the wrong table.
  private static func checkNames(_ names: [String]) throws(VaultError) {
    var seen: [String: String] = [:]
    for name in names {
      guard let other = seen.updateValue(name, forKey: name), !other.hasSameBytes(as: name) else {
        continue
      }
      throw VaultError(
        .schemaMismatch,
        "The file has two tables with the name '\(name)' in different Unicode forms, between which "
          + "references cannot be followed. Rename one with the program that created it.")
    }
  }
}

extension Session {
  /// Returns the current graph, from the cache if the schema is unchanged.
  package func referenceGraph() throws -> ReferenceGraph {
    let version = try schemaVersion()
    if let graph = references.graph, graph.schemaVersion == version { return graph }
    let graph = try ReferenceGraph.read(on: self, schemaVersion: version)
    references.graph = graph
    return graph
  }
}
