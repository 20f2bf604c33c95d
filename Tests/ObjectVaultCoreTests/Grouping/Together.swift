import Foundation
import ObjectVaultCore
import ObjectVaultSession
import TestSupport

/// A vault of notes whose writes may share commits, and a way to have them do so for certain.
struct Together: Sendable {
  let notes: Notes

  /// Creates the vault.
  ///
  /// - Parameters:
  ///   - members: The maximum number of writes that share a commit.
  ///   - window: The time to wait for more writes. It is long, so that a busy machine does not
  ///     separate writes that belong together.
  ///   - change: Changes the configuration of the vault.
  /// - Throws: An error of creating the vault.
  init(
    members: Int = 32, window: Duration = .seconds(60),
    _ change: (inout VaultConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = VaultConfiguration()
    configuration.commitGrouping = .on
    configuration.groupLimits.members = members
    configuration.groupLimits.window = window
    change(&configuration)
    notes = try Notes(configuration)
  }

  var vault: Vault { notes.vault }
  var store: ObjectStore<Note> { notes.store }

  /// How many commits `body` takes.
  func commits(_ body: () throws -> Void) throws -> Int {
    let before = try vault.commitCount()
    try body()
    return try vault.commitCount() - before
  }

  /// Runs each of `works` on a thread of its own, all of which wait to write while an empty
  /// transaction is in progress.
  ///
  /// - Returns: What became of the transaction, then of the works.
  @discardableResult
  func run(_ works: (@Sendable () throws -> Void)...) throws -> [VaultError.Code?] {
    try run(works)
  }

  @discardableResult
  func run(_ works: [@Sendable () throws -> Void]) throws -> [VaultError.Code?] {
    let gate = try vault.file().sessions.writerLock
    let (inside, leave) = (Meeting(), Meeting())
    let vault = vault
    let first = OnThread {
      code {
        try vault.transaction {
          inside.reach()
          try leave.wait()
        }
      }
    }
    try inside.wait()
    var threads: [OnThread<VaultError.Code?>] = []
    for work in works {
      threads.append(OnThread { code { try work() } })
      while gate.waiterCount < threads.count { usleep(200) }
    }
    leave.reach()
    return try [first.result()] + threads.map { try $0.result() }
  }

  /// Runs a transaction that another thread's write waits for.
  ///
  /// - Parameters:
  ///   - first: The start of the transaction.
  ///   - second: The write of the other thread.
  ///   - meanwhile: Runs while the other thread waits.
  ///   - rest: The rest of the transaction.
  /// - Returns: What became of the transaction, and of the write.
  /// - Throws: An error of `meanwhile`, or of waiting for the threads.
  func overlap(
    _ first: @escaping @Sendable () throws -> Void, _ second: @escaping @Sendable () throws -> Void,
    meanwhile: () throws -> Void = {}, rest: @escaping @Sendable () throws -> Void = {}
  ) throws -> [VaultError.Code?] {
    let vault = vault
    let (inside, leave) = (Meeting(), Meeting())
    let transaction = OnThread {
      code {
        try vault.transaction {
          try first()
          inside.reach()
          try leave.wait()
          try rest()
        }
      }
    }
    try inside.wait()
    let write = OnThread { code { try second() } }
    while try vault.file().sessions.writerLock.waiterCount == 0 { usleep(200) }
    try meanwhile()
    leave.reach()
    return try [transaction.result(), write.result()]
  }

  /// Runs SQL on the connection that writes.
  func execute(_ sql: String) throws {
    try vault.file().withWriter { try $0.execute(sql) }
  }
}
