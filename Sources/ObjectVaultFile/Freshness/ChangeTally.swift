/// The number of rows that the open transaction changed, without changes rolled back to a
/// savepoint.
struct ChangeTally {
  /// The number of rows that the connection had changed when the transaction began.
  private var start = 0
  /// The number of changes that were rolled back to a savepoint.
  private var undone = 0
  /// Both numbers at the beginning of each open savepoint, outermost first.
  private var savepoints: [(count: Int, undone: Int)] = []

  /// Begins a transaction, or a savepoint in it.
  ///
  /// - Parameters:
  ///   - count: The number of rows that the connection has changed so far.
  ///   - isNested: Whether a savepoint begins.
  mutating func begin(at count: Int, isNested: Bool) {
    if isNested { savepoints.append((count, undone)) } else { (start, undone) = (count, 0) }
  }

  /// Ends the innermost savepoint and keeps its changes.
  mutating func keep() { savepoints.removeLast() }

  /// Ends the innermost savepoint, if there is one, and discounts its changes.
  mutating func undo(at count: Int) {
    guard let savepoint = savepoints.popLast() else { return }
    undone = savepoint.undone + (count - savepoint.count)
  }

  /// Returns whether rows changed since the transaction began.
  ///
  /// The engine counts in 32 bits, so that a later number can be less than an earlier one.
  func hasChanges(at count: Int) -> Bool { count - start != undone }
}
