import Dispatch
import ObjectVaultDriver

/// The executors of a vault's asynchronous operations.
///
/// They use threads of the vault, never those of the caller's pool. Writes run on one executor in
/// the order of their calls; reads run on the first free thread.
package final class Executors: Sendable {
  package enum Direction: Sendable { case read, write }

  package let writing: ThreadExecutor
  private let reading: ThreadExecutor
  /// The executor that repeats observed queries.
  ///
  /// It is separate so that reads never wait behind observers.
  package let observing: ThreadExecutor

  init(name: String, readers: Int) {
    writing = ThreadExecutor(name: "objectvault.write.\(name)", width: 1)
    reading = ThreadExecutor(name: "objectvault.read.\(name)", width: max(1, readers))
    observing = ThreadExecutor(name: "objectvault.observe.\(name)", width: min(2, max(1, readers)))
  }

  /// Runs `body` on an executor and waits without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - direction: Whether `body` reads or writes.
  ///   - pool: The sessions that `body` uses.
  ///   - sharing: Whether the commit of `body` may be shared with the next jobs.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; `.asyncInTransaction` inside a transaction of the same vault,
  ///   which could never end; `.cancelled` if the task is cancelled before `body` finishes.
  package func run<R: Sendable>(
    _ direction: Direction, of pool: SessionPool, sharing: Bool = false,
    _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    if TransactionMark.isInside(pool) {
      throw VaultError(
        .asyncInTransaction,
        "An asynchronous operation was called inside a transaction of the same vault and would "
          + "wait for itself. Use the synchronous form inside transactions.")
    }
    return try await (direction == .write ? writing : reading).run(sharing: sharing, body)
  }

  /// Runs `body` on a new thread and waits without blocking the caller's thread.
  package static func runAlone<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws
    -> R
  {
    // Not a global queue: global queues share their threads with the tasks of the program.
    try await ThreadExecutor(name: "objectvault.open", width: 1).run(body)
  }
}

/// An executor whose threads take jobs from one first-in, first-out queue.
package final class ThreadExecutor: Sendable {
  private struct State {
    let name: String
    /// The number of dispatch queues that may still be created; each is created on first need.
    var unmade: Int
    var idle: [DispatchQueue] = []
    /// The waiting jobs by position.
    ///
    /// A job that is started or cancelled is released at once with everything it holds, even if the
    /// queue never becomes empty.
    var waiting: [Int: Job] = [:]
    /// The position of the first job that may be waiting.
    var first = 0
    /// The position of the next new job.
    var end = 0

    init(name: String, width: Int) {
      self.name = name
      unmade = width
    }

    /// Returns a dispatch queue without a job; `nil` if all are busy.
    mutating func takeQueue() -> DispatchQueue? {
      if let queue = idle.popLast() { return queue }
      guard unmade > 0 else { return nil }
      unmade -= 1
      return DispatchQueue(label: "\(name).\(unmade)")
    }

    /// Returns whether the next job continues the transaction that the current one leaves open.
    mutating func isNextSharing() -> Bool {
      while first < end {
        if let job = waiting[first] { return job.isSharing }
        first += 1
      }
      return false
    }

    mutating func append(_ job: Job) -> Int {
      defer { end += 1 }
      waiting[end] = job
      return end
    }

    /// Returns the next job; marks the dispatch queue as idle if no job is waiting.
    mutating func takeNext(for queue: DispatchQueue) -> Job? {
      while first < end {
        defer { first += 1 }
        if let job = waiting.removeValue(forKey: first) { return job }
      }
      // Release the capacity that the longest queue required.
      waiting = [:]
      idle.append(queue)
      return nil
    }
  }

  private let state: Locked<State>

  /// Creates an executor with up to `width` threads.
  ///
  /// Each thread is a serial dispatch queue, which gets a thread when it needs one even while
  /// others block.
  package init(name: String, width: Int) {
    state = Locked(State(name: name, width: width))
  }

  /// Runs `body` in its turn and waits without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - sharing: Whether the thread may begin the next job before the commit of `body`.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; `.cancelled`, immediately if the job has not begun.
  package func run<R: Sendable>(
    sharing: Bool = false, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    let cancellation = Cancellation()
    let ticket = Ticket<R>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { done in
        ticket.wait(with: done)
        let place = add(
          Job(isSharing: sharing) {
            guard ticket.begin() else { return }
            let result = Result {
              try Cancellation.withCurrent(cancellation) {
                try Cancellation.check()
                return try body()
              }
            }.mapError { cancellation.reported($0) }
            Self.afterCommit { ticket.finish($0.flatMap { result }) }
          })
        ticket.stand(at: place)
        if cancellation.isCancelled { giveUp(ticket) }
      }
    } onCancel: {
      cancellation.cancel()
      giveUp(ticket)
    }
  }

  /// Calls `action` after the commit that the job on this thread awaits; at once if it awaits none.
  private static func afterCommit(
    _ action: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let thread = ThreadState.current
    guard let awaited = thread.awaited else { return action(.success(())) }
    thread.awaited = nil
    awaited.group.whenOver(action)
  }

  /// Whether the next job continues the transaction that the current one leaves open.
  var isNextSharing: Bool { state.withLock { $0.isNextSharing() } }

  /// Cancels an operation that has not begun and removes it from the queue.
  private func giveUp<R: Sendable>(_ ticket: Ticket<R>) {
    ticket.giveUp()
    guard let place = ticket.place else { return }
    let job = state.withLock { $0.waiting.removeValue(forKey: place) }
    withExtendedLifetime(job) {}
  }

  /// The number of waiting jobs.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` in its turn without waiting for it.
  package func start(_ body: @escaping @Sendable () -> Void) {
    _ = add(Job(isSharing: false, run: body))
  }

  private struct Job: Sendable {
    let isSharing: Bool
    let run: @Sendable () -> Void
  }

  /// Adds a job to the queue.
  ///
  /// - Returns: The position of the job.
  private func add(_ job: Job) -> Int {
    let (place, queue) = state.withLock { ($0.append(job), $0.takeQueue()) }
    if let queue { queue.async { self.work(on: queue) } }
    return place
  }

  private func work(on queue: DispatchQueue) {
    let thread = ThreadState.current
    while let job = state.withLock({ $0.takeNext(for: queue) }) {
      if !job.isSharing { Self.endShared(thread) }
      thread.executor = job.isSharing ? self : nil
      job.run()
      thread.executor = nil
      // A next job waited for this one.
      thread.hasWaited = true
    }
    thread.hasWaited = false
    Self.endShared(thread)
  }

  /// Commits a transaction that was left open for a next job that does not exist.
  private static func endShared(_ thread: ThreadState) {
    guard let open = thread.leftOpen else { return }
    thread.leftOpen = nil
    // The writer lock never rejects a thread that holds nothing.
    withExtendedLifetime(open.owner) { try? open.pool.endShared() }
  }
}

/// An operation in a queue, which receives its result exactly once.
private final class Ticket<R: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<R, any Error>)
    case running(CheckedContinuation<R, any Error>)
    case over
  }
  private let state = Locked(State.new)
  private let standing = Locked<Int?>(nil)

  /// The position in the queue; `nil` if it is not known yet or the operation is not queued.
  var place: Int? { standing.withLock { $0 } }

  func stand(at place: Int) { standing.withLock { $0 = place } }

  func wait(with done: CheckedContinuation<R, any Error>) {
    state.withLock { $0 = .waiting(done) }
  }

  /// Marks the operation as running.
  ///
  /// - Returns: Whether the operation is still wanted.
  func begin() -> Bool {
    state.withLock { state in
      guard case .waiting(let done) = state else { return false }
      state = .running(done)
      return true
    }
  }

  func finish(_ result: Result<R, any Error>) {
    let done = state.withLock { state -> CheckedContinuation<R, any Error>? in
      guard case .running(let done) = state else { return nil }
      state = .over
      return done
    }
    done?.resume(with: result)
  }

  /// Cancels an operation that has not begun.
  func giveUp() {
    let done = state.withLock { state -> CheckedContinuation<R, any Error>? in
      guard case .waiting(let done) = state else { return nil }
      state = .over
      return done
    }
    done?.resume(throwing: VaultError.cancelled)
  }
}
