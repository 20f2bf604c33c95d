internal import Foundation
internal import ObjectVaultCore

/// A reader that checks the accounts until the process is killed.
package struct TransferReader: Sendable {
  private let place: TransferPlace
  private let vault: Vault
  private let accounts: ObjectStore<Account>
  private let transfers: ObjectStore<Transfer>

  package init(_ place: TransferPlace) throws {
    self.place = place
    vault = try place.open()
    accounts = try vault.store(of: Account.self)
    transfers = try vault.store(of: Transfer.self)
  }

  /// Reads snapshots and checks them.
  ///
  /// The sum must be constant, every acknowledged transfer must be present, and no transfer may
  /// disappear.
  ///
  /// - Throws: The violation. The function never returns.
  package func read() throws -> Never {
    let tally = Tally(at: place.tally(of: "read"))
    let own = try (0..<TransferPlace.workers).map { try transfers.of(worker: $0) }
    var seen = Array(repeating: 0, count: own.count)
    while true {
      let acknowledged = own.indices.map { AcknowledgementLog.lastSequence(at: place.log(of: $0)) }
      let found = try vault.read {
        try check(accounts.all(), in: "a snapshot")
        let found = try own.map { try $0.latest()?.sequence ?? 0 }
        try check(accounts.sorted(by: "balance").all(), in: "the same snapshot")
        return found
      }
      for worker in own.indices {
        guard found[worker] >= acknowledged[worker], found[worker] >= seen[worker] else {
          throw TransferViolation(
            "worker \(worker): a reader finds transfer \(found[worker]), after \(seen[worker]) was read "
              + "and \(acknowledged[worker]) acknowledged")
        }
      }
      seen = found
      tally.count()
    }
  }

  /// Observes the accounts.
  ///
  /// The sum of every result must be constant, and the number of transfers must not decrease.
  ///
  /// - Throws: The violation.
  package func observe() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let tally = Tally(at: place.tally(of: "observe"))
        for try await list in accounts.query.observe() {
          try check(list, in: "an observed result")
          tally.count()
        }
      }
      group.addTask {
        let latest = try transfers.of(worker: 0).sorted(by: .descending("number")).range(length: 1)
        var seen = 0
        for try await list in latest.observe() {
          let found = list.first?.sequence ?? 0
          guard found >= seen else {
            throw TransferViolation("transfer \(found) is observed after \(seen)")
          }
          seen = found
        }
      }
      try await group.next()
      throw TransferViolation("an observation ended by itself")
    }
  }

  private func check(_ list: [Account], in what: String) throws {
    let sum = list.reduce(0) { $0 + $1.balance }
    guard list.count == TransferPlace.accounts, sum == TransferPlace.sum else {
      throw TransferViolation("\(what) has \(list.count) accounts with the sum \(sum)")
    }
  }
}
