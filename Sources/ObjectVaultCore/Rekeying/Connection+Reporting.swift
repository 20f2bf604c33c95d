import ObjectVaultEngine

extension [Connection] {
  /// Calls `body`, and `report` every some hundredths of a second while one of its statements runs on
  /// these connections, so that who ends the work is heard.
  ///
  /// - Throws: what `report` throws, which ends the statement; otherwise what `body` throws.
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
    // A statement that was ended is not an error to everybody.
    if let ending { throw ending }
    return try result.get()
  }
}
