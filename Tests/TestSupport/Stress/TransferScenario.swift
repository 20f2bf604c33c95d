internal import Foundation
internal import ObjectVaultCore

/// Four processes on one vault, each of which is killed at random moments and restarted.
///
/// Two processes transfer amounts between accounts, while two others read and observe them.
package struct TransferScenario: Sendable {
  private let place: TransferPlace
  /// The duration of the scenario, in seconds.
  private let seconds: Double
  private let seed: UInt64

  /// Creates a scenario.
  ///
  /// - Parameters:
  ///   - folder: An empty folder for the vault and the reports of its processes.
  ///   - seconds: The duration in seconds. It is longer if a process on a busy computer makes no
  ///     progress.
  ///   - seed: The seed of the transfers and of the kill moments.
  package init(folder: String, seconds: Double, seed: UInt64) {
    place = TransferPlace(folder: folder)
    self.seconds = seconds
    self.seed = seed
  }

  /// Runs the processes, kills them all, and checks the vault.
  ///
  /// `progress` is called about every ten seconds.
  package func run(progress: (TransferReport) -> Void = { _ in }) throws -> TransferReport {
    try place.make()
    var random = SeededGenerator(seed: seed)
    var report = TransferReport()
    var processes = [
      TransferProcess("write-1", "write", place, ["0", "1"]),
      TransferProcess("write-2", "write", place, ["2", "3"]),
      TransferProcess("read", "read", place), TransferProcess("observe", "observe", place),
    ]
    let start = ContinuousClock.now
    var nextProgress = start + .seconds(10)
    for index in processes.indices { try processes[index].start(&random) }
    while report.violations.isEmpty {
      let now = ContinuousClock.now
      if now > start + .seconds(seconds), processes.allSatisfy(\.hasWorked) { break }
      for index in processes.indices {
        try processes[index].advance(now, &random, &report)
      }
      report.largestLog = max(report.largestLog, place.size(of: place.vault + "-wal"))
      if now > nextProgress {
        nextProgress = now + .seconds(10)
        count(&report)
        progress(report)
      }
      usleep(1000)
    }
    for index in processes.indices { processes[index].end(&report) }
    count(&report)
    do {
      try check(&report)
    } catch {
      report.violations.append("\(error)")
    }
    return report
  }

  /// Updates the report with the counts of the processes.
  private func count(_ report: inout TransferReport) {
    report.reads = place.size(of: place.tally(of: "read"))
    report.observed = place.size(of: place.tally(of: "observe"))
    report.transfers = (0..<TransferPlace.workers).reduce(0) {
      $0 + AcknowledgementLog.lastSequence(at: place.log(of: $1))
    }
  }

  /// Checks that exactly the acknowledged transfers are stored and that the balances match them.
  ///
  /// The last commit of each worker can be stored without an acknowledgement.
  private func check(_ report: inout TransferReport) throws {
    let vault = try place.open()
    let transfers = try vault.store(of: Transfer.self)
    var balances = Array(repeating: TransferPlace.openingBalance, count: TransferPlace.accounts)
    report.transfers = 0
    for worker in 0..<TransferPlace.workers {
      let acknowledged = try AcknowledgementLog.transfers(at: place.log(of: worker), of: worker)
      let stored = try transfers.of(worker: worker).all()
      guard stored.starts(with: acknowledged), stored.count - acknowledged.count <= 1,
        stored.map(\.sequence) == Array(1..<stored.count + 1)
      else {
        throw TransferViolation(
          "worker \(worker): \(acknowledged.count) transfers are acknowledged, \(stored.count) stored, "
            + "and they differ")
      }
      report.unacknowledged += stored.count - acknowledged.count
      report.transfers += stored.count
      for transfer in stored {
        balances[transfer.from] -= transfer.amount
        balances[transfer.to] += transfer.amount
      }
    }
    let found = try vault.store(of: Account.self).all().map(\.balance)
    guard found == balances else {
      throw TransferViolation("the balances are not those that the transfers make: \(found)")
    }
    vault.close()
    let verification = try DatabaseFile(at: place.vault, key: .ofTests).verify()
    guard verification.isSound else { throw TransferViolation("the file is damaged") }
    let left = try FileManager.default.contentsOfDirectory(atPath: place.folder)
      .filter { $0.hasPrefix("transfers.vault-") || $0.hasPrefix(".") }
    guard left.isEmpty else { throw TransferViolation("\(left) stay behind") }
  }
}
