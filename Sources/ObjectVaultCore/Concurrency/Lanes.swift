import Dispatch

/// Where the asynchronous forms of a vault's operations run: threads of the vault's own, never
/// those of the caller's pool.
///
/// Writes go through one lane in the order of their calls; reads take the first lane that is free.
final class Lanes: Sendable {
  enum Direction: Sendable { case read, write }

  let writing: Lane
  private let reading: Lane
  /// Where what is observed is read again. A lane of its own: however many observe, those who read
  /// do not wait behind them.
  let observing: Lane

  init(name: String, readers: Int) {
    writing = Lane(name: "objectvault.write.\(name)", width: 1)
    reading = Lane(name: "objectvault.read.\(name)", width: max(1, readers))
    observing = Lane(name: "objectvault.observe.\(name)", width: min(2, max(1, readers)))
  }

  /// Runs `body` on a lane and waits without blocking the caller's thread.
  ///
  /// - Parameter sharing: Whether the commit of what `body` writes may come after those of the next jobs.
  /// - Throws: `.asyncInTransaction` inside a transaction of the same vault, which could never
  ///   end; `.cancelled` when the task is cancelled before `body` is done.
  func run<R: Sendable>(
    _ direction: Direction, of file: VaultFile, sharing: Bool = false,
    _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    if TransactionMark.isInside(file) {
      throw VaultError(
        .asyncInTransaction,
        "An asynchronous operation was called inside a transaction of the same vault, which would "
          + "wait for itself. Use the synchronous form inside transactions.")
    }
    return try await (direction == .write ? writing : reading).run(sharing: sharing, body)
  }

  /// Runs `body` on a thread of its own and waits without blocking the caller's.
  static func runAlone<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    // Not a global queue: those share their threads with the tasks of the program.
    try await Lane(name: "objectvault.open", width: 1).run(body)
  }
}

/// Threads that take jobs from one line, first come, first served.
final class Lane: Sendable {
  private struct State {
    let name: String
    /// How many queues may still be made: none is before it is needed.
    var unmade: Int
    var idle: [DispatchQueue] = []
    /// The jobs in line by their places. One that is taken or given up is gone at once, with all that it
    /// holds, however long the line never ends.
    var waiting: [Int: Job] = [:]
    /// The place of the first job that may wait.
    var first = 0
    /// The place of the next job to come.
    var end = 0

    init(name: String, width: Int) {
      self.name = name
      unmade = width
    }

    /// A queue without a job; `nil` where all have one.
    mutating func takeQueue() -> DispatchQueue? {
      if let queue = idle.popLast() { return queue }
      guard unmade > 0 else { return nil }
      unmade -= 1
      return DispatchQueue(label: "\(name).\(unmade)")
    }

    /// Whether the next job goes on with what the one before left open.
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

    /// The next job; where there is none, the queue is idle from now on.
    mutating func takeNext(for queue: DispatchQueue) -> Job? {
      while first < end {
        defer { first += 1 }
        if let job = waiting.removeValue(forKey: first) { return job }
      }
      // Lets go of the room that the longest line took.
      waiting = [:]
      idle.append(queue)
      return nil
    }
  }

  private let state: Locked<State>

  /// A serial queue has a thread of its own when it needs one, also while others block.
  init(name: String, width: Int) {
    state = Locked(State(name: name, width: width))
  }

  /// - Throws: what `body` throws; `.cancelled`, at once while the job still waits in line.
  ///
  /// - Parameter sharing: Whether the thread may go on with the next job before the commit of what
  ///   `body` writes.
  func run<R: Sendable>(
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
            }
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

  /// Calls `action` after the commit that the job on this thread waits for; at once where it waits
  /// for none.
  private static func afterCommit(
    _ action: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let record = ThreadRecord.current
    guard let awaited = record.awaited else { return action(.success(())) }
    record.awaited = nil
    awaited.group.whenOver(action)
  }

  /// Whether the next job goes on with what the one before left open.
  var isNextSharing: Bool { state.withLock { $0.isNextSharing() } }

  /// Ends an operation that has not begun, and takes it out of the line.
  private func giveUp<R: Sendable>(_ ticket: Ticket<R>) {
    ticket.giveUp()
    guard let place = ticket.place else { return }
    let job = state.withLock { $0.waiting.removeValue(forKey: place) }
    withExtendedLifetime(job) {}
  }

  /// How many jobs wait in line.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` once its turn comes; nobody waits for it.
  func start(_ body: @escaping @Sendable () -> Void) { _ = add(Job(isSharing: false, run: body)) }

  private struct Job: Sendable {
    let isSharing: Bool
    let run: @Sendable () -> Void
  }

  /// - Returns: The place of the job in line.
  private func add(_ job: Job) -> Int {
    let (place, queue) = state.withLock { ($0.append(job), $0.takeQueue()) }
    if let queue { queue.async { self.work(on: queue) } }
    return place
  }

  private func work(on queue: DispatchQueue) {
    let record = ThreadRecord.current
    while let job = state.withLock({ $0.takeNext(for: queue) }) {
      if !job.isSharing { Self.endShared(record) }
      record.lane = job.isSharing ? self : nil
      job.run()
      record.lane = nil
    }
    Self.endShared(record)
  }

  /// Commits what the job before left open for one that does not come.
  private static func endShared(_ record: ThreadRecord) {
    guard let file = record.leftOpen else { return }
    record.leftOpen = nil
    // A thread that is inside nothing is never refused.
    try? file.endShared()
  }
}

/// The place of one operation in a line: it is given its result exactly once.
private final class Ticket<R: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<R, any Error>)
    case running(CheckedContinuation<R, any Error>)
    case over
  }
  private let state = Locked(State.new)
  private let standing = Locked<Int?>(nil)

  /// The place in line; `nil` where it is not known yet, or there is none.
  var place: Int? { standing.withLock { $0 } }

  func stand(at place: Int) { standing.withLock { $0 = place } }

  func wait(with done: CheckedContinuation<R, any Error>) {
    state.withLock { $0 = .waiting(done) }
  }

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

  /// Ends an operation that has not begun.
  func giveUp() {
    let done = state.withLock { state -> CheckedContinuation<R, any Error>? in
      guard case .waiting(let done) = state else { return nil }
      state = .over
      return done
    }
    done?.resume(throwing: VaultError.cancelled)
  }
}
