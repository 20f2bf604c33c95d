internal import Foundation
internal import ObjectVaultCore

/// An error that rolls back a transaction.
private struct ChangeOfMind: Error {}

/// A writer that makes transfers until the process is killed.
package struct TransferWriter: Sendable {
  let place: TransferPlace
  let worker: Int
  let seed: UInt64

  package init(_ place: TransferPlace, worker: Int, seed: UInt64) {
    self.place = place
    self.worker = worker
    self.seed = seed
  }

  /// Makes transfers.
  ///
  /// - Throws: The violation or the error. The function never returns.
  package func run() throws -> Never {
    let vault = try place.open()
    let accounts = try vault.store(of: Account.self)
    let transfers = try vault.store(of: Transfer.self)
    let own = try transfers.of(worker: worker)
    let log = try AcknowledgementLog(at: place.log(of: worker))
    var sequence = try resume(own, log)
    var random = SeededGenerator(seed: seed)
    while true {
      sequence += 1
      let transfer = next(sequence, &random)
      let way = Int.random(in: 0..<20, using: &random)
      do {
        try vault.transaction {
          if way < 3 {
            // An inner transaction that is rolled back must not affect the outer one.
            do {
              try vault.transaction {
                try move(transfer.amount, from: transfer.to, to: transfer.from, accounts)
                throw ChangeOfMind()
              }
            } catch is ChangeOfMind {}
          }
          try transfers.insert(transfer)
          try move(transfer.amount, from: transfer.from, to: transfer.to, accounts)
          if way == 19 { throw ChangeOfMind() }
        }
        try log.append(transfer)
      } catch is ChangeOfMind {
        sequence -= 1
      }
    }
  }

  /// Checks that the vault has every acknowledged transfer, and acknowledges a last unacknowledged
  /// one.
  ///
  /// Returns the sequence number of the last transfer.
  private func resume(_ own: Query<Transfer>, _ log: AcknowledgementLog) throws -> Int {
    let latest = try own.latest()
    let sequence = latest?.sequence ?? 0
    guard sequence == log.last || sequence == log.last + 1 else {
      throw TransferViolation(
        "worker \(worker): the vault has \(sequence) transfers, \(log.last) are acknowledged")
    }
    if let latest, sequence > log.last { try log.append(latest) }
    return sequence
  }

  private func next(_ sequence: Int, _ random: inout SeededGenerator) -> Transfer {
    let from = Int.random(in: 0..<TransferPlace.accounts, using: &random)
    let step = Int.random(in: 1..<TransferPlace.accounts, using: &random)
    return Transfer(
      worker: worker, sequence: sequence, from: from,
      to: (from + step) % TransferPlace.accounts, amount: Int.random(in: 0...500, using: &random))
  }

  private func move(
    _ amount: Int, from: Int, to: Int, _ accounts: ObjectStore<Account>
  ) throws {
    for (number, change) in [(from, -amount), (to, amount)] {
      guard var account = try accounts.find(number) else {
        throw TransferViolation("account \(number) is lost")
      }
      account.balance += change
      try accounts.update(account)
    }
  }
}
