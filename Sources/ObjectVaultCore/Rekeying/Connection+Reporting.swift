import ObjectVaultEngine

extension [Connection] {
  /// Calls `body`, and calls `report` regularly while a statement of `body` runs on these
  /// connections.
  ///
  /// The interval is some hundredths of a second, so that a long statement can be cancelled.
  ///
  /// - Throws: The error of `report`, which interrupts the statement; otherwise the error of
  ///   `body`.
  func reporting<R>(_ report: @escaping () throws -> Void, during body: () throws -> R) throws -> R
  {
    var ending: (any Error)?
    for connection in self {
      connection.setProgress(every: 200_000) {
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
}
