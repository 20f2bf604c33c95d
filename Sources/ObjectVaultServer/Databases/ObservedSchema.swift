import ObjectVaultDriver

/// The observers of the objects in a schema, and how commits notify them.
///
/// A process with observers listens on a channel and holds a lock, so that writers know of it.
struct ObservedSchema: Sendable {
  /// The time for which a writer uses the answer to ``query``.
  static let answerTime = Duration.seconds(1)
  /// The quoted channel on which commits that changed something notify others.
  let channel: String
  /// The expression of the key of the lock.
  private let key: String

  init(_ schema: String) {
    let name = "objectvault.\(schema)"
    channel = SQL.quoted(name)
    key = "hashtextextended(\(SQL.text(name)), 0)"
  }

  /// A statement that returns 1 if any process observes the objects, otherwise 0.
  var query: String {
    "SELECT count(*) FROM (SELECT FROM pg_catalog.pg_locks WHERE locktype = 'advisory' "
      + "AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) "
      + "AND (classid::bigint << 32) | objid::bigint = \(key) AND objsubid = 1 LIMIT 1) AS o"
  }

  /// Statements by which a connection begins to listen.
  var listening: [String] {
    ["LISTEN \(channel)", "SELECT pg_advisory_lock_shared(\(key))"]
  }
}
