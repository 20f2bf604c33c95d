import Dispatch
import ObjectVaultCore
import ObjectVaultSession
import Synchronization
import Testing
import TestSupport

@Suite("A line of jobs") struct ThreadExecutorTests {
  /// Something that a job holds.
  private final class Held: Sendable {
    let alive: Locked<Int>

    init(_ alive: Locked<Int>) {
      self.alive = alive
      alive.withLock { $0 += 1 }
    }

    deinit { alive.withLock { $0 -= 1 } }
  }

  /// Puts a job in line that puts the next one there, so that the line is never empty.
  private static func start(
    _ count: Int, in executor: ThreadExecutor, _ alive: Locked<Int>, _ most: Locked<Int>,
    _ done: DispatchSemaphore
  ) {
    let held = Held(alive)
    executor.start {
      withExtendedLifetime(held) {}
      let now = alive.withLock { $0 }
      most.withLock { $0 = max($0, now) }
      if count == 0 { done.signal() } else { start(count - 1, in: executor, alive, most, done) }
    }
  }

  /// Creates an executor whose only thread is busy until the semaphore is signalled.
  private static func occupied() async throws -> (ThreadExecutor, DispatchSemaphore) {
    let executor = ThreadExecutor(name: "test.executor", width: 1)
    let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    executor.start {
      entered.signal()
      leave.wait()
    }
    try await onOwnThread { entered.wait() }
    return (executor, leave)
  }

  @Test("lets go of the jobs that are done, also where it is never empty")
  func memory() async throws {
    let executor = ThreadExecutor(name: "test.executor", width: 1)
    let (alive, most) = (Locked(0), Locked(0))
    try await onOwnThread {
      let done = DispatchSemaphore(value: 0)
      for _ in 0..<2 { Self.start(5_000, in: executor, alive, most, done) }
      for _ in 0..<2 { done.wait() }
    }
    #expect(most.withLock { $0 } <= 4)
  }

  @Test("lets go of the jobs that were cancelled, also while none is done")
  func cancelled() async throws {
    let (executor, leave) = try await Self.occupied()
    let alive = Locked(0)
    for _ in 0..<100 {
      let task = Task { [held = Held(alive)] in
        try await executor.run { withExtendedLifetime(held) {} }
      }
      task.cancel()
      _ = await task.result
    }
    #expect(executor.waitingCount == 0)
    try await eventually { alive.withLock { $0 } == 0 }
    leave.signal()
    #expect(try await executor.run { 1 } == 1)
  }

  @Test("keeps the order of what waits, without what was cancelled between")
  func order() async throws {
    let (executor, leave) = try await Self.occupied()
    let seen = Locked<[Int]>([])
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      tasks.append(Task { try await executor.run { seen.withLock { $0.append(number) } } })
      try await eventually { executor.waitingCount == number + 1 }
    }
    for number in stride(from: 0, to: 20, by: 3) { tasks[number].cancel() }
    try await eventually { executor.waitingCount == 13 }
    leave.signal()
    for task in tasks { _ = await task.result }
    #expect(seen.withLock { $0 } == (0..<20).filter { !$0.isMultiple(of: 3) })
  }
}
