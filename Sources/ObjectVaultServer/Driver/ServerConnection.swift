internal import CPostgreSQL
import Foundation
import ObjectVaultCondition
import ObjectVaultDriver

/// A connection to a PostgreSQL server.
///
/// One thread at a time uses it. Every call ends at its time limit, because the client library
/// would wait for ever for a server that has stopped.
final class ServerConnection: DriverConnection, @unchecked Sendable {
  // Only one owner uses a connection and its statements at a time.

  private(set) var server: OpaquePointer?
  let record = TableRecord()
  let catalog: any Catalog = PostgreSQLCatalog()
  private let timeLimit: Duration
  private var cache = StatementCache(capacity: 200)
  private var statements: [ObjectIdentifier: Unmanaged<Statement>] = [:]
  private var lastName = 0
  /// The prepared statements that no one uses any more.
  private var forgotten: [String] = []
  private var isCancelled: (() -> Bool)?
  private(set) var changes = 0
  private(set) var totalChanges = 0
  private(set) var lastInsertRowID: Int64 = 0
  private(set) var compiledWriteCount = 0
  private(set) var hasMetDamage = false

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - timeLimit: The longest time for one call.
  /// - Throws: ``DriverError`` `.cannotOpen` if the server does not accept the connection.
  init(to address: ServerAddress, timeLimit: Duration) throws(DriverError) {
    self.timeLimit = timeLimit
    server = address.connect()
    guard PQstatus(server) == CONNECTION_OK else {
      let text = PQerrorMessage(server).map { String(cString: $0) } ?? ""
      PQfinish(server)
      server = nil
      throw DriverError(
        .cannotOpen,
        "The server does not accept the connection: "
          + text.split(separator: "\n").joined(separator: " ").asSentence
          + " Check the address, the user and the server.")
    }
    // Notices can contain stored values.
    PQsetNoticeProcessor(server, { _, _ in }, nil)
    do throws(DriverError) {
      try check(address)
    } catch {
      PQfinish(server)
      server = nil
      throw error
    }
  }

  deinit {
    for statement in statements.values { statement.takeUnretainedValue().invalidate() }
    PQfinish(server)
  }

  private func check(_ address: ServerAddress) throws(DriverError) {
    func setting(_ name: String) -> String {
      PQparameterStatus(server, name).map { String(cString: $0) } ?? ""
    }
    guard PQserverVersion(server) >= 150_000 else {
      throw DriverError(
        .unsupportedEngine, "The server is older than PostgreSQL 15. Upgrade the server.")
    }
    guard setting("server_encoding") == "UTF8", setting("client_encoding") == "UTF8" else {
      throw DriverError(
        .unsupportedEngine,
        "The database has another encoding than UTF8. Create one with 'ENCODING UTF8'.")
    }
    guard setting("standard_conforming_strings") == "on" else {
      throw DriverError(
        .unsupportedEngine,
        "The server has standard_conforming_strings off. Set it to 'on' for the database.")
    }
    try execute("SET search_path TO \(SQL.quoted(address.schema)), objectvault")
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

  var engineVersion: Int { Int(PQserverVersion(server)) }

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
  /// An error ends a transaction of PostgreSQL; in a savepoint it undoes the statement alone.
  func perform(
    _ text: ParameterText, _ body: () throws(DriverError) -> ServerResult
  ) throws(DriverError) -> ServerResult {
    if text.commits { return try noting(text, committing(body)) }
    guard text.writes, PQtransactionStatus(server) == PQTRANS_INTRANS else {
      return try noting(text, body())
    }
    try command("SAVEPOINT ov_statement")
    do throws(DriverError) {
      let result = try body()
      try command("RELEASE ov_statement")
      return try noting(text, result)
    } catch {
      if PQstatus(server) == CONNECTION_OK {
        try? command("ROLLBACK TO ov_statement")
        try? command("RELEASE ov_statement")
      }
      throw error
    }
  }

  /// Calls `body`, which commits, and gives a lost connection its own error.
  private func committing(
    _ body: () throws(DriverError) -> ServerResult
  ) throws(DriverError) -> ServerResult {
    do throws(DriverError) {
      return try body()
    } catch {
      guard hasMetDamage else { throw error }
      throw DriverError(
        .inputOutput,
        "The connection to the server was lost during a commit. Whether the transaction was stored is "
          + "unknown. Look at the objects before you run it again.",
        resultCode: SQLState.commitUnknown)
    }
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
    }
    return result
  }

  /// Runs a command without values and rows.
  private func command(_ sql: String) throws(DriverError) {
    _ = try ended(PQsendQuery(server, sql))
  }

  /// Runs a prepared statement.
  func run(_ name: String, _ values: [BoundValue]) throws(DriverError) -> ServerResult {
    let bytes = values.map(\.serverBytes)
    let lengths = bytes.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    let sent = Self.withPointers(to: bytes) { pointers in
      PQsendQueryPrepared(
        server, name, Int32(values.count), pointers, lengths, formats, 1)
    }
    return try ended(sent)
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
    _ = try ended(PQsendPrepare(server, name, sql, Int32(types.count), types))
    return name
  }

  /// Returns the names of the columns of a prepared statement.
  func columns(of name: String) throws(DriverError) -> [String] {
    try ended(PQsendDescribePrepared(server, name)).names
  }

  /// Releases prepared statements when the connection is next used for preparing one.
  func forget(_ names: [String]) { forgotten += names }

  private func releaseForgotten() throws(DriverError) {
    guard !forgotten.isEmpty, PQtransactionStatus(server) != PQTRANS_INERROR else { return }
    let names = forgotten
    forgotten = []
    for name in names { try command("DEALLOCATE \(name)") }
  }

  /// Waits for the end of what was sent.
  ///
  /// - Parameter sent: The result of the function that sent it.
  /// - Returns: The last result.
  /// - Throws: ``DriverError`` for an error of the server, a lost connection, the end of the time
  ///   limit, and `.interrupted` after a cancellation.
  private func ended(_ sent: CInt) throws(DriverError) -> ServerResult {
    guard server != nil else {
      throw DriverError(.misuse, "The connection was used after it was closed.")
    }
    guard sent == 1 else { throw lost() }
    var last: ServerResult?
    var failure: DriverError?
    let deadline = ContinuousClock.now + timeLimit
    while true {
      try waitForInput(until: deadline)
      guard let result = PQgetResult(server) else { break }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: last = ServerResult(result)
      default:
        failure = ServerFailure(result).error
        PQclear(result)
      }
    }
    if PQstatus(server) != CONNECTION_OK { throw lost() }
    if let failure { throw failure }
    guard let last else { throw lost() }
    return last
  }

  private func waitForInput(until deadline: ContinuousClock.Instant) throws(DriverError) {
    var hasAskedToCancel = false
    while true {
      if PQflush(server) < 0 || PQconsumeInput(server) == 0 { return }
      if PQisBusy(server) == 0 { return }
      var descriptor = pollfd(fd: PQsocket(server), events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, 50) < 0, errno != EINTR { throw lost() }
      if !hasAskedToCancel, isCancelled?() == true {
        cancel()
        hasAskedToCancel = true
      }
      if ContinuousClock.now > deadline {
        cancel()
        hasMetDamage = true
        PQfinish(server)
        server = nil
        throw DriverError(
          .inputOutput,
          "The server did not answer within the time limit. Whether it performed the statement is "
            + "unknown. Check the server, and look at the objects before you try again.")
      }
    }
  }

  /// Asks the server to cancel what it performs.
  private func cancel() {
    guard let request = PQgetCancel(server) else { return }
    var message = [CChar](repeating: 0, count: 256)
    PQcancel(request, &message, 256)
    PQfreeCancel(request)
  }

  private func lost() -> DriverError {
    hasMetDamage = true
    return DriverError(
      .inputOutput,
      "The connection to the server was lost. Whether a statement in progress took effect is unknown, "
        + "unless it was in a transaction, which then had none. Check the server.",
      resultCode: SQLState.connectionLost)
  }

  // MARK: State

  /// Whether an error ended the transaction, so that only a rollback is possible.
  var isInFailedTransaction: Bool { PQtransactionStatus(server) == PQTRANS_INERROR }

  var isInTransaction: Bool {
    let status = PQtransactionStatus(server)
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
  }

  /// References are checked by each statement, so there are never violations left.
  var deferredForeignKeyViolations: Int { 0 }

  var dataVersion: Int64 {
    get throws(DriverError) {
      let statement = try prepare(
        "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn", persistent: false)
      guard try statement.step() else { return 0 }
      return statement.row.integer(at: 0)
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
    PQfinish(server)
    server = nil
  }
}
