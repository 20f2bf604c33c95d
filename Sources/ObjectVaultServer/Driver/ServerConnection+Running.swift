internal import CPostgreSQL
import Foundation
import ObjectVaultCondition
import ObjectVaultDriver

// Running statements with as few round trips as possible.

extension ServerConnection {
  /// Performs a statement, in a savepoint if it writes or changes the schema inside a transaction.
  ///
  /// An error ends a transaction of PostgreSQL; in a savepoint it undoes the statement alone. A
  /// statement outside of transactions that writes nothing runs again if the server was lost, or if
  /// a replica cannot answer.
  ///
  /// - Parameters:
  ///   - text: The statement.
  ///   - body: Sends it, with the commands that it is passed.
  /// - Returns: Its result.
  /// - Throws: ``DriverError`` of the server, or of the connection.
  func perform(
    _ text: ParameterText, _ body: (_ after: [String]) throws(DriverError) -> ServerResult
  ) throws(DriverError) -> ServerResult {
    if isReadScope, link.isBroken { throw link.lost() }
    guard isInTransaction else {
      guard link.isIdle, !text.writes, !text.definesSchema else {
        return try noting(text, body([]))
      }
      do throws(DriverError) {
        return try body([])
      } catch {
        guard try isReadyAgain(after: error) else { throw error }
        return try body([])
      }
    }
    guard text.writes || text.definesSchema else { return try noting(text, body([])) }
    return try noting(text, undoingFailure(of: text, body))
  }

  /// Calls `body`, which sends a statement that changes something, and undoes the statement if it
  /// fails.
  private func undoingFailure<R>(
    of text: ParameterText, _ body: (_ after: [String]) throws(DriverError) -> R
  ) throws(DriverError) -> R {
    if hasCommitted {
      throw DriverError(.misuse, "A statement was run after the transaction was committed.")
    }
    if link.isIdle {
      // The transaction has done nothing yet. It begins again after a failure.
      let begun = pending
      if commitsAtOnce, text.table != nil {
        do throws(DriverError) {
          return try committingAtOnce(body)
        } catch {
          guard error.resultCode == SQLState.noFunction, !link.isBroken else { throw error }
          // The schema changed. The store compares the class with it before the commit.
          noteMissingGuard()
        }
      }
      do throws(DriverError) {
        return try body([])
      } catch {
        if !link.isBroken {
          if !link.isIdle { try command("ROLLBACK") }
          pending = begun
        }
        throw error
      }
    }
    pending.append("SAVEPOINT ov_statement")
    do throws(DriverError) {
      return try body(["RELEASE ov_statement"])
    } catch {
      pending = []
      if !link.isBroken, (try? command("ROLLBACK TO ov_statement")) != nil {
        pending = ["RELEASE ov_statement"]
      }
      throw error
    }
  }

  func noting(
    _ text: ParameterText, _ result: ServerResult
  ) throws(DriverError) -> ServerResult {
    if text.commits, result.command == "ROLLBACK" {
      throw DriverError(
        .aborted, "The server rolled the transaction back, because a statement in it had failed.")
    }
    if text.writes {
      changes = result.changedCount
      totalChanges &+= changes
      if changes > 0 { hasChanges = true }
      if text.inserts, result.rowCount > 0 {
        result.position = result.rowCount - 1
        if case .integer(let number) = result.value(at: 0) { lastInsertRowID = number }
        // The program did not ask for these rows.
        result.position = result.rowCount
      }
    } else if text.definesSchema {
      try beginSchemaVersion()
    }
    return result
  }

  // MARK: Sending

  /// Runs a command without values and rows.
  @discardableResult
  func command(_ sql: String) throws(DriverError) -> ServerResult {
    let isAlone = pending.isEmpty
    return try ended { server in
      // The other form cannot be part of a pipeline.
      isAlone
        ? PQsendQuery(server, sql) : PQsendQueryParams(server, sql, 0, nil, nil, nil, nil, 1)
    }
  }

  /// A statement that the server prepares.
  final class Prepared {
    let name: String
    /// The text, until the server has prepared the statement.
    var sql: String?
    let types: [UInt32]
    /// Whether it fails after a change of the schema.
    let isGuarded: Bool

    init(name: String, sql: String, types: [UInt32], isGuarded: Bool = false) {
      (self.name, self.sql, self.types) = (name, sql, types)
      self.isGuarded = isGuarded
    }
  }

  /// Checks that a server accepts the values of a row, which are sent in one message.
  ///
  /// It accepts less than 1 GiB, which is also the limit of a value (PostgreSQL's documentation,
  /// "PostgreSQL Limits").
  static func checkSize(of values: [BoundValue]) throws(DriverError) {
    var count = 0
    for value in values { count += value.byteCount }
    guard count >= 1 << 30 else { return }
    throw DriverError(
      .tooBig,
      "The values of an object have 1 GiB or more together, which a PostgreSQL server cannot store. "
        + "Divide the object.")
  }

  /// Checks that texts have no NUL character, for which a server would end the transaction.
  static func checkText(of values: [BoundValue]) throws(DriverError) {
    for case .text(let bytes) in values where bytes.contains(0) {
      throw DriverError(
        .mismatch, "A server cannot store a text with a NUL character. Remove it.",
        resultCode: SQLState.untranslatable)
    }
  }

  /// Runs a prepared statement, which is prepared with its first run.
  ///
  /// - Parameters:
  ///   - prepared: The statement.
  ///   - values: The values of its parameters.
  ///   - after: Commands to send after it.
  ///   - didPrepare: Called if the server has prepared the statement.
  /// - Returns: The result.
  /// - Throws: ``DriverError`` as ``ServerLink/perform(_:until:isCancelled:_:)``.
  func run(
    _ prepared: Prepared, _ values: [BoundValue], _ after: [String] = [], didPrepare: () -> Void
  ) throws(DriverError) -> ServerResult {
    if prepared.sql == nil, after.isEmpty {
      return try ended { parameters.send(prepared.name, values, to: $0) }
    }
    var request = ServerLink.Request(after: after)
    guard let sql = prepared.sql else {
      return try ended(&request) { parameters.send(prepared.name, values, to: $0) }[0]
    }
    request.count = 2
    defer { if link.succeededCount > 0 { didPrepare() } }
    return try ended(&request) { server in
      let types = prepared.types
      guard PQsendPrepare(server, prepared.name, sql, Int32(types.count), types) == 1 else {
        return 0
      }
      return parameters.send(prepared.name, values, to: server)
    }[1]
  }

  /// Sends a statement that the server has prepared, whose rows are read while they arrive.
  ///
  /// - Parameters:
  ///   - prepared: The statement.
  ///   - values: The values of its parameters.
  /// - Returns: The stream of the rows; `nil` if other commands must be sent with the statement.
  /// - Throws: ``DriverError`` for a lost connection.
  func stream(
    _ prepared: Prepared, _ values: [BoundValue]
  ) throws(DriverError) -> ServerStream? {
    guard pending.isEmpty else { return nil }
    // Each batch of an iteration has its own cancellation.
    let isCancelled = { [unowned self] in self.isCancelled?() == true }
    return try watchingLoss { () throws(DriverError) in
      try link.stream(within: route.timeLimit, isCancelled: isCancelled) {
        parameters.send(prepared.name, values, to: $0)
      }
    }
  }

  /// Returns a position of the log, in bytes.
  ///
  /// - Parameter function: The call of the server that returns it.
  /// - Returns: The position.
  /// - Throws: ``DriverError`` as for any statement.
  func position(_ function: String) throws(DriverError) -> Int64 {
    let result = try ended { server in
      PQsendQueryParams(server, Self.query(of: function), 0, nil, nil, nil, nil, 1)
    }
    result.position = 0
    guard case .integer(let position) = result.value(at: 0) else { return 0 }
    return position
  }

  /// Returns the query of a position of the log, in bytes.
  static func query(of position: String) -> String {
    "SELECT (\(position) - '0/0'::pg_lsn)::bigint"
  }

  /// Sends one message with the pending commands, and waits for the answer.
  ///
  /// - Parameters:
  ///   - beginsCopy: Whether it begins a `COPY` from the client. No commands may be pending then.
  ///   - send: Sends the message, and returns 1 if it succeeded.
  /// - Returns: The result.
  /// - Throws: ``DriverError`` as ``ServerLink/perform(_:until:isCancelled:_:)``.
  func ended(
    beginningCopy beginsCopy: Bool = false, _ send: (OpaquePointer?) -> CInt
  ) throws(DriverError) -> ServerResult {
    if pending.isEmpty {
      return try watchingLoss { () throws(DriverError) in
        try link.performAlone(
          beginningCopy: beginsCopy, until: .now + route.timeLimit, isCancelled: isCancelled, send)
      }
    }
    var request = ServerLink.Request()
    return try ended(&request, send)[0]
  }

  /// Sends messages with the pending commands, and waits for the answers.
  ///
  /// - Parameters:
  ///   - request: The commands to send with them. The pending ones are added.
  ///   - send: Sends the messages, and returns 1 if it succeeded.
  /// - Returns: The result of each message.
  /// - Throws: ``DriverError`` as ``ServerLink/perform(_:until:isCancelled:_:)``.
  func ended(
    _ request: inout ServerLink.Request, _ send: (OpaquePointer?) -> CInt
  ) throws(DriverError) -> [ServerResult] {
    request.before = pending
    pending = []
    return try watchingLoss { () throws(DriverError) in
      try link.perform(request, until: .now + route.timeLimit, isCancelled: isCancelled, send)
    }
  }

  /// Calls `body`, which uses the link, and records the loss of the server.
  func watchingLoss<R>(_ body: () throws(DriverError) -> R) throws(DriverError) -> R {
    if isClosed { throw DriverError(.misuse, "The connection was used after it was closed.") }
    do throws(DriverError) {
      return try body()
    } catch {
      if link.isBroken { route.noteLoss(of: link) }
      // The primary has become a replica. It does not become one again.
      if error.resultCode == SQLState.readOnlyTransaction, role != .reading {
        link.giveUp()
        route.noteLoss(of: link)
        var lost = error
        lost.resultCode = SQLState.connectionLost
        throw lost
      }
      throw error
    }
  }
}
