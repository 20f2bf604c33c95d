/// An iteration that cannot outlive the transaction or read scope it began in.
protocol ExpiringCursor: AnyObject {
  /// Releases the statement; called on the thread of the iteration.
  func expire()
}

/// The open iterations of a connection that will pass to another user.
struct OpenCursors {
  private final class Entry {
    private(set) weak var cursor: (any ExpiringCursor)?
    let depth: Int

    init(_ cursor: any ExpiringCursor, depth: Int) {
      self.cursor = cursor
      self.depth = depth
    }
  }
  private var entries: [Entry] = []

  /// Adds an iteration.
  ///
  /// - Parameters:
  ///   - cursor: The iteration.
  ///   - depth: The depth of the transaction that the iteration began in.
  mutating func add(_ cursor: any ExpiringCursor, depth: Int) {
    entries.removeAll { $0.cursor == nil }
    entries.append(Entry(cursor, depth: depth))
  }

  /// Ends the iterations that began in transactions deeper than `depth`.
  mutating func expire(deeperThan depth: Int) {
    guard !entries.isEmpty else { return }
    for entry in entries where entry.depth > depth { entry.cursor?.expire() }
    entries.removeAll { $0.depth > depth || $0.cursor == nil }
  }
}
