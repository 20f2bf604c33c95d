public import Foundation
import ObjectVaultCondition
import ObjectVaultEngine

extension ObjectStore {
  /// Removes every object that was last inserted before a date, with all that must go with them.
  ///
  /// ``insert(_:owned:)-(T,_)`` and ``replace(_:owned:)`` set the time, and so does ``save(_:owned:)-(T,_)``
  /// for an object that was not stored; updates leave it as it is. The class asks for that by
  /// ``TableOptions/keepsInsertionTime``. An object that another program inserted has none, and stays.
  ///
  /// - Parameter date: To the millisecond; what was inserted within the same one stays.
  /// - Returns: How many there were.
  /// - Throws: ``VaultError``: `.invalidArgument` where the class does not keep the time; otherwise as
  ///   ``remove(_:)``.
  @discardableResult
  public func removeAll(insertedBefore date: Date) throws -> Int {
    try checkInsertionTime()
    let limit = (date.timeIntervalSince1970 * 1000).rounded(.down) / 1000
    guard !limit.isNaN else {
      throw VaultError(.invalidArgument, "The date is none: it is not a number. Give another.")
    }
    let condition =
      "\(sql.table).\(InsertionTime.quotedColumn) < ?1" + (partition?.clause(from: 2) ?? "")
    func bindLimits(to binder: Binder) {
      binder.bind(real: limit, at: 0)
      partition?.bind(to: binder, at: 1)
    }
    return try removing { connection in
      try connection.with("DELETE FROM \(sql.table) WHERE \(condition)") { statement in
        bindLimits(to: statement.binder)
        try statement.run()
      }
      return connection.engine.changes
    } planned: { removal, _ in
      try removal.add(
        "SELECT \(removal.seedColumns) FROM \(sql.table) WHERE \(condition)"
      ) { bindLimits(to: $0.binder) }
    }
  }

  /// When the object stored under an objectID was last inserted.
  ///
  /// - Returns: `nil` where nothing is stored under it, or another program inserted it.
  /// - Throws: ``VaultError``: `.invalidArgument` where the class does not keep the time; otherwise as
  ///   ``find(_:)-(T.ObjectIDType)``.
  public func insertionDate(of id: T.ObjectIDType) throws -> Date? {
    try checkInsertionTime()
    return try read { connection in
      try connection.with(
        "SELECT \(InsertionTime.quotedColumn) FROM \(sql.table) WHERE \(sql.hasObjectID)"
      ) { statement in
        try bind(id, to: statement)
        guard try statement.step(), !statement.row.isNull(at: 0) else { return nil }
        return Date(timeIntervalSince1970: statement.row.real(at: 0))
      }
    }
  }

  /// Notes that an object which stayed in its row was inserted anew.
  func renewInsertionTime(of object: T, on connection: VaultConnection) throws {
    guard state.description.options.keepsInsertionTime else { return }
    let id = try objectID(of: object)
    try connection.with(
      "UPDATE OR FAIL \(sql.table) SET \(InsertionTime.quotedColumn) = \(InsertionTime.now) "
        + "WHERE \(sql.hasObjectID)"
    ) { statement in
      try bind(id, to: statement)
      try statement.run()
    }
  }

  private func checkInsertionTime() throws(VaultError) {
    guard !state.description.options.keepsInsertionTime else { return }
    throw VaultError(
      .invalidArgument,
      "Class '\(classDescription.name)' does not keep when its objects were inserted. Have it do so "
        + "by its option `insertionTime`.")
  }
}

extension ObjectStore where T: Sendable {
  /// Removes every object that was last inserted before a date, without blocking the caller's thread;
  /// see ``removeAll(insertedBefore:)-(Date)->Int``.
  @discardableResult
  public func removeAll(insertedBefore date: Date) async throws -> Int {
    try await writing { try removeAll(insertedBefore: date) }
  }
}
