import Foundation
import ObjectVaultDriver
import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultModel
import ObjectVaultPlatform
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// A database on a server that is open in this process.
final class ServerDatabase: OpenDatabase, @unchecked Sendable {
  let location: String
  let options: DatabaseOptions
  let sessions: SessionPool
  let state = OpenDatabaseState()
  let dialect: any Dialect = PostgreSQLDialect()
  private let sealingKeys: SealingKeys?
  private let erasableKeys: ErasableKeys?
  let route: ServerRoute
  let commits: CommitHook
  private var address: ServerAddress { route.address }
  private let listener = Locked<ServerListener?>(nil)

  init(_ address: ServerAddress, _ configuration: SharedVaultConfiguration) {
    let route = ServerRoute(address, configuration)
    self.route = route
    commits = CommitHook(recordsPositions: configuration.readPreference == .replica)
    options = DatabaseOptions(configuration)
    location = address.name
    sealingKeys = configuration.sealingKeys
    erasableKeys = configuration.erasableKeys
    sessions = SessionPool(
      name: address.name, writer: nil, hasOneSession: false, readers: configuration.maximumReaders,
      timeout: configuration.timeLimit, groupLimits: nil
    ) {
      try Self.session(by: route, for: .reading)
    }
    sessions.belong(to: self, hooks: storeHooks() + [commits])
  }

  static func session(
    by route: ServerRoute, for role: ServerConnection.Role
  ) throws -> Session {
    let session = Session(try ServerConnection(by: route, for: role))
    session.mustAlwaysBeValidated = true
    return session
  }

  deinit {
    endListening()
    guard sessions.process == ProcessNumber.current else { return sessions.abandon() }
    sessions.readers.close()
    sessions.writer = nil
  }

  /// The databases of the process, which handles with the same address and preference share.
  private struct Key: Hashable {
    let address: ServerAddress
    let readPreference: SharedVaultConfiguration.ReadPreference
  }

  private static let open = Locked<[Key: WeakReference<ServerDatabase>]>([:])

  /// Returns the database of this process at an address; opens it if there is none.
  ///
  /// Handles on one database share its connections and their settings.
  static func shared(
    _ address: ServerAddress, _ configuration: SharedVaultConfiguration
  ) throws -> ServerDatabase {
    let key = Key(address: address, readPreference: configuration.readPreference)
    if let database = open.withLock({ $0[key]?.object }) {
      try database.sessions.checkProcess()
      return database
    }
    let database = ServerDatabase(address, configuration)
    try database.prepare(creatingSchema: configuration.createsSchema)
    // Another thread may have been faster.
    return open.withLock { open in
      if let other = open[key]?.object { return other }
      open = open.filter { $0.value.object != nil }
      open[key] = WeakReference(database)
      return database
    }
  }

  var isReadOnly: Bool { false }
  var isInMemory: Bool { false }
  var isInPlace: Bool { true }
  var others: [any OpenDatabase] { [] }
  var requiredID: UUID? { nil }

  func allowReadersDuringWrites(on session: Session) throws {}

  func excludingOthers<R>(
    changing tables: (Session) throws -> [String],
    _ body: (_ lock: (Session) throws -> Void) throws -> R
  ) throws -> R {
    // The snapshot of a transaction in progress was taken before a lock could be acquired.
    if sessions.isInTransaction { return try body { _ in } }
    while true {
      let names = try withWriter(tables).map(SQL.quoted)
      var isLockingTables = false
      do {
        return try body { session in
          // Every session of a server has one.
          let connection = unsafeDowncast(session.connection, to: ServerConnection.self)
          // A column that is replaced loses the values of rows that are left out.
          if let sql = connection.catalog.requireAllRows { try connection.command(sql) }
          // No statement took a snapshot yet, so the transaction sees what others did before. A
          // prepared statement would release former ones before it, which takes a snapshot.
          try connection.command(
            "LOCK TABLE objectvault_schema_changes IN SHARE UPDATE EXCLUSIVE MODE")
          isLockingTables = true
          if !names.isEmpty {
            try connection.command("LOCK TABLE \(names.joined(separator: ", ")) IN EXCLUSIVE MODE")
          }
          isLockingTables = false
        }
      } catch let error as VaultError
        where isLockingTables && error.engineCode == SQLState.noTable
      {
        // Another program has just renamed a table.
        continue
      }
    }
  }

  var transactionsExcludeWriters: Bool { false }

  func canRead(again error: VaultError) -> Bool { error.engineCode == SQLState.connectionLost }

  func readSchema<R>(after error: VaultError, _ body: (Session) throws -> R) throws -> R? {
    // An error of a read ends the transaction or the read scope around it.
    let isEnded =
      try sessions.isInScope
      && read { session in
        (session.connection as? ServerConnection)?.isInFailedTransaction ?? false
      }
    guard isEnded else { return try readSnapshot(body) }
    // The last commit is what explains a missing name; other errors have reasons of their own.
    let isMissingName = [SQLState.noTable, SQLState.noColumn].contains(error.engineCode)
    guard isMissingName, let session = try? Self.session(by: route, for: .settling) else {
      return nil
    }
    return try? body(session)
  }

  func makeSealer() throws -> (any ValueSealer)? {
    try sealingKeys.map { try VaultSealer($0, erasableKeys: erasableKeys, path: location) }
  }

  /// Creates what the library needs on the server, unless it is there.
  ///
  /// - Parameter isCreating: Whether a missing schema is created.
  /// - Throws: ``VaultError`` `.cannotOpen` for a missing schema that is not created; the errors of
  ///   the server.
  func prepare(creatingSchema isCreating: Bool) throws {
    try withWriter { session in
      // Reads of replicas then find the tables, too.
      defer { note(session) }
      try createTables(session, creatingSchema: isCreating)
      try indexMarks(session)
    }
  }

  /// Creates the index of the marks of transactions by their time, if it is missing and this user
  /// owns the table.
  ///
  /// The index makes their removal fast. Without it everything works, so a failure is no error: the
  /// next process tries again.
  private func indexMarks(_ session: Session) throws {
    let schema = SQL.quoted(address.schema)
    let isMissing = try session.with(
      "SELECT (to_regclass(\(SQL.text("\(schema).objectvault_commits_at"))) IS NULL "
        + "AND pg_has_role(c.relowner, 'USAGE'))::integer FROM pg_catalog.pg_class AS c "
        + "WHERE c.oid = to_regclass(\(SQL.text("\(schema).objectvault_commits")))"
    ) { try $0.count() }
    guard isMissing == 1 else { return }
    let connection = session.connection
    // 0 is no limit.
    let milliseconds = max(Int(route.timeLimit / .milliseconds(2)), 1)
    do {
      try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
      // Other transactions that store marks wait for the index.
      try connection.execute("SET LOCAL lock_timeout TO \(min(milliseconds, 1000))")
      try connection.execute("SET LOCAL statement_timeout TO \(milliseconds)")
      try connection.execute(
        "CREATE INDEX IF NOT EXISTS objectvault_commits_at ON \(schema).objectvault_commits (at)")
      try connection.execute("COMMIT")
    } catch {
      if connection.hasMetDamage { throw error }
      try connection.execute("ROLLBACK")
    }
  }

  /// Creates the functions, the schema and its tables, unless they are there.
  private func createTables(_ session: Session, creatingSchema isCreating: Bool) throws {
    let connection = session.connection
    let changes = "\(SQL.quoted(address.schema)).objectvault_schema_changes"
    let present = try session.with(
      "SELECT o.name, CASE WHEN o.name IS NULL THEN "
        + "(to_regclass('objectvault.functions') IS NOT NULL)::integer "
        + "+ 2 * (to_regclass(\(SQL.text(changes))) IS NOT NULL)::integer END "
        + "FROM (SELECT (\(ServerFunctions.distrustedOwner(changes))) AS name OFFSET 0) AS o"
    ) { statement in
      _ = try statement.step()
      if let owner = statement.row.text(at: 0) { throw Self.distrusted(owner) }
      return statement.row.integer(at: 1)
    }
    guard isCreating || present & 2 != 0 else {
      throw VaultError(
        .cannotOpen,
        "The database has no schema '\(address.schema)' with objects. Check the name.")
    }
    // All schemas of the database share the functions.
    let hasFunctions =
      try present & 1 != 0 && currentVersion(session) >= ServerFunctions.version
    if hasFunctions, present & 2 != 0,
      try session.with(ServerFunctions.isMarked(address.schema), { try $0.count() }) == 1
    {
      return
    }
    // Their lists take some time to make, for which other processes need not wait.
    let functions = hasFunctions ? [] : ServerFunctions.all()
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
    do {
      // Two processes that create the same schema at once would fail.
      try connection.execute("SELECT pg_advisory_xact_lock(8027141225174)")
      if !hasFunctions {
        for sql in functions { try connection.execute(sql) }
        // Without a primary key, a table cannot be changed while it is published. Earlier versions
        // created none.
        try connection.execute("ALTER TABLE objectvault.functions REPLICA IDENTITY FULL")
        // Only its owner can alter the other table; it need not be published.
        if present & 2 != 0 {
          try? connection.execute("ALTER TABLE \(changes) REPLICA IDENTITY FULL")
        }
        try connection.execute("DELETE FROM objectvault.functions")
        try connection.execute(
          "INSERT INTO objectvault.functions VALUES (\(ServerFunctions.version))")
      }
      let schema = SQL.quoted(address.schema)
      try connection.execute("CREATE SCHEMA IF NOT EXISTS \(schema)")
      try connection.execute(
        "CREATE TABLE IF NOT EXISTS \(schema).objectvault_schema_changes (number bigint PRIMARY KEY)"
      )
      try connection.execute(
        "INSERT INTO \(schema).objectvault_schema_changes SELECT 1 WHERE NOT EXISTS "
          + "(SELECT 1 FROM \(schema).objectvault_schema_changes)")
      try connection.execute("SELECT objectvault.ov_begin_schema_version()")
      try connection.execute(
        "CREATE TABLE IF NOT EXISTS \(schema).objectvault_commits (mark text PRIMARY KEY, "
          + "at timestamptz NOT NULL DEFAULT now())")
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  private static func distrusted(_ owner: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "The schema 'objectvault' of the database, whose functions would run with the rights of this "
        + "user, belongs to the user '\(owner)'. Connect as that user, become a member of its role, or "
        + "use another database.")
  }

  private func currentVersion(_ session: Session) throws -> Int {
    try session.with("SELECT coalesce(max(version), 0) FROM objectvault.functions") {
      try $0.count()
    }
  }

  // MARK: Sessions

  func connectWriter() throws -> Session { try Self.session(by: route, for: .writing) }

  func checkWritable() throws {}

  func validate(_ session: Session) throws {
    // Every session of a server has one.
    try unsafeDowncast(session.connection, to: ServerConnection.self).makeReady()
  }

  func describe(_ error: any Error) -> any Error {
    guard let error = error as? DriverError else { return error }
    if error.resultCode == SQLState.untranslatable {
      return VaultError(
        .invalidValue,
        "A text contains a NUL character, which a PostgreSQL server cannot store. Remove it.",
        underlying: MissingCapability(.textsWithNUL))
    }
    if error.code == .commitUnknown {
      return VaultError(.commitUnknown, error.message, underlying: error)
    }
    if [SQLState.connectionLost, SQLState.timedOut].contains(error.resultCode) {
      return VaultError(
        .connectionLost, error.message, engineCode: error.resultCode, underlying: error)
    }
    if SQLState.conflicts.contains(error.resultCode) {
      return VaultError(
        .conflict,
        "Another transaction changed the same objects at the same time. Nothing was stored. Run the "
          + "transaction again, or use 'transaction(retryingFor:)'.", underlying: error)
    }
    if error.resultCode == SQLState.usedUp {
      return VaultError(
        .constraint,
        "No object ID can be generated, because an object had the last 64-bit number in a "
          + "transaction that was rolled back, and a server does not take numbers back. Set a free "
          + "object ID.",
        underlying: MissingCapability(.numbersTakenBack))
    }
    return dangling(error) ?? constraintError(named(error)) ?? VaultError(error, path: location)
  }

  /// Returns the error for a reference without its object, with its name if a store has it.
  private func dangling(_ error: DriverError) -> VaultError? {
    guard error.code == .constraintForeignKey else { return nil }
    let found = Self.constraint(of: error, "FOREIGN KEY constraint failed: constraint ")
    var result =
      found.flatMap { dangling(ofConstraint: $0.name, table: $0.table) } ?? VaultError.dangling(nil)
    result.underlying = error
    return result
  }

  /// Returns the constraint and the table that the message of an error names after its start.
  private static func constraint(
    of error: DriverError, _ start: String
  ) -> (name: String, table: String)? {
    guard error.message.hasPrefix(start) else { return nil }
    let words = error.message.dropFirst(start.count).components(separatedBy: " of ")
    guard let table = words.last, words.count > 1 else { return nil }
    return (words.dropLast().joined(separator: " of "), table)
  }

  /// Returns an error with the columns of a constraint in place of its name.
  private func named(_ error: DriverError) -> DriverError {
    guard error.code == .constraintUnique,
      let (constraint, table) = Self.constraint(
        of: error, "UNIQUE constraint failed: constraint "),
      let columns = columns(ofConstraint: constraint, table: table, PostgreSQLCatalog())
    else { return error }
    var named = error
    named.message =
      "UNIQUE constraint failed: " + columns.map { "\(table).\($0)" }.joined(separator: ", ")
    return named
  }

  // MARK: Observers

  func beginToListen() {
    let new = ServerListener(by: route, retryingAfter: options.observationInterval) {
      [weak self] event in
      switch event {
      case .commit: self?.noteForeignCommit()
      case .beginning: self?.lookForOthers()
      }
    }
    listener.withLock { listener in
      listener?.end()
      listener = new
    }
    new.begin()
  }

  func endListening() {
    listener.withLock { listener in
      listener?.end()
      listener = nil
    }
  }

  func copy(of session: Session) throws -> Session {
    throw VaultError(.internalError, "A server is never copied.")
  }
}
