internal import Foundation
internal import ObjectVaultCore
internal import TestSupport

/// Runs `measure-groups [SECONDS]`, which compares separate and shared commits.
///
/// It prints the writes per second of threads and tasks with separate commits, the factor for
/// shared commits, and the number of writes per shared commit. Each figure is the median of three
/// interleaved runs of the given seconds.
func measureGroups(_ arguments: [String]) async -> Int32 {
  guard let seconds = arguments.first.map(Double.init) ?? 1, seconds > 0 else {
    report("usage: vaultchild measure-groups [SECONDS]")
    return 64
  }
  do {
    for durability in [VaultConfiguration.Durability.processCrash, .powerFailure] {
      for kind in GroupedWriters.Kind.allCases {
        for count in [1, 4, 16] {
          var runs: [Bool: [(rate: Double, shared: Double)]] = [:]
          for _ in 0..<3 {
            for isGrouped in [false, true] {
              let writers = GroupedWriters(kind: kind, count: count, seconds: seconds)
              runs[isGrouped, default: []].append(try await writers.run(durability, isGrouped))
            }
          }
          let medians = runs.mapValues { $0.sorted { $0.rate < $1.rate }[1] }
          guard let alone = medians[false], let shared = medians[true] else { continue }
          print(
            "\(durability), \(count) \(kind.rawValue):",
            String(
              format: "%.0f/s alone, %.2f times as many shared, %.1f to a commit", alone.rate,
              shared.rate / alone.rate, shared.shared))
        }
      }
    }
    return 0
  } catch {
    report("\(error)")
    return 1
  }
}

/// Threads or tasks that write as fast as possible.
private struct GroupedWriters: Sendable {
  enum Kind: String, CaseIterable {
    case inserts = "threads that insert"
    case transactions = "threads in transactions of two inserts and two updates"
    case tasks = "tasks that insert"
  }
  let kind: Kind
  let count: Int
  let seconds: Double
  private let template = Parcel(1)

  init(kind: Kind, count: Int, seconds: Double) {
    self.kind = kind
    self.count = count
    self.seconds = seconds
  }

  func run(
    _ durability: VaultConfiguration.Durability, _ isGrouped: Bool
  ) async throws -> (rate: Double, shared: Double) {
    let folder = try TemporaryFolder()
    var configuration = VaultConfiguration()
    configuration.durability = durability
    configuration.commitGrouping = isGrouped ? .on : .off
    let vault = try Vault(
      at: folder.file("a.vault"), key: .raw([UInt8](1...32)), configuration: configuration)
    let store = try await vault.store(of: Parcel.self)
    try await store.insert(contentsOf: (0..<2000).map { small($0) })
    let before = try await vault.read { try vault.commitCount() }
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let done = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 1...count {
        let numbers = index * 10_000_000
        group.addTask {
          if kind != .tasks {
            return try await onOwnThread {
              var done = 0
              while ContinuousClock.now < end {
                try write(numbers + 2 * done, store)
                done += 1
              }
              return done
            }
          }
          var done = 0
          while ContinuousClock.now < end {
            try await store.insert(small(numbers + done))
            done += 1
          }
          return done
        }
      }
      return try await group.reduce(0, +)
    }
    let taken = (ContinuousClock.now - start) / .seconds(1)
    let commits = try await vault.read { try vault.commitCount() } - before
    return (Double(done) / taken, Double(done) / Double(max(commits, 1)))
  }

  private func write(_ number: Int, _ store: ObjectStore<Parcel>) throws {
    guard kind == .transactions else {
      try store.insert(small(number))
      return
    }
    try store.vault.transaction {
      for step in 0..<2 {
        try store.insert(small(number + step))
        try store.update(small((number + step) % 2000))
      }
    }
  }

  private func small(_ number: Int) -> Parcel {
    var parcel = template
    parcel.number = number
    parcel.label = "parcel \(number &* 7919 % 1_000_003)"
    parcel.content = Data(repeating: UInt8(truncatingIfNeeded: number), count: 64)
    return parcel
  }
}
