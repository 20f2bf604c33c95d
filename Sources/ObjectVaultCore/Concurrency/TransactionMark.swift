import Synchronization

/// A transaction in progress, known to the tasks made inside it.
final class TransactionMark: Sendable {
  private let file: ObjectIdentifier
  private let outer: TransactionMark?
  private let isActive = Atomic<Bool>(true)

  @TaskLocal static var current: TransactionMark?

  init(file: AnyObject) {
    self.file = ObjectIdentifier(file)
    self.outer = Self.current
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
