/// The number of rows that the open transaction changed, without changes rolled back to a
/// savepoint.
struct ChangeTally {
  /// The number of rows that the connection had changed when the transaction began.
  private var start = 0
  /// The number of changes that were rolled back to a savepoint.
  private var undone = 0
  /// Both numbers at the beginning of each open savepoint, outermost first.
  private var savepoints: [(count: Int, undone: Int)] = []
  private var isActive = false

  /// Begins a transaction, or a savepoint in it.
  ///
  /// - Parameter count: The number of rows that the connection has changed so far.
  mutating func begin(at count: Int) {
    if isActive { return savepoints.append((count, undone)) }
    (isActive, start, undone) = (true, count, 0)
  }

  /// Ends the innermost level and keeps its changes.
  mutating func keep() {
    if savepoints.popLast() == nil { isActive = false }
  }

  /// Ends the innermost level and discounts its changes.
  mutating func undo(at count: Int) {
    guard let savepoint = savepoints.popLast() else { return isActive = false }
    undone = savepoint.undone + (count - savepoint.count)
  }

  /// Returns whether rows changed since the transaction began.
  func hasChanges(at count: Int) -> Bool { isActive && count - start > undone }
}
