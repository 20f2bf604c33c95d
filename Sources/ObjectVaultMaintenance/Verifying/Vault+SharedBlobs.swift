import ObjectVaultDriver
public import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// The storage of shared contents in a vault, and its savings.
public struct SharedBlobStatistics: Sendable, Hashable {
  /// The number of stored contents.
  public var contents: Int
  /// The total size of the contents in bytes.
  public var bytes: Int
  /// The number of property values with one of the contents.
  ///
  /// Contents of fewer than 32 bytes are stored with their objects and not counted.
  public var uses: Int
  /// The total size in bytes that the objects would have without sharing.
  public var bytesOfObjects: Int
}

extension Vault {
  /// Returns the statistics of shared contents.
  ///
  /// The method reads the lengths of the contents, but not the contents.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func sharedBlobs() throws -> SharedBlobStatistics {
    try file().read { session in
      guard try Schema(on: session).hasTable(SharedBlobs.uses) else {
        return SharedBlobStatistics(contents: 0, bytes: 0, uses: 0, bytesOfObjects: 0)
      }
      return try session.with(
        "SELECT count(*), ifnull(sum(length(b.\"content\")), 0), ifnull(sum(u.\"uses\"), 0), "
          + "ifnull(sum(length(b.\"content\") * u.\"uses\"), 0) FROM \(SharedBlobs.contents) AS b "
          + "JOIN \(SharedBlobs.uses) AS u ON u.\"digest\" = b.\"digest\""
      ) { statement in
        guard try statement.step() else {
          throw VaultError(.internalError, "The engine returned no row for a sum.")
        }
        let row = statement.row
        func number(_ position: Int) -> Int { Int(row.integer(at: position)) }
        return SharedBlobStatistics(
          contents: number(0), bytes: number(1), uses: number(2), bytesOfObjects: number(3))
      }
    }
  }

  /// Recounts the uses of shared contents, deletes unused contents, and restores missing triggers
  /// and missing entries of the list of columns with shared contents.
  ///
  /// The triggers in the file maintain the counts for every writing program. Only SQLite's
  /// `REPLACE` conflict clause, in SQL or in another program, can make them incorrect, which this
  /// method fixes in one transaction.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func recountSharedBlobs() throws {
    try file().transaction { session in
      let schema = Schema(on: session)
      try SharedBlobs.record(SharedBlobs.allColumns(in: schema), in: schema)
      for (table, columns) in try SharedBlobs.definitions(in: schema) {
        let definition = SharingDefinition(table: table, columns: columns)
        let present = try PresentSharing(ofTable: table, in: schema).triggers
        if present == definition.statements { continue }
        for name in present.keys { try session.execute("DROP TRIGGER \(SQL.quoted(name))") }
        for sql in definition.statements.values { try session.execute(sql) }
      }
      try SharedBlobs.recount(on: session)
    }
  }
}

extension SharedBlobs {
  /// Returns the columns with digests of each table, in the order of its triggers.
  static func definitions(in schema: Schema) throws -> [(table: String, columns: [String])] {
    let tables = Dictionary(grouping: try allColumns(in: schema), by: \.table)
    return try tables.sorted { $0.key < $1.key }.map { table, columns in
      let declared = try SystemTables(schema.session).description(ofTable: table)?.sharedColumns
      return (table, ordered(Set(columns.map(\.column)), declared ?? []))
    }
  }
}
