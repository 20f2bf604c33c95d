import ObjectVaultEngine

/// How much a vault saves by keeping the contents of shared properties once.
public struct SharedBlobStatistics: Sendable, Hashable {
  /// How many contents are kept.
  public var contents: Int
  /// How many bytes they have together.
  public var bytes: Int
  /// How many properties of objects have one of them. Contents of fewer than 32 bytes are kept with
  /// their objects and not counted.
  public var uses: Int
  /// How many bytes the objects would have without sharing.
  public var bytesOfObjects: Int
}

extension Vault {
  /// What the vault keeps for shared properties.
  ///
  /// It reads how long every content is, and none of them.
  public func sharedBlobs() throws -> SharedBlobStatistics {
    try file().read { connection in
      guard try Schema(on: connection).hasTable(SharedBlobs.uses) else {
        return SharedBlobStatistics(contents: 0, bytes: 0, uses: 0, bytesOfObjects: 0)
      }
      return try connection.with(
        "SELECT count(*), ifnull(sum(length(b.\"content\")), 0), ifnull(sum(u.\"uses\"), 0), "
          + "ifnull(sum(length(b.\"content\") * u.\"uses\"), 0) FROM \(SharedBlobs.contents) AS b "
          + "JOIN \(SharedBlobs.uses) AS u ON u.\"digest\" = b.\"digest\""
      ) { statement in
        guard try statement.step() else {
          throw VaultError(.internalError, "The engine gave no row of a sum.")
        }
        let row = statement.row
        func number(_ position: Int) -> Int { Int(row.integer(at: position)) }
        return SharedBlobStatistics(
          contents: number(0), bytes: number(1), uses: number(2), bytesOfObjects: number(3))
      }
    }
  }

  /// Counts anew how many objects have each content of shared properties, removes contents that none
  /// has, and makes the triggers anew that keep the counts, where they are gone.
  ///
  /// The file keeps the counts by itself, whoever writes; what only SQLite's `REPLACE` conflict clause, in
  /// SQL or in another program, can leave wrong is mended here. It is one transaction.
  public func recountSharedBlobs() throws {
    try file().transaction { connection in
      let schema = Schema(on: connection)
      for (table, columns) in try SharedBlobs.definitions(in: schema) {
        let definition = SharingDefinition(table: table, columns: columns)
        let present = try PresentSharing(ofTable: table, in: schema).triggers
        if present == definition.statements { continue }
        for name in present.keys { try connection.execute("DROP TRIGGER \(SQL.quoted(name))") }
        for sql in definition.statements.values { try connection.execute(sql) }
      }
      try SharedBlobs.recount(on: connection)
    }
  }
}

extension SharedBlobs {
  /// The columns with digests of each table, in the order in which its triggers name them.
  static func definitions(in schema: Schema) throws -> [(table: String, columns: [String])] {
    let tables = Dictionary(grouping: try columns(in: schema), by: \.table)
    return try tables.sorted { $0.key < $1.key }.compactMap { table, columns in
      guard try schema.hasTable(table) else { return nil }
      let declared = try SystemTables(schema.connection).description(ofTable: table)?.sharedColumns
      return (table, ordered(Set(columns.map(\.column)), declared ?? []))
    }
  }

  /// Columns in one order: the declared ones in theirs, then the others.
  static func ordered(_ columns: Set<String>, _ declared: [String]) -> [String] {
    declared.filter(columns.contains) + columns.subtracting(declared).sorted()
  }
}
