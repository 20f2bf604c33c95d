/// How many rows the open transaction changed, without what was undone to a savepoint.
struct ChangeTally {
  private var levels: [(count: Int, undone: Int)] = []
  private var undone = 0

  /// A transaction, or a savepoint in it, begins.
  ///
  /// - Parameter count: How many rows the connection has changed so far.
  mutating func begin(at count: Int) { levels.append((count, undone)) }

  /// The innermost level is kept.
  mutating func keep() {
    levels.removeLast()
    if levels.isEmpty { undone = 0 }
  }

  /// The innermost level is undone.
  mutating func undo(at count: Int) {
    let level = levels.removeLast()
    undone = levels.isEmpty ? 0 : level.undone + (count - level.count)
  }

  /// Whether rows changed since the transaction began.
  func hasChanges(at count: Int) -> Bool {
    guard let first = levels.first else { return false }
    return count - first.count > undone
  }
}
