import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

/// A record of the tables and row digests read for an observation.
final class ObservedReads: StatementRecorder {
  /// The tables, in lower case.
  private(set) var tables: Set<String> = []
  /// The digests of the current objects, in order.
  private(set) var digests: [RowDigest] = []

  /// Records the tables that a statement reads.
  func note(_ statement: Statement) { tables.formUnion(statement.readTables) }

  /// Records a table by name.
  func note(table: String) { tables.insert(table.asciiLowercased) }

  /// Records the content of another object.
  func note(_ row: Row) { digests.append(RowDigest(row)) }

  /// Returns the digests and clears them.
  func takeDigests() -> [RowDigest] {
    defer { digests = [] }
    return digests
  }

  // MARK: Owned objects

  /// Begins to record the owned objects of the current objects.
  ///
  /// - Returns: The digests of the owners, for ``endOwned(_:_:_:)``.
  func beginOwned() -> [RowDigest] { takeDigests() }

  /// Ends the recording of owned objects and merges their content into that of their owners.
  ///
  /// The owners become the current objects again.
  ///
  /// - Parameters:
  ///   - outer: The digests of the owners.
  ///   - ids: The object IDs of the owners.
  ///   - owners: The object ID of the owner of each recorded object.
  func endOwned<ID: ObjectIDValue>(_ outer: [RowDigest], _ ids: [ID?], _ owners: [ID?]) {
    let owned = takeDigests()
    digests = outer
    var positions: [ExactID<ID>: Int] = [:]
    for (position, id) in ids.enumerated() { if let id { positions[ExactID(id)] = position } }
    for (digest, owner) in zip(owned, owners) {
      guard let owner, let position = positions[ExactID(owner)], digests.indices.contains(position)
      else { continue }
      digests[position] = RowDigest(digests[position], with: digest)
    }
  }
}

extension Session {
  /// The record of reads on behalf of an observer.
  var reads: ObservedReads? {
    // Nothing else records the statements of sessions.
    recorder.map { unsafeDowncast($0, to: ObservedReads.self) }
  }

  /// Calls `body` and records its reads for an observation.
  ///
  /// A change of the schema during `body` makes another read due, which records the new tables.
  func observing<R>(_ reads: ObservedReads, _ body: () throws -> R) throws -> R {
    try forgetOutdatedStatements()
    let outer = recorder
    recorder = reads
    defer { recorder = outer }
    return try body()
  }

  private static let foreignCommitsKey = SessionKey { KnownForeignCommits() }

  /// Returns whether another connection committed since the last call; true at the first call, and
  /// after calls that could not find out.
  func takeForeignCommits() -> Bool {
    let known = self[Self.foreignCommitsKey]
    let version = try? connection.dataVersion
    defer { known.version = version }
    return version != nil && version != known.version
  }
}

/// The foreign commits that a session knows of.
private final class KnownForeignCommits {
  /// The engine's counter of foreign commits when it was last read; `nil` if it could not be read.
  var version: Int64?
}
