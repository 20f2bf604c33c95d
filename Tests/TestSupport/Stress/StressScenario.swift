internal import Foundation
internal import ObjectVaultCore
internal import Synchronization

/// Threads and tasks that use one vault, while another process does the same.
///
/// They read, move money, nest transactions, fail and are cancelled.
package struct StressScenario: Sendable {
  /// The path of the vault.
  package var path: String
  /// The duration of the work, in seconds.
  package var seconds: Double
  package var seed: UInt64
  package var threads = 8
  package var tasks = 8
  /// Whether writes can share commits.
  package var groupsCommits = false
  /// Whether this process is the second one, which does not create the vault.
  package var isSecondProcess = false
  /// Whether another process does the same concurrently.
  package var startsSecondProcess = true

  package init(path: String, seconds: Double, seed: UInt64) {
    self.path = path
    self.seconds = seconds
    self.seed = seed
  }

  package func run() async throws -> StressReport {
    var configuration = VaultConfiguration()
    configuration.commitGrouping = groupsCommits ? .on : .off
    let vault = try Vault(at: path, key: .ofTests, configuration: configuration)
    if !isSecondProcess {
      let accounts = try await vault.store(of: Account.self)
      _ = try await vault.store(of: Entry.self)
      try await accounts.insert(contentsOf: [
        Account(number: 1, balance: Account.sum / 2), Account(number: 2, balance: Account.sum / 2),
      ])
    }
    let other = startsSecondProcess ? try await secondProcess() : nil
    let workers = try makeWorkers(on: vault)
    let lacking = await workUntilEnough(workers)
    var report = StressReport()
    for worker in workers {
      worker.finish()
      report.add(worker.report)
    }
    report.violations += lacking
    report.checkLog()
    if let other {
      let result = try await other.value
      report.secondProcess = result.output
      if result.status != 0 || !result.exited {
        report.violations.append(
          "the second process ended with \(result.status): \(result.output) \(result.errors)")
      }
    }
    return report
  }

  private func makeWorkers(on vault: Vault) throws -> [StressWorker] {
    let process = isSecondProcess ? "second" : "first"
    return try (0..<threads + tasks).map { index in
      try StressWorker(
        name: "\(process)-\(index < threads ? "thread" : "task")-\(index)", vault: vault,
        seed: seed &+ UInt64(index) &* 0x9E37_79B9)
    }
  }

  /// The maximum number of rounds.
  private static let mostRounds = 60

  /// Works for the given seconds, and for further rounds if a busy computer did too little in them.
  ///
  /// Returns the operations that were too rare nevertheless.
  private func workUntilEnough(_ workers: [StressWorker]) async -> [String] {
    var lacking: [String] = []
    for _ in 0..<Self.mostRounds {
      await work(workers)
      var report = StressReport()
      for worker in workers { report.add(worker.report) }
      lacking = report.lacks(
        seconds: seconds, cancellationsPerMinute: isSecondProcess ? 60 : 1000)
      if lacking.isEmpty { break }
    }
    return lacking
  }

  private func work(_ workers: [StressWorker]) async {
    let end = ContinuousClock.now + .seconds(seconds)
    await withTaskGroup(of: Void.self) { group in
      for worker in workers.prefix(threads) {
        group.addTask {
          await withCheckedContinuation { done in
            Thread.detachNewThread {
              repeat { worker.step() } while ContinuousClock.now < end
              done.resume()
            }
          }
        }
      }
      for worker in workers.dropFirst(threads) {
        group.addTask {
          repeat { await worker.stepAsync() } while ContinuousClock.now < end
        }
      }
    }
  }

  /// Starts the other process, and returns a task for its result.
  private func secondProcess() async throws -> Task<ChildProcess, any Error> {
    let (path, seconds, seed) = (path, seconds, seed)
    let option = groupsCommits ? ["--grouped"] : []
    return Task {
      try await withCheckedThrowingContinuation { done in
        Thread.detachNewThread {
          done.resume(
            with: Result {
              try ChildProcess.run(
                ["stress", "--second-process", "--path", path, "--seconds", "\(seconds)"]
                  + ["--seed", "\(seed &+ 1)"] + option)
            })
        }
      }
    }
  }
}

extension StressReport {
  fileprivate mutating func add(_ other: StressReport) {
    reads += other.reads
    transfers += other.transfers
    nested += other.nested
    refusedBatches += other.refusedBatches
    cancellations += other.cancellations
    tooLate += other.tooLate
    largestLog = max(largestLog, other.largestLog)
    violations += other.violations
  }
}
