public import Foundation
import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

extension Vault {
  /// The number of changes that one transaction of a pruning removes.
  private static let pruningBatch: Int64 = 10_000

  /// Removes the changes before the first one that is not older than a date.
  ///
  /// A change whose time is more than a day after the present time does not count as such: the clock
  /// of its computer was wrong.
  ///
  /// The changes are removed in batches with a transaction each, so that other threads can write in
  /// between. Positions before the removed changes become invalid.
  ///
  /// - Parameter date: The date.
  /// - Returns: The number of removed changes.
  /// - Throws: ``VaultError`` `.readOnly` if the vault is read-only.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func pruneHistory(olderThan date: Date) throws -> Int {
    let seconds = date.timeIntervalSince1970
    guard !seconds.isNaN else {
      throw VaultError(.invalidArgument, "The date is not a number. Pass a valid date.")
    }
    let latest = Date().timeIntervalSince1970 + 86_400
    return try pruneHistory(
      before: "SELECT coalesce((SELECT \"sequence\" FROM \(ChangeHistory.table) "
        + "WHERE \"time\" >= ?1 AND \"time\" <= ?2 ORDER BY \"sequence\" LIMIT 1), "
        + "(SELECT max(\"sequence\") + 1 FROM \(ChangeHistory.table) WHERE \"time\" < ?1), 0)"
    ) {
      $0.bind(real: seconds, at: 0)
      $0.bind(real: latest, at: 1)
    }
  }

  /// Removes the oldest changes and retains a number of the latest ones.
  ///
  /// The changes are removed in batches as by ``pruneHistory(olderThan:)``.
  ///
  /// - Parameter count: The number of changes to retain.
  /// - Returns: The number of removed changes.
  /// - Throws: ``VaultError``: `.invalidArgument` for a negative number, `.readOnly` if the vault
  ///   is read-only.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func pruneHistory(keeping count: Int) throws -> Int {
    guard count >= 0 else {
      throw VaultError(.invalidArgument, "The number of changes to retain must not be negative.")
    }
    return try pruneHistory(
      before: "SELECT \"sequence\" + 1 FROM \(ChangeHistory.table) ORDER BY \"sequence\" DESC "
        + "LIMIT 1 OFFSET ?1"
    ) { $0.bind(integer: Int64(count), at: 0) }
  }

  /// Prunes the history of the vault that was just opened by its configuration; logs a failure.
  func pruneHistoryAfterOpening() {
    guard let limit = configuration.historyLimit else { return }
    removeAfterOpening("old changes") {
      switch limit {
      case .newest(let count): try pruneHistory(keeping: count)
      case .age(let age):
        try pruneHistory(olderThan: Date(timeIntervalSinceNow: -(age / .seconds(1))))
      }
    }
  }

  /// Removes the changes before the one that a statement selects.
  ///
  /// - Parameters:
  ///   - select: The statement; it selects the number of the first change to retain, or nothing to
  ///     retain all.
  ///   - bind: Binds the parameters of the statement.
  /// - Returns: The number of removed changes.
  /// - Throws: The errors of the statements.
  private func pruneHistory(
    before select: String, _ bind: (Binder) -> Void
  ) throws -> Int {
    let file = try file()
    // A read waits for no writer.
    let (first, limit) = try file.read { session -> (Int64, Int64) in
      guard try Schema(on: session).hasTable(ChangeHistory.table) else { return (0, 0) }
      let limit = try session.with(select) {
        bind($0.binder)
        return try $0.step() ? $0.row.integer(at: 0) : 0
      }
      let first = try session.with("SELECT min(\"sequence\") FROM \(ChangeHistory.table)") {
        try $0.step() ? $0.row.integer(at: 0) : 0
      }
      return (first, limit)
    }
    guard first < limit else { return 0 }
    var removed = 0
    var count = 0
    repeat {
      count = try file.transaction { session in
        try session.with(
          "DELETE FROM \(ChangeHistory.table) WHERE \"sequence\" < ?1 AND \"sequence\" < "
            + "(SELECT min(\"sequence\") FROM \(ChangeHistory.table)) + \(Self.pruningBatch)"
        ) {
          $0.binder.bind(integer: limit, at: 0)
          try $0.run()
          return session.connection.changes
        }
      }
      removed += count
    } while count > 0
    return removed
  }
}
