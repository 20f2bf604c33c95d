import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultEngine

/// Reads stored values with the row readers of their types.
///
/// The values are bound to a statement that returns them, so that each type needs only one reader.
final class StoredRowReader {
  private let engine: Connection
  private var statements: [Int: Statement] = [:]

  /// The readers that are not in use.
  private static let idle = Locked<[Unused]>([])
  /// A reader in transfer between threads; only one thread uses it at a time.
  private struct Unused: @unchecked Sendable {
    let reader: StoredRowReader
  }

  private init() throws {
    var options = ConnectionOptions()
    options.cacheKiB = 64
    engine = try Connection.inMemory(options: options)
  }

  /// Calls `body` with a reader that has no other user during the call.
  static func withReader<R>(_ body: (StoredRowReader) throws -> R) throws -> R {
    let reader = try idle.withLock { $0.popLast() }?.reader ?? StoredRowReader()
    let unused = Unused(reader: reader)
    defer { idle.withLock { if $0.count < 16 { $0.append(unused) } } }
    return try body(reader)
  }

  /// Calls `body` with a row of these values.
  static func withRow<R>(
    _ values: [StoredValue], layout: AnyObject? = nil, _ body: (Row) throws -> R
  ) throws -> R {
    try withReader { reader in
      try reader.withRow(of: values.count, layout, body) { binder in
        for (position, value) in values.enumerated() { value.bind(to: binder, at: position) }
      }
    }
  }

  /// Calls `body` with a row of columns copied from the given positions of another row.
  func withRow<R>(
    of row: Row, at places: [Int], layout: AnyObject?, _ body: (Row) throws -> R
  ) throws -> R {
    try withRow(of: places.count, layout, body) { binder in
      for position in places.indices {
        binder.bind(column: places[position], of: row, at: position)
      }
    }
  }

  private func withRow<R>(
    of count: Int, _ layout: AnyObject?, _ body: (Row) throws -> R, filledBy fill: (Binder) -> Void
  ) throws -> R {
    let statement = try statement(count)
    fill(statement.binder)
    // Clear the bindings, so that values do not stay in memory after they are read.
    defer { _ = statement.binder }
    guard try statement.step() else {
      throw VaultError(.internalError, "The engine returned no row for the values.")
    }
    return try body(statement.row(layout: layout))
  }

  private func statement(_ count: Int) throws -> Statement {
    if let statement = statements[count] { return statement }
    let made = try engine.prepare("SELECT \(SQL.parameters(0..<max(count, 1)))")
    statements[count] = made
    return made
  }
}
