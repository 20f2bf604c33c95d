/// An iteration that cannot outlive the transaction or read scope it began in.
package protocol ExpiringCursor: AnyObject {
  /// Releases the statement; called on the thread of the iteration.
  func expire()
}

/// The open iterations of a session that will pass to another user.
struct OpenCursors {
  private struct Entry {
    weak var cursor: (any ExpiringCursor)?
  }
  private var entries: [Entry] = []

  /// Adds an iteration.
  mutating func add(_ cursor: any ExpiringCursor) {
    entries.removeAll { $0.cursor == nil }
    entries.append(Entry(cursor: cursor))
  }

  /// Ends the iterations.
  mutating func expire() {
    if entries.isEmpty { return }
    let cursors = entries.compactMap(\.cursor)
    entries = []
    for cursor in cursors { cursor.expire() }
  }
}
