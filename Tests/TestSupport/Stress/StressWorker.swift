internal import Foundation
internal import ObjectVaultCore

/// The error that a worker throws to roll back its inner transaction.
private struct ChangeOfMind: Error {}

/// The work of one thread or task on the vault, in steps.
///
/// Every step checks the data that it reads.
final class StressWorker: @unchecked Sendable {
  let name: String
  private let vault: Vault
  private let accounts: ObjectStore<Account>
  private let entries: ObjectStore<Entry>
  private var random: SeededGenerator
  private(set) var report = StressReport()
  private var batch = 0
  private let turn = NSLock()
  /// The number of rows of each batch in the vault.
  private var kept: [Int: Int] = [:]

  init(name: String, vault: Vault, seed: UInt64) throws {
    self.name = name
    self.vault = vault
    accounts = try vault.store(of: Account.self)
    entries = try vault.store(of: Entry.self)
    random = SeededGenerator(seed: seed)
  }

  func note(_ error: any Error, in step: String) {
    report.violations.append("\(name), \(step): \(error)")
  }

  private func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { report.violations.append("\(name): \(what())") }
  }

  // MARK: On a thread

  func step() {
    let choice = Int.random(in: 0..<10, using: &random)
    do {
      switch choice {
      case 0..<5: try read()
      case 5..<7: try transfer()
      case 7: try nest()
      case 8: try write()
      default: try refuse()
      }
    } catch {
      note(error, in: "step \(choice)")
    }
    if let size = (try? FileManager.default.attributesOfItem(atPath: vault.path + "-wal"))?[.size]
      as? Int
    {
      report.largestLog = max(report.largestLog, size)
    }
  }

  private func read() throws {
    report.reads += 1
    let balances: [Int]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: balances = try accounts.all().map(\.balance)
    case 1:
      balances = try vault.read {
        [try accounts.find(1)?.balance ?? 0, try accounts.find(2)?.balance ?? 0]
      }
    case 2:
      balances = try accounts.where("number IN {1, 2}").sorted(by: "balance").all().map(\.balance)
    default:
      var found: [Int] = []
      try accounts.forEach { found.append($0.balance) }
      balances = found
    }
    check(balances)
  }

  private func check(_ balances: [Int]) {
    expect(
      balances.count == 2 && balances.reduce(0, +) == Account.sum, "the sum is broken: \(balances)")
  }

  private func transfer() throws {
    report.transfers += 1
    let amount = Int.random(in: -50...50, using: &random)
    try vault.transaction { try Self.move(amount, accounts) }
  }

  private static func move(
    _ amount: Int, _ accounts: ObjectStore<Account>, between: () throws -> Void = {}
  ) throws {
    guard var from = try accounts.find(1) else { throw ChangeOfMind() }
    from.balance -= amount
    try accounts.update(from)
    try between()
    guard var to = try accounts.find(2) else { throw ChangeOfMind() }
    to.balance += amount
    try accounts.update(to)
  }

  /// Nests a transaction that fails halfway in one that is committed or rolled back.
  private func nest() throws {
    report.nested += 1
    let isKept = Bool.random(using: &random)
    batch += 1
    let (name, batch) = (name, batch)
    do {
      try vault.transaction {
        try entries.insert(Entry(worker: name, batch: batch))
        do {
          try vault.transaction {
            try Self.move(1000, accounts) {
              try entries.insert(Entry(worker: name, batch: batch))
              throw ChangeOfMind()
            }
          }
        } catch is ChangeOfMind {}
        try Self.move(1, accounts)
        expect(try rows(of: batch) == 1, "an inner transaction left something behind")
        check(try accounts.all().map(\.balance))
        if !isKept { throw ChangeOfMind() }
      }
    } catch is ChangeOfMind {}
    if isKept { kept[batch] = 1 }
    expect(try rows(of: batch) == (isKept ? 1 : 0), "an outer transaction is not as it ended")
  }

  private func rows(of batch: Int) throws -> Int {
    try entries.where("worker == %@ && batch == %@", name, batch).count()
  }

  private func write() throws {
    batch += 1
    let count = Int.random(in: 1...30, using: &random)
    try entries.insert(contentsOf: (0..<count).map { _ in Entry(worker: name, batch: batch) })
    kept[batch] = count
    if kept.count > 20, let old = kept.keys.randomElement(using: &random) {
      let removed = try entries.where("worker == %@ && batch == %@", name, old).remove()
      expect(removed == kept[old], "a batch of \(kept[old] ?? 0) lost rows: \(removed) are left")
      kept[old] = nil
    }
  }

  /// Inserts a batch with a duplicate as its last object.
  ///
  /// None of its rows may remain.
  private func refuse() throws {
    report.refusedBatches += 1
    batch += 1
    let taken = try entries.insert(Entry(worker: name, batch: batch))
    kept[batch] = 1
    batch += 1
    do {
      try entries.insert(
        contentsOf: (0..<10).map { _ in Entry(worker: name, batch: batch) } + [taken])
      expect(false, "a duplicate was taken")
    } catch let error as VaultError where error.code == .duplicate {}
    expect(try rows(of: batch) == 0, "a refused batch left rows")
  }

  // MARK: In a task

  func stepAsync() async {
    let choice = Int.random(in: 0..<10, using: &random)
    do {
      switch choice {
      case 0..<3: try await readAsync()
      case 3..<5: try await transferAsync()
      case 5: try await onExecutor { try self.nest() }
      case 6: try await onExecutor { try self.refuse() }
      default: try await cancelOne()
      }
    } catch {
      note(error, in: "asynchronous step \(choice)")
    }
  }

  /// Runs a step on the vault's executor.
  ///
  /// The thread sanitizer recognizes this lock, but not that a task and the closure that it waits
  /// for take turns.
  private func onExecutor(_ step: @escaping @Sendable () throws -> Void) async throws {
    turn.withLock {}
    defer { turn.withLock {} }
    try await vault.transaction { try self.turn.withLock { try step() } }
  }

  private func readAsync() async throws {
    report.reads += 1
    let balances: [Int]
    switch Int.random(in: 0..<3, using: &random) {
    case 0: balances = try await accounts.all().map(\.balance)
    case 1:
      let accounts = accounts
      balances = try await vault.read {
        [try accounts.find(1)?.balance ?? 0, try accounts.find(2)?.balance ?? 0]
      }
    default:
      balances = try await accounts.where("balance > -1000000000").all().map(\.balance)
    }
    check(balances)
  }

  private func transferAsync() async throws {
    report.transfers += 1
    let amount = Int.random(in: -50...50, using: &random)
    let accounts = accounts
    try await vault.transaction { try Self.move(amount, accounts) }
  }

  /// Cancels an operation at a random moment, and checks that all or none of its rows are stored.
  private func cancelOne() async throws {
    batch += 1
    let (name, batch, accounts, entries, vault) = (name, batch, accounts, entries, vault)
    let count = Int.random(in: 20...600, using: &random)
    let rows = (0..<count).map { _ in Entry(worker: name, batch: batch) }
    let operation: Task<Void, any Error>
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      operation = Task { try await entries.insert(contentsOf: rows) }
    case 1:
      operation = Task {
        try await vault.transaction {
          try Self.move(7, accounts) { for row in rows { try entries.insert(row) } }
        }
      }
    default:
      operation = Task {
        try await vault.transaction {
          try entries.insert(contentsOf: rows)
          // A failure that is ignored inside must not prevent the cancellation of the transaction.
          try? Self.move(9, accounts) { _ = try entries.where("batch > 5").count() }
          try Self.move(-9, accounts)
        }
      }
    }
    for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
    operation.cancel()
    let expected: Int
    do {
      try await operation.value
      expected = count
      report.tooLate += 1
    } catch let error as VaultError where error.code == .cancelled {
      expected = 0
      report.cancellations += 1
    }
    let mine = entries.where("worker == %@ && batch == %@", name, batch)
    let found = try await mine.count()
    expect(found == expected, "a cancelled operation kept \(found) of \(count) rows")
    if found > 0 { _ = try await vault.transaction { try mine.remove() } }
  }

  // MARK: At the end

  /// Checks that all committed rows of this worker are stored, and no others.
  func finish() {
    do {
      for (batch, count) in kept {
        let found = try rows(of: batch)
        expect(found == count, "batch \(batch) has \(found) rows instead of \(count)")
      }
      let all = try entries.where("worker == %@", name).count()
      expect(all == kept.values.reduce(0, +), "\(all) rows are there at the end")
    } catch {
      note(error, in: "the last look")
    }
  }
}
