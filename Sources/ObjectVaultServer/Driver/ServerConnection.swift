internal import CPostgreSQL
import Foundation
import ObjectVaultCondition
import ObjectVaultDriver

/// A connection to a PostgreSQL server.
///
/// One thread at a time uses it. It connects again if the server is lost while no transaction is
/// open: its statements are then prepared again.
final class ServerConnection: DriverConnection, @unchecked Sendable {
  // Only one owner uses a connection and its statements at a time.

  /// The use of a connection.
  enum Role {
    /// Transactions that write, on the primary.
    case writing
    /// Reads outside of those, on the server that the configuration prefers.
    case reading
  }

  /// The connection of the client library.
  private(set) var link: ServerLink
  let route: ServerRoute
  private let role: Role
  /// The number of links before this one. Statements were prepared for one of them.
  private(set) var generation = 0
  /// The position of the log that the replica has reached.
  var replayed: Int64 = 0
  /// The time at which a replica is tried again.
  var nextReplica = ContinuousClock.now + primaryTime
  /// The time for which the primary answers in place of a replica that could not.
  private static let primaryTime = Duration.seconds(10)
  let record = TableRecord()
  let catalog: any Catalog = PostgreSQLCatalog()
  private var cache = StatementCache(capacity: 200)
  private var statements: [ObjectIdentifier: Unmanaged<Statement>] = [:]
  private var lastName = 0
  /// The prepared statements that no one uses any more.
  private var forgotten: [String] = []
  /// Whether all prepared statements must be released.
  private var mustReleaseAll = false
  private var isCancelled: (() -> Bool)?
  private(set) var changes = 0
  private(set) var totalChanges = 0
  private(set) var lastInsertRowID: Int64 = 0
  private(set) var compiledWriteCount = 0
  private var isClosed = false

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - route: The way to the servers.
  ///   - role: The use of the connection.
  /// - Throws: ``DriverError`` `.cannotOpen` if no server accepts the connection.
  init(by route: ServerRoute, for role: Role) throws(DriverError) {
    self.route = route
    self.role = role
    link = try route.connect(
      preferringReplicas: role == .reading && route.readPreference == .replica)
  }

  deinit {
    for statement in statements.values { statement.takeUnretainedValue().invalidate() }
  }

  /// Whether a replica is preferred to the primary.
  var prefersReplicas: Bool { role == .reading && route.readPreference == .replica }

  /// Connects again, outside of transactions.
  ///
  /// - Parameter replica: Whether a replica is preferred to the primary.
  /// - Throws: ``DriverError`` as ``ServerRoute/connect(preferringReplicas:)``. The former connection
  ///   remains then.
  func reconnect(preferringReplicas replica: Bool) throws(DriverError) {
    link = try route.connect(preferringReplicas: replica)
    generation += 1
    forgotten = []
    mustReleaseAll = false
    replayed = 0
    nextReplica = .now + Self.primaryTime
  }

  // MARK: Statements

  func prepare(_ sql: String, persistent isPersistent: Bool) throws(DriverError) -> Statement {
    guard !sql.utf8.contains(0) else {
      throw DriverError(.misuse, "The SQL text contains a NUL character. Remove it.")
    }
    let text = ParameterText(sql)
    let writes = text.writes
    if writes { compiledWriteCount += 1 }
    let names = text.quotedNames.sorted()
    return Statement(
      ServerStatement(sql, text, on: self), owner: self, reading: names,
      writing: writes ? names : [])
  }

  func statement(_ sql: StatementText) throws(DriverError) -> Statement {
    switch cache.find(sql) {
    case .free(let statement): return statement
    case .inUse: return try prepare(sql.text, persistent: false)
    case .nothing:
      let statement = try prepare(sql.text, persistent: true)
      cache.keep(statement, for: sql)
      return statement
    }
  }

  func execute(_ sql: String) throws(DriverError) { try prepare(sql, persistent: false).run() }

  func prepareScreened(_ sql: String) throws(DriverError) -> ScreenedStatement {
    throw DriverError(
      .notAuthorized,
      "SQL of the application is not supported on a server. Use a query of a store.")
  }

  func notingReadColumns<R>(
    _ note: @escaping (String) -> Void, _ body: () throws -> R
  ) rethrows -> R { try body() }

  func addFunction(
    _ name: String, arguments: Int, _ body: @escaping ([StoredValue]) throws -> StoredValue
  ) throws(DriverError) {
    throw DriverError(
      .notAuthorized, "Functions of the program cannot be called in statements of a server.")
  }

  func removeFunction(_ name: String, arguments: Int) {}

  var engineVersion: Int { link.version }

  func hasSearchModule(_ name: String) -> Bool { false }

  func setting(_ name: String) throws(DriverError) -> String? { nil }

  func set(
    _ name: String, to value: String, expecting expected: String
  ) throws(DriverError) {
    // The mark of a file; a server has the tables of the library instead.
    if name == "application_id" { return }
    throw DriverError(
      .settingNotApplied(Self.rebuilding), "A server does not have the setting '\(name)'.")
  }

  /// The setting that SQLite needs to rebuild a table.
  static let rebuilding = "foreign_keys"

  // MARK: Running

  /// Performs a statement, in a savepoint if it writes inside a transaction.
  ///
  /// An error ends a transaction of PostgreSQL; in a savepoint it undoes the statement alone. A
  /// statement outside of transactions that writes nothing runs again if the server was lost, or if
  /// a replica cannot answer.
  func perform(
    _ text: ParameterText, _ body: () throws(DriverError) -> ServerResult
  ) throws(DriverError) -> ServerResult {
    if text.commits { return try noting(text, committing(body)) }
    if link.isIdle, !text.writes, !text.definesSchema {
      do throws(DriverError) {
        return try body()
      } catch {
        guard try isReadyAgain(after: error) else { throw error }
        return try body()
      }
    }
    guard text.writes, link.isInTransaction else { return try noting(text, body()) }
    try command("SAVEPOINT ov_statement")
    do throws(DriverError) {
      let result = try body()
      try command("RELEASE ov_statement")
      return try noting(text, result)
    } catch {
      if !link.isBroken {
        try? command("ROLLBACK TO ov_statement")
        try? command("RELEASE ov_statement")
      }
      throw error
    }
  }

  /// Calls `body`, which commits, and gives an unknown outcome its own error.
  private func committing(
    _ body: () throws(DriverError) -> ServerResult
  ) throws(DriverError) -> ServerResult {
    link.expectReplicas()
    do throws(DriverError) {
      let result = try body()
      if link.didNotReachReplicas { throw Self.notReplicated }
      return result
    } catch {
      guard link.isBroken else { throw error }
      throw DriverError(
        .inputOutput,
        "The connection to the server was lost during a commit. Whether the transaction was stored is "
          + "unknown. Look at the objects before you run it again.",
        resultCode: SQLState.commitUnknown)
    }
  }

  /// The error of a commit that the server stored alone, which reports success.
  private static var notReplicated: DriverError {
    DriverError(
      .inputOutput,
      "The server stored the transaction, but stopped waiting for its replicas. It is lost if the "
        + "server fails before they have it. Look at the objects before you run it again.",
      resultCode: SQLState.commitUnknown)
  }

  private func noting(
    _ text: ParameterText, _ result: ServerResult
  ) throws(DriverError) -> ServerResult {
    if text.commits, result.command == "ROLLBACK" {
      throw DriverError(
        .aborted, "The server rolled the transaction back, because a statement in it had failed.")
    }
    if text.writes {
      changes = result.changedCount
      totalChanges += changes
      if text.inserts, result.rowCount > 0 {
        result.position = result.rowCount - 1
        if case .integer(let number) = result.value(at: 0) { lastInsertRowID = number }
        // The program did not ask for these rows.
        result.position = result.rowCount
      }
    } else if text.definesSchema {
      try command(
        "UPDATE objectvault_schema_changes SET number = number + 1")
      schemaChanged()
    }
    return result
  }

  /// Runs a command without values and rows.
  private func command(_ sql: String) throws(DriverError) { _ = try ended { PQsendQuery($0, sql) } }

  /// Runs a prepared statement.
  func run(_ name: String, _ values: [BoundValue]) throws(DriverError) -> ServerResult {
    let bytes = values.map(\.serverBytes)
    let lengths = bytes.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    return try ended { server in
      Self.withPointers(to: bytes) { pointers in
        PQsendQueryPrepared(
          server, name, Int32(values.count), pointers, lengths, formats, 1)
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
      PQsendQueryParams(
        server, "SELECT (\(function) - '0/0'::pg_lsn)::bigint", 0, nil, nil, nil, nil, 1)
    }
    result.position = 0
    guard case .integer(let position) = result.value(at: 0) else { return 0 }
    return position
  }

  /// Calls `body` with pointers to the bytes of values.
  private static func withPointers<R>(
    to values: [[UInt8]?], _ body: ([UnsafePointer<CChar>?]) -> R
  ) -> R {
    // One buffer with all bytes, so that no pointer outlives its array. A value without bytes needs
    // an address, too: nil would be NULL.
    var all: [UInt8] = [0]
    var starts: [Int?] = []
    for value in values {
      starts.append(value == nil ? nil : all.count - 1)
      if let value {
        all.removeLast()
        all += value
        all.append(0)
      }
    }
    return all.withUnsafeBytes { buffer in
      let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return body(starts.map { start in start.flatMap { base?.advanced(by: $0) } })
    }
  }

  /// Prepares a statement on the server.
  ///
  /// - Parameters:
  ///   - sql: The text.
  ///   - types: The types of its parameters.
  /// - Returns: The name of the prepared statement.
  /// - Throws: ``DriverError`` if the server rejects the text.
  func prepare(_ sql: String, _ types: [UInt32]) throws(DriverError) -> String {
    try releaseForgotten()
    lastName += 1
    let name = "ov_\(lastName)"
    _ = try ended { PQsendPrepare($0, name, sql, Int32(types.count), types) }
    return name
  }

  /// Returns the names of the columns of a prepared statement.
  func columns(of name: String) throws(DriverError) -> [String] {
    try ended { PQsendDescribePrepared($0, name) }.names
  }

  /// Releases prepared statements when the connection is next used for preparing one.
  ///
  /// - Parameters:
  ///   - names: Their names.
  ///   - generation: The ``generation`` of the connection that prepared them.
  func forget(_ names: [String], _ generation: Int) {
    if generation == self.generation { forgotten += names }
  }

  /// Makes all statements prepare again: the server refuses to run those whose columns have another
  /// type now, which would end the transaction.
  func schemaChanged() {
    generation += 1
    forgotten = []
    mustReleaseAll = true
  }

  private func releaseForgotten() throws(DriverError) {
    guard !link.isInFailedTransaction else { return }
    if mustReleaseAll {
      mustReleaseAll = false
      // A failed transaction may have prepared its rollback since.
      generation += 1
      return try command("DEALLOCATE ALL")
    }
    guard !forgotten.isEmpty else { return }
    let names = forgotten
    forgotten = []
    for name in names { try command("DEALLOCATE \(name)") }
  }

  /// Sends something and waits for its end.
  ///
  /// - Parameter send: Sends it, and returns 1 if it succeeded.
  /// - Returns: The last result.
  /// - Throws: ``DriverError`` as ``ServerLink/perform(until:isCancelled:_:)``.
  private func ended(_ send: (OpaquePointer?) -> CInt) throws(DriverError) -> ServerResult {
    if isClosed { throw DriverError(.misuse, "The connection was used after it was closed.") }
    do throws(DriverError) {
      return try link.perform(
        until: .now + route.timeLimit, isCancelled: isCancelled, send)
    } catch {
      if link.isBroken { route.noteLoss(of: link) }
      // The primary has become a replica. It does not become one again.
      if error.resultCode == SQLState.readOnlyTransaction, role == .writing {
        link.giveUp()
        route.noteLoss(of: link)
        var lost = error
        lost.resultCode = SQLState.connectionLost
        throw lost
      }
      throw error
    }
  }

  // MARK: State

  /// Whether an error ended the transaction, so that only a rollback is possible.
  var isInFailedTransaction: Bool { link.isInFailedTransaction }

  var isInTransaction: Bool { !link.isBroken && !link.isIdle }

  var hasMetDamage: Bool { link.isBroken }

  /// References are checked by each statement, so there are never violations left.
  var deferredForeignKeyViolations: Int { 0 }

  var dataVersion: Int64 {
    get throws(DriverError) {
      try position(link.isReplica ? "pg_last_wal_replay_lsn()" : "pg_current_wal_lsn()")
    }
  }

  func setProgress(every steps: Int32, _ isCancelled: (() -> Bool)?) {
    self.isCancelled = isCancelled
  }

  func statementWasMade(_ statement: Statement) {
    statements[ObjectIdentifier(statement)] = Unmanaged.passUnretained(statement)
  }

  func statementWillGo(_ statement: Statement) {
    statements[ObjectIdentifier(statement)] = nil
  }

  func failure(_ code: Int32, moment: DriverError.Moment) -> DriverError {
    DriverError(.misuse, "The statement was used in a wrong state.", resultCode: code)
  }

  func close() throws(DriverError) {
    for statement in statements.values { statement.takeUnretainedValue().invalidate() }
    statements.removeAll()
    cache.removeAll()
    isClosed = true
    link.giveUp()
  }
}
