import Logging

/// How long the engine takes for one query, for the log of slow ones. Values never reach it: of the
/// query it is told the statement, in which every value is a `?`.
struct QueryTiming {
  private let logger: Logger
  private let threshold: Duration
  private let className: String
  private let path: String
  private var spent = Duration.zero

  /// - Returns: `nil` where nobody wants to know.
  init?(_ store: StoreAccess) {
    guard let seconds = store.vault.configuration.slowQueryThreshold,
      let logger = store.vault.configuration.logger
    else { return nil }
    self.logger = logger
    threshold = seconds < 1e9 ? .seconds(max(seconds, 0)) : .seconds(Int64.max)
    className = store.state.description.name
    path = store.vault.path
  }

  /// Calls `body`, and adds how long it takes.
  mutating func measuring<R>(_ body: () throws -> R) rethrows -> R {
    let begin = ContinuousClock.now
    defer { spent += .now - begin }
    return try body()
  }

  /// Reports the query where it took too long.
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
  /// Calls `body` with the text of a statement, and reports it where it takes too long.
  ///
  /// - Parameter query: What the statement asks, for the advice on indexes.
  func timed<R>(
    _ sql: String, asking query: QueryParts? = nil, _ body: (String) throws -> R
  ) rethrows -> R {
    if let query, let notes = vault.queryNotes {
      return try notes.noting(sql, query, of: self) { try timed(sql, body) }
    }
    guard vault.configuration.slowQueryThreshold != nil, var timing = QueryTiming(self)
    else { return try body(sql) }
    defer { timing.report(sql) }
    return try timing.measuring { try body(sql) }
  }
}
