import Synchronization
import Workload

/// Runs `body` on the given number of threads and waits until all have returned.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
  let job = ThreadJob(body: body)
  workload_threads(
    Int32(count),
    { job, thread in
      Unmanaged<ThreadJob>.fromOpaque(job!).takeUnretainedValue().run(Int(thread))
    }, Unmanaged.passUnretained(job).toOpaque())
  withExtendedLifetime(job) {}
}

private final class ThreadJob: Sendable {
  private let body: @Sendable (Int) throws -> Void

  init(body: @escaping @Sendable (Int) throws -> Void) { self.body = body }

  func run(_ thread: Int) {
    do { try body(thread) } catch { workload_fail("thread", "\(error)") }
  }
}

/// A barrier at which threads wait until all of them have arrived.
package final class Meeting: Sendable {
  private let arrived = Atomic<Int>(0)
  private let count: Int

  package init(of count: Int) { self.count = count }

  package func arrive() {
    arrived.add(1, ordering: .acquiringAndReleasing)
    while arrived.load(ordering: .acquiring) < count { workload_pause() }
  }
}

/// The threads of W11: four that read and one that writes, for a fixed time.
package final class Contest: Sendable {
  private let reads = Atomic<Int>(0)
  private let writes = Atomic<Int>(0)
  private static let writer = 4

  package init() {}

  /// Runs the threads.
  ///
  /// - Parameters:
  ///   - read: Reads once. The number differs between all calls and threads.
  ///   - write: Writes once. The number differs between all calls.
  package func run(
    read: @escaping @Sendable (Int) throws -> Void, write: @escaping @Sendable (Int) throws -> Void
  ) {
    let end = workload_now() + UInt64(workload_seconds() * 1e9)
    onThreads(Self.writer + 1) { thread in
      var done = 0
      while workload_now() < end {
        try thread == Self.writer ? write(done) : read(done * Self.writer + thread)
        done += 1
      }
      if thread == Self.writer {
        self.writes.add(done, ordering: .relaxed)
      } else {
        self.reads.add(done, ordering: .relaxed)
      }
    }
  }

  package var readCount: Int { reads.load(ordering: .relaxed) }
  package var writeRate: Double { Double(writes.load(ordering: .relaxed)) / workload_seconds() }
}
