import Logging
import ObjectVaultModel

/// The time that SQLite spends on one query, for the log of slow queries.
///
/// Values never reach the log: the statement has a `?` for every value.
struct QueryTiming {
  private let logger: Logger
  private let threshold: Duration
  private let className: String
  private let path: String
  private var spent = Duration.zero

  /// Creates a timing, or returns `nil` if slow queries are not logged.
  init?(_ store: StoreAccess) {
    guard let threshold = store.link.handle.options.slowQueryThreshold,
      let logger = store.link.handle.options.logger
    else { return nil }
    self.logger = logger
    self.threshold = threshold
    className = store.table.description.name
    path = store.link.handle.location
  }

  /// Calls `body` and adds its duration.
  mutating func measuring<R>(_ body: () throws -> R) rethrows -> R {
    let begin = ContinuousClock.now
    defer { spent += .now - begin }
    return try body()
  }

  /// Logs the query if its duration reached the threshold.
  func report(_ sql: String) {
    guard spent >= threshold else { return }
    logger.warning(
      "slow query",
      metadata: [
        "path": "\(path)", "class": "\(className)", "statement": "\(sql)",
        "milliseconds": "\(spent / .milliseconds(1))",
      ])
  }
}

extension StoreAccess {
  /// Calls `body` with the text of a statement, and logs the statement if it is slow.
  ///
  /// - Parameters:
  ///   - sql: The text of the statement.
  ///   - query: The query of the statement, for the index advice.
  ///   - body: Runs the statement.
  /// - Returns: The result of `body`.
  @inline(__always)
  func timed<R>(
    _ sql: String, of query: QueryParts? = nil, _ body: (String) throws -> R
  ) rethrows -> R {
    guard link.handle.measuresStatements else { return try body(sql) }
    return try measured(sql, of: query, body)
  }

  @inline(never)
  private func measured<R>(
    _ sql: String, of query: QueryParts?, _ body: (String) throws -> R
  ) rethrows -> R {
    if let query, let notes = link.handle.queryNotes {
      return try notes.noting(sql, query, of: self) { try measured(sql, of: nil, body) }
    }
    guard var timing = QueryTiming(self) else { return try body(sql) }
    defer { timing.report(sql) }
    return try timing.measuring { try body(sql) }
  }
}
