import Synchronization

/// A marker of a transaction in progress that is visible to tasks created inside it.
final class TransactionMark: Sendable {
  private let file: ObjectIdentifier
  private let outer: TransactionMark?
  private let isActive = Atomic<Bool>(true)

  @TaskLocal static var current: TransactionMark?

  init(file: AnyObject) {
    self.file = ObjectIdentifier(file)
    // Finished transactions are not retained: tasks created inside one another's transactions would
    // otherwise retain all of them.
    self.outer = Self.current?.active
  }

  /// This transaction, or the innermost enclosing one that is in progress.
  private var active: TransactionMark? {
    isActive.load(ordering: .relaxed) ? self : outer?.active
  }

  func end() { isActive.store(false, ordering: .relaxed) }

  static func isInside(_ file: AnyObject) -> Bool {
    var mark = current
    while let candidate = mark {
      if candidate.file == ObjectIdentifier(file), candidate.isActive.load(ordering: .relaxed) {
        return true
      }
      mark = candidate.outer
    }
    return false
  }
}
