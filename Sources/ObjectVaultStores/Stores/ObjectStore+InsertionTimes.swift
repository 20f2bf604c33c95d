public import Foundation
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension ObjectStore {
  /// Removes every object that was last inserted before a date, with cascading removals.
  ///
  /// ``insert(_:owned:)->T`` and ``replace(_:owned:)`` set the insertion time, and so does
  /// ``save(_:owned:)->T`` for a new object. Updates leave it unchanged. The class enables it
  /// with ``TableOptions/keepsInsertionTime``. An object that another program inserted has no
  /// insertion time and stays.
  ///
  /// - Parameter date: The limit, to the millisecond; objects inserted within the same millisecond
  ///   stay.
  /// - Returns: The number of objects that matched.
  /// - Throws: ``VaultError``: `.invalidArgument` if the class does not store insertion times;
  ///   otherwise as ``remove(_:)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func removeAll(insertedBefore date: Date) throws -> Int {
    try checkInsertionTime()
    let limit = (date.timeIntervalSince1970 * 1000).rounded(.down) / 1000
    guard !limit.isNaN else {
      throw VaultError(.invalidArgument, "The date is not a number. Pass a valid date.")
    }
    let condition =
      "\(sql.table).\(InsertionTime.quotedColumn) < ?1" + (partition?.clause(from: 2) ?? "")
    func bindLimits(to binder: Binder) {
      binder.bind(real: limit, at: 0)
      partition?.bind(to: binder, at: 1)
    }
    return try removing { session in
      try session.with("DELETE FROM \(sql.table) WHERE \(condition)") { statement in
        bindLimits(to: statement.binder)
        try statement.run()
      }
      return session.connection.changes
    } planned: { removal, _ in
      try removal.add(
        "SELECT \(removal.seedColumns) FROM \(sql.table) WHERE \(condition)"
      ) { bindLimits(to: $0.binder) }
    }
  }

  /// Returns the time of the last insertion of the object stored under an object ID.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: The time; `nil` if the object is missing or another program inserted it.
  /// - Throws: ``VaultError``: `.invalidArgument` if the class does not store insertion times;
  ///   otherwise as ``find(_:)-(T.ObjectIDType)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func insertionDate(of id: T.ObjectIDType) throws -> Date? {
    try checkInsertionTime()
    return try read { session in
      try session.with(
        "SELECT \(InsertionTime.quotedColumn) FROM \(sql.table) WHERE \(sql.hasObjectID)"
      ) { statement in
        try bind(id, to: statement)
        guard try statement.step(), !statement.row.isNull(at: 0) else { return nil }
        return Date(timeIntervalSince1970: statement.row.real(at: 0))
      }
    }
  }

  /// Sets the insertion time of an object that was inserted again but stayed in its row.
  func renewInsertionTime(of object: T, on session: Session) throws {
    guard state.description.options.keepsInsertionTime else { return }
    let id = try objectID(of: object)
    try session.with(
      sql.dialect.update(
        sql.table, ["\(InsertionTime.quotedColumn) = \(sql.dialect.now)"], isUndone: false)
        + " WHERE \(sql.hasObjectID)"
    ) { statement in
      try bind(id, to: statement)
      try statement.run()
    }
  }

  private func checkInsertionTime() throws(VaultError) {
    guard !state.description.options.keepsInsertionTime else { return }
    throw VaultError(
      .invalidArgument,
      "Class '\(classDescription.name)' does not store the insertion time of its objects. Set its "
        + "option `insertionTime`.")
  }
}
