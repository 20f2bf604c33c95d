internal import CPostgreSQL
import Foundation
import ObjectVaultCondition
import ObjectVaultDriver

/// A connection to a PostgreSQL server.
///
/// One thread at a time uses it. It connects again if the server is lost while no transaction is
/// open: its statements are then prepared again.
final class ServerConnection: DriverConnection, @unchecked Sendable {
  /// The use of a connection.
  enum Role {
    /// Transactions that write, on the primary.
    case writing
    /// Questions about the last commit, such as whether a transaction was stored, on the primary.
    case settling
    /// Reads outside of those, on the server that the configuration prefers.
    case reading
  }

  /// The connection of the client library.
  private(set) var link: ServerLink
  let route: ServerRoute
  let role: Role
  /// The number of links and schemas before the present ones, for which statements are prepared.
  private(set) var generation = 0
  /// The position of the log that the replica has reached.
  var replayed: Int64 = 0
  /// The time at which a replica is tried again.
  var nextReplica = ContinuousClock.now + ServerRoute.primaryTime
  /// Whether the next read moves to the primary, because the replica ended one among its rows.
  var mustLeaveReplica = false
  let record = TableRecord()
  let catalog: any Catalog = PostgreSQLCatalog()
  private var cache = StatementCache(capacity: 200)
  private var statements: [ObjectIdentifier: Unmanaged<Statement>] = [:]
  private var lastName = 0
  /// The prepared statements that no one uses any more.
  private var forgotten: [String] = []
  /// The commands that are sent with the next message: those that begin a transaction, and those
  /// that set and release savepoints. Each saves a round trip.
  var pending: [String] = []
  var parameters = ParameterBuffer()
  /// The result of commands that the server need not perform.
  let nothing = ServerResult()
  var isWholeTransaction = false {
    didSet { wholeCompiledCount = compiledWriteCount }
  }
  /// The number of compiled statements when ``isWholeTransaction`` was set. After the first use of a
  /// statement, the store reads the schema before the commit.
  private var wholeCompiledCount = 0
  /// The series of generated numbers that others use while this connection inserts many rows, and
  /// those whose last number is unknown.
  var sharedSeries: Set<String> = []
  /// Whether the transaction in progress changed the schema.
  private var hasChangedSchema = false
  var hasCommitted = false
  /// Whether a read scope is open, whose reads never continue on another connection.
  var isReadScope = false
  /// The version of the schema with which the classes were compared.
  private(set) var schemaVersion: Int64?
  /// Whether the server lacks the function of that version.
  private var lacksGuard = false
  /// Whether the statement that is sent is committed with it.
  var isCommittingAtOnce = false
  /// Whether the transaction in progress changed something, of which its commit notifies others.
  var hasChanges = false
  private(set) var isCancelled: (() -> Bool)?
  var changes = 0
  var totalChanges = 0
  var lastInsertRowID: Int64 = 0
  private(set) var compiledWriteCount = 0
  private(set) var isClosed = false
  /// The rows of the schema that the transaction has read.
  var schemaRows: [Read: ServerResult] = [:]

  /// A statement with its values.
  struct Read: Hashable {
    let text: String
    let values: [BoundValue]

    init(_ text: ParameterText, _ values: [BoundValue]) {
      (self.text, self.values) = (text.text, values)
    }
  }

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - route: The way to the servers.
  ///   - role: The use of the connection.
  /// - Throws: ``DriverError`` `.cannotOpen` if no server accepts the connection.
  init(by route: ServerRoute, for role: Role) throws(DriverError) {
    self.route = route
    self.role = role
    // The outcome of a commit is worth an attempt of its own.
    link = try route.connect(
      preferringReplicas: role == .reading && route.readPreference == .replica,
      sharingFailure: role != .settling)
    try setIsolation()
  }

  func schemaChanged(to version: Int64) {
    schemaVersion = version
    lacksGuard = false
    prepareAgain()
  }

  /// The server compiles statements again without telling. Only those that are committed at once fail.
  var noticesSchemaChanges: Bool { hasCommitted }

  /// Returns `false`: the tables of a statement are the names in its text.
  func forgetOutdatedStatements() throws(DriverError) -> Bool { false }

  func beginSchemaVersion() throws(DriverError) {
    hasChanges = true
    compiledWriteCount += 1
    prepareAgain()
    try command("SELECT objectvault.ov_begin_schema_version()")
  }

  /// Notes that the server lacks the function of the schema's version, so that classes are compared
  /// again, and nothing is committed at once until there is another version.
  func noteMissingGuard() {
    compiledWriteCount += 1
    lacksGuard = true
  }

  /// Makes statements be prepared again: inside a transaction, one for a former schema would end it.
  private func prepareAgain() {
    hasChangedSchema = true
    generation += 1
  }

  /// Notes the begin of a transaction.
  func noteBegin() { (hasChanges, hasChangedSchema, schemaRows) = (false, false, [:]) }

  /// Notes a rollback, which can bring back a former schema.
  func noteRollback() {
    schemaRows = [:]
    if hasChangedSchema { generation += 1 }
  }

  /// Makes transactions of a single statement as isolated as the others.
  private func setIsolation() throws(DriverError) {
    guard role != .reading else { return }
    if role == .writing { route.noteWriter(link) }
    try command("SET default_transaction_isolation TO 'serializable'")
  }

  /// The version of the schema that a statement is for, which is committed at once; `nil` for other
  /// statements.
  var guardedVersion: Int64? { isCommittingAtOnce ? schemaVersion : nil }

  /// Whether the next statement that writes is committed with it.
  var commitsAtOnce: Bool {
    isWholeTransaction && wholeCompiledCount == compiledWriteCount && link.isIdle
      && pending.count == 1 && !hasCommitted && !lacksGuard
  }

  deinit {
    for statement in statements.values { statement.takeUnretainedValue().invalidate() }
  }

  /// Whether a replica is preferred to the primary.
  var prefersReplicas: Bool { role == .reading && route.readPreference == .replica }

  /// Connects again, outside of transactions.
  ///
  /// - Parameter replica: Whether a replica is preferred to the primary.
  /// - Throws: ``DriverError`` as ``ServerRoute/connect(preferringReplicas:sharingFailure:)``. The
  ///   former connection remains then.
  func reconnect(preferringReplicas replica: Bool) throws(DriverError) {
    link = try route.connect(preferringReplicas: replica, sharingFailure: role != .settling)
    generation += 1
    forgotten = []
    pending = []
    (hasCommitted, hasChanges, mustLeaveReplica) = (false, false, false)
    try setIsolation()
    replayed = 0
    nextReplica = .now + ServerRoute.primaryTime
  }

  // MARK: Statements

  func prepare(_ sql: String, persistent isPersistent: Bool) throws(DriverError) -> Statement {
    guard !sql.utf8.contains(0) else {
      throw DriverError(.misuse, "The SQL text contains a NUL character. Remove it.")
    }
    let text = ParameterText(sql)
    if text.writes { compiledWriteCount += 1 }
    return Statement(
      ServerStatement(sql, text, on: self), owner: self, reading: text.quotedNames.sorted(),
      writing: text.writtenTables)
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

  func prepareScreened(
    _ sql: String, removingByRow removesByRow: Bool
  ) throws(DriverError) -> ScreenedStatement {
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
      .settingNotApplied(name), "A server does not have the setting '\(name)'.")
  }

  // MARK: Prepared statements

  /// Returns the names of the columns of a statement.
  ///
  /// - Parameters:
  ///   - sql: The text.
  ///   - types: The types of its parameters.
  /// - Returns: The names.
  /// - Throws: ``DriverError`` if the server rejects the text.
  func columns(of sql: String, _ types: [UInt32]) throws(DriverError) -> [String] {
    // The statement without a name needs no release.
    _ = try ended { PQsendPrepare($0, "", sql, Int32(types.count), types) }
    return try ended { PQsendDescribePrepared($0, "") }.names
  }

  /// Releases prepared statements when the connection is next used for preparing one.
  ///
  /// - Parameters:
  ///   - names: Their names.
  ///   - generation: The ``generation`` of the connection that prepared them.
  func forget(_ names: [String], _ generation: Int) {
    if generation == self.generation { forgotten += names }
  }

  /// Returns the name for a new prepared statement.
  func newName() -> String {
    // As the first command of a transaction, it would take the snapshot before a lock is acquired.
    let isFirst = link.isIdle && !pending.isEmpty
    if !forgotten.isEmpty, !link.isInFailedTransaction, !isFirst {
      pending += forgotten.map { "DEALLOCATE \($0)" }
      forgotten = []
    }
    lastName += 1
    return "ov_\(lastName)"
  }

  // MARK: State

  /// Whether an error ended the transaction, so that only a rollback is possible.
  var isInFailedTransaction: Bool { link.isInFailedTransaction }

  var isInTransaction: Bool {
    !link.isBroken && (hasCommitted || !pending.isEmpty || !link.isIdle)
  }

  var hasMetDamage: Bool { link.isBroken }

  /// References are checked by each statement, so there are never violations left.
  var deferredForeignKeyViolations: Int { 0 }

  var dataVersion: Int64 {
    get throws(DriverError) {
      if link.isReplica { return try position("pg_last_wal_replay_lsn()") }
      let version = try position("pg_current_wal_lsn()")
      // A commit of another process before it causes reads, which a replica must not miss.
      route.note(version, isOwn: false)
      return version
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
