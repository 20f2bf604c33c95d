import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultServer
import ObjectVaultSession
import Synchronization
import TestSupport
import Testing

/// Transfers between accounts by several connections, whose backends are ended at random moments.
@Suite("Transfers on a PostgreSQL server", .enabled(if: Server.address != nil))
struct TransferTests {
  private struct Missing: Error {}

  /// The counts of all threads.
  private final class Counts: Sendable {
    let made = Atomic<Int>(0)
    let ended = Atomic<Int>(0)
    let failures = Mutex<[any Error]>([])
  }

  private static let accountCount = 12
  private static let opening = 100

  /// The duration of the transfers: 4 seconds, or what the environment says.
  private static var seconds: Double {
    ProcessInfo.processInfo.environment["OBJECTVAULT_SERVER_SECONDS"].flatMap(Double.init) ?? 4
  }

  @Test("keep the sum, and each transfer is stored once, although backends are ended")
  func transfers() throws {
    let schema = Server.newSchema()
    let vault = try Server.vault(schema)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(
      contentsOf: (0..<Self.accountCount).map { Account(number: $0, balance: Self.opening) })

    let end = ContinuousClock.now + .seconds(Self.seconds)
    let counts = Counts()
    let all = DispatchGroup()
    for index in 0..<9 {
      all.enter()
      // Not concurrentPerform, which uses one thread for each processor.
      Thread {
        defer { all.leave() }
        do {
          if index == 8 { return try endBackends(until: end, counts) }
          // Four vaults do not share connections; two threads share each.
          let own = try Server.vault(schema, connection: "transfer\(index / 2)")
          defer { own.close() }
          try transfer(in: own, until: end, counts)
        } catch {
          counts.failures.withLock { $0.append(error) }
        }
      }.start()
    }
    all.wait()
    let figures = (
      counts.made.load(ordering: .relaxed), counts.ended.load(ordering: .relaxed)
    )
    print("\(figures.0) transfers, \(figures.1) backends ended")
    #expect(counts.failures.withLock { $0.map { "\($0)" } } == [])
    #expect(counts.made.load(ordering: .relaxed) > 0)
    #expect(counts.ended.load(ordering: .relaxed) > 0)
    let balances = try accounts.all().map(\.balance)
    #expect(balances.count == Self.accountCount)
    #expect(balances.reduce(0, +) == Self.accountCount * Self.opening)
    // Account 0 pays 1 in each transfer, so a transfer that was stored twice would be seen.
    let moved = Self.opening - (try accounts.find(0)?.balance ?? 0)
    #expect(moved == counts.made.load(ordering: .relaxed))
  }

  private func transfer(
    in vault: SharedVault, until end: ContinuousClock.Instant, _ counts: Counts
  ) throws {
    let accounts = try vault.store(of: Account.self)
    while ContinuousClock.now < end {
      let other = Int.random(in: 1..<Self.accountCount)
      try vault.transaction(retryingFor: .seconds(60)) {
        guard var from = try accounts.find(0), var to = try accounts.find(other) else {
          throw Missing()
        }
        from.balance -= 1
        to.balance += 1
        try accounts.update(from)
        try accounts.update(to)
      }
      counts.made.add(1, ordering: .relaxed)
    }
  }

  private func endBackends(
    until end: ContinuousClock.Instant, _ counts: Counts
  ) throws {
    let vault = try Server.vault(connection: "ending")
    defer { vault.close() }
    while ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: .random(in: 0.05...0.25))
      let count = try vault.opened().read { session in
        try session.with(
          "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity "
            + "WHERE application_name LIKE 'transfer%' ORDER BY random() LIMIT 1) AS p"
        ) { try $0.count() }
      }
      counts.ended.add(count, ordering: .relaxed)
    }
  }
}
