import Dispatch
import Synchronization

/// Where the asynchronous forms of a vault's operations run: threads of the vault's own, never
/// those of the caller's pool.
///
/// Writes go through one lane in the order of their calls; reads are spread over a few.
final class Lanes: Sendable {
  enum Direction: Sendable { case read, write }

  private let writing: DispatchQueue
  private let reading: [DispatchQueue]
  private let next = Atomic<Int>(0)

  init(name: String, readers: Int) {
    writing = DispatchQueue(label: "objectvault.write.\(name)")
    reading = (0..<max(1, readers)).map { DispatchQueue(label: "objectvault.read.\($0).\(name)") }
  }

  /// Runs `body` on a lane and waits without blocking the caller's thread.
  ///
  /// - Throws: `.asyncInTransaction` inside a transaction of the same vault, which could never
  ///   end; `.cancelled` when the task is cancelled before `body` is done.
  func run<R: Sendable>(
    _ direction: Direction, of file: VaultFile, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    if TransactionMark.isInside(file) {
      throw VaultError(
        .asyncInTransaction,
        "An asynchronous operation was called inside a transaction of the same vault, which would "
          + "wait for itself. Use the synchronous form inside transactions.")
    }
    return try await Self.run(on: lane(direction), body)
  }

  /// Runs `body` on a queue and waits without blocking the caller's thread.
  static func run<R: Sendable>(
    on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<R, any Error>) in
        queue.async {
          done.resume(
            with: Result {
              try Cancellation.$current.withValue(cancellation) {
                try Cancellation.check()
                return try body()
              }
            })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func lane(_ direction: Direction) -> DispatchQueue {
    switch direction {
    case .write: writing
    case .read:
      reading[next.wrappingAdd(1, ordering: .relaxed).oldValue % reading.count]
    }
  }
}

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
