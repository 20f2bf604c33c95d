import ObjectVaultDriver
import ObjectVaultEngine

extension [Connection] {
  /// Calls `body`, and calls `report` regularly while a statement of `body` runs on these
  /// connections.
  ///
  /// A report follows 200,000 instructions of the engine, or 20 ms if these take longer, so that a
  /// long statement can be cancelled. A single instruction can take long: a file made by others may
  /// compute large values in the definition of an index.
  ///
  /// - Throws: The error of `report`, which interrupts the statement; otherwise the error of
  ///   `body`.
  package func reporting<R>(
    _ report: @escaping () throws -> Void, during body: () throws -> R
  ) throws -> R {
    var ending: (any Error)?
    var next = CoarseClock.now + Self.interval
    var checks = 0
    for connection in self {
      connection.setProgress(every: Self.instructionsPerCheck) {
        checks += 1
        guard checks >= Self.checksPerReport || CoarseClock.now >= next else { return false }
        defer {
          checks = 0
          next = CoarseClock.now + Self.interval
        }
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

  /// The longest time between two reports, in nanoseconds, if each instruction is short.
  private static var interval: Int64 { 20_000_000 }
  /// The number of the engine's instructions between two checks of the time.
  private static var instructionsPerCheck: Int32 { 500 }
  /// The number of checks between two reports.
  private static var checksPerReport: Int { 400 }
}
