/// An iteration that cannot go on after the transaction or read scope it was begun in.
protocol ExpiringCursor: AnyObject {
  /// Gives the statement up; called on the thread of the iteration.
  func expire()
}

/// The iterations that use a connection which will be somebody else's.
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

  /// - Parameter depth: That of the transaction it was begun in.
  mutating func add(_ cursor: any ExpiringCursor, depth: Int) {
    entries.removeAll { $0.cursor == nil }
    entries.append(Entry(cursor, depth: depth))
  }

  /// Ends those that were begun deeper inside than `depth`.
  mutating func expire(deeperThan depth: Int) {
    guard !entries.isEmpty else { return }
    for entry in entries where entry.depth > depth { entry.cursor?.expire() }
    entries.removeAll { $0.depth > depth || $0.cursor == nil }
  }
}
