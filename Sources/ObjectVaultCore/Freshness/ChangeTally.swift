/// The number of rows that the open transaction changed, without changes rolled back to a
/// savepoint.
struct ChangeTally {
  private var levels: [(count: Int, undone: Int)] = []
  private var undone = 0

  /// Begins a transaction, or a savepoint in it.
  ///
  /// - Parameter count: The number of rows that the connection has changed so far.
  mutating func begin(at count: Int) { levels.append((count, undone)) }

  /// Ends the innermost level and keeps its changes.
  mutating func keep() {
    levels.removeLast()
    if levels.isEmpty { undone = 0 }
  }

  /// Ends the innermost level and discounts its changes.
  mutating func undo(at count: Int) {
    let level = levels.removeLast()
    undone = levels.isEmpty ? 0 : level.undone + (count - level.count)
  }

  /// Returns whether rows changed since the transaction began.
  func hasChanges(at count: Int) -> Bool {
    guard let first = levels.first else { return false }
    return count - first.count > undone
  }
}
