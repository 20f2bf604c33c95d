import ObjectVaultEngine

extension [Connection] {
  /// Calls `body`, and calls `report` regularly while a statement of `body` runs on these
  /// connections.
  ///
  /// The interval is some hundredths of a second, so that a long statement can be cancelled. It is
  /// measured by time, because a single instruction of a statement can take long: a file made by
  /// others may compute large values in the definition of an index.
  ///
  /// - Throws: The error of `report`, which interrupts the statement; otherwise the error of
  ///   `body`.
  func reporting<R>(_ report: @escaping () throws -> Void, during body: () throws -> R) throws -> R
  {
    var ending: (any Error)?
    var next = CoarseClock.now + Self.interval
    for connection in self {
      connection.setProgress(every: Self.instructionsPerCheck) {
        guard CoarseClock.now >= next else { return false }
        defer { next = CoarseClock.now + Self.interval }
        do {
          try report()
          return false
        } catch {
          ending = error
          return true
        }
      }
    }
    defer { for connection in self { connection.setProgress(every: 0, nil) } }
    let result = Result { try body() }
    // Not every caller treats an interrupted statement as an error, so the reason is thrown here.
    if let ending { throw ending }
    return try result.get()
  }

  /// The time between two reports, in nanoseconds.
  private static var interval: Int64 { 20_000_000 }
  /// The number of the engine's instructions between two checks of the time.
  private static var instructionsPerCheck: Int32 { 500 }
}
