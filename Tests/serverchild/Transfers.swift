internal import Foundation
internal import ObjectVaultCore
internal import ObjectVaultServer
internal import Synchronization
internal import TestSupport

/// Transfers between accounts by four threads, of which two share their connections.
///
/// A line in a file records each transfer after the server has acknowledged it.
struct Transfers {
  private struct Missing: Error {}
  private struct Usage: Error {}

  private let address: String
  private let schema: String
  private let end: ContinuousClock.Instant
  private let worker: Int
  private let file: FileHandle

  init(_ arguments: ArraySlice<String>) throws {
    let arguments = Array(arguments)
    guard arguments.count == 5, let seconds = Double(arguments[2]), let worker = Int(arguments[3])
    else { throw Usage() }
    address = arguments[0]
    schema = arguments[1]
    end = .now + .seconds(seconds)
    self.worker = worker
    file = try FileHandle(forWritingTo: URL(fileURLWithPath: arguments[4]))
  }

  func run() throws {
    let failures = Mutex<[any Error]>([])
    let all = DispatchGroup()
    var configuration = SharedVaultConfiguration()
    configuration.schema = schema
    let vaults = try (0..<2).map { index in
      try SharedVault(
        at: "\(address) application_name=transfer\(worker)\(index)", configuration: configuration)
    }
    for index in 0..<4 {
      all.enter()
      Thread.detachNewThread {
        defer { all.leave() }
        do {
          try transfer(in: vaults[index / 2], as: worker * 10 + index)
        } catch {
          failures.withLock { $0.append(error) }
        }
      }
    }
    all.wait()
    for vault in vaults { vault.close() }
    if let first = failures.withLock({ $0.first }) { throw first }
  }

  private func transfer(in vault: SharedVault, as worker: Int) throws {
    let accounts = try vault.store(of: Account.self)
    let transfers = try vault.store(of: ServerTransfer.self)
    var number = 0
    while ContinuousClock.now < end {
      number += 1
      let pair = Array((0..<ServerTransfer.accountCount).shuffled().prefix(2))
      try vault.transaction(retryingFor: .seconds(60)) {
        guard var from = try accounts.find(pair[0]), var to = try accounts.find(pair[1]) else {
          throw Missing()
        }
        from.balance -= 1
        to.balance += 1
        try accounts.update(from)
        try accounts.update(to)
        try transfers.insert(ServerTransfer(worker: worker, number: number))
      }
      try file.write(contentsOf: Data("\(worker) \(number)\n".utf8))
    }
  }
}
