#if os(Linux)
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @Suite("A preloaded library") struct PreloadedLibraryTests {
    @Test("is compiled by several tests at a time, each of which finds it whole")
    func sideBySide() throws {
      let name = "libtrace-\(UUID().uuidString).so"
      let file = ChildProcess.programs.appendingPathComponent(name)
      defer { try? FileManager.default.removeItem(at: file) }
      let outcomes = Mutex<[Result<Int, any Error>]>([])
      // Threads of their own: a pool of tasks would have few of them compile at the same time.
      let threads = (0..<8).map { _ in
        Thread {
          let outcome = Result {
            _ = try PreloadedLibrary("SQLTracing/trace.c", as: name)
            return try Data(contentsOf: file).count
          }
          outcomes.withLock { $0.append(outcome) }
        }
      }
      for thread in threads { thread.start() }
      while threads.contains(where: { !$0.isFinished }) { usleep(1_000) }
      let sizes = try outcomes.withLock { $0 }.map { try $0.get() }
      #expect(sizes.count == 8)
      #expect(sizes.allSatisfy { $0 == sizes[0] && $0 > 0 })
    }
  }
#endif
