import ObjectVaultDriver

/// Runs of one statement that an engine performs together, because each alone would be a round trip
/// to a server.
///
/// A run that changes nothing, and each run of a group with an error, is repeated alone in the
/// original order, so that the error is that of the first run that fails.
final class WriteQueue {
  /// The greatest number of runs in a group, and the number of bytes of values that ends one.
  private static let (limit, byteLimit) = (4_096, 1 << 20)
  private let statement: Statement
  private let runAlone: ((Binder) -> Void) throws -> Void
  private var rows: [[BoundValue]] = []
  private var byteCount = 0

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - statement: The statement, which changes one row with each run.
  ///   - runAlone: Runs it once with the values that it binds.
  init(
    _ statement: Statement,
    runAlone: @escaping (_ bind: (Binder) -> Void) throws -> Void
  ) {
    self.statement = statement
    self.runAlone = runAlone
  }

  /// Adds a run with the values that were bound to the statement.
  ///
  /// - Throws: The error of a run that was added before.
  func add() throws {
    let values = statement.boundValues
    rows.append(values)
    byteCount += values.reduce(0) { $0 + $1.byteCount }
    if rows.count == Self.limit || byteCount >= Self.byteLimit { try finish() }
  }

  /// Performs the runs that were added.
  ///
  /// - Throws: The error of the first run that fails.
  func finish() throws {
    guard !rows.isEmpty else { return }
    let counts = rows.count > 1 ? try statement.run(withAll: rows) : nil
    for (number, row) in rows.enumerated() where (counts?[number] ?? 0) == 0 {
      try runAlone { binder in
        for (position, value) in row.enumerated() { value.bind(to: binder, at: position) }
      }
    }
    rows.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
