import Synchronization

/// A marker of a transaction in progress that is visible to tasks created inside it.
package final class TransactionMark: Sendable {
  private let pool: ObjectIdentifier
  private let outer: TransactionMark?
  private let isActive = Atomic<Bool>(true)

  @TaskLocal package static var current: TransactionMark?

  package init(of pool: AnyObject) {
    self.pool = ObjectIdentifier(pool)
    // Finished transactions are not retained: tasks created inside one another's transactions would
    // otherwise retain all of them.
    self.outer = Self.current?.active
  }

  /// This transaction, or the innermost enclosing one that is in progress.
  private var active: TransactionMark? {
    isActive.load(ordering: .relaxed) ? self : outer?.active
  }

  /// Records that the transaction ended.
  package func end() { isActive.store(false, ordering: .relaxed) }

  /// Calls `body`, which runs in a transaction of the pool.
  package static func inside(_ pool: SessionPool, _ body: () throws -> Void) rethrows {
    let mark = TransactionMark(of: pool)
    defer { mark.end() }
    try $current.withValue(mark, operation: body)
  }

  /// Returns whether the calling task was created inside a transaction of the pool that is in
  /// progress.
  package static func isInside(_ pool: AnyObject) -> Bool {
    var mark = current
    while let candidate = mark {
      if candidate.pool == ObjectIdentifier(pool), candidate.isActive.load(ordering: .relaxed) {
        return true
      }
      mark = candidate.outer
    }
    return false
  }
}
