internal import CSQLCipher

/// One connection to one encrypted file.
///
/// A connection is not thread-safe: it may move between threads, but one owner uses it at a time,
/// its statements included. That rule, kept by the pool above, is what makes it `Sendable`.
package final class Connection: @unchecked Sendable {
  // One owner at a time uses a connection and its statements, so that checking every access to
  // their members for overlap, a tenth of a short statement's cost, could find nothing.

  /// `nil` once closed: the engine's functions are not called then.
  @exclusivity(unchecked) @usableFromInline private(set) var database: OpaquePointer?
  /// The path it was opened with.
  package let path: String
  package let mode: Mode
  /// How the pages are encrypted; `nil` without a key, where it reads and writes in clear.
  package private(set) var cipher: CipherSettings?
  /// Whether page 1 of the file was read under the key: from then on no failure is the key's.
  private var isKeyProved = false
  /// Whether the engine met a damaged page. SQLCipher 4.7 and later fail every further statement on
  /// such a connection, also on sound pages: replace it as soon as no transaction is open.
  package private(set) var hasMetDamage = false

  @exclusivity(unchecked) var cache: StatementCache
  /// Every statement not yet finalized, so that closing can finalize it.
  private var statements: [ObjectIdentifier: Unmanaged<Statement>] = [:]
  /// The protected pragma that `setPragma` is setting just now.
  var pragmaBeingSet: String?
  /// Whether the authorizer refused something since this was set to `false`.
  var hasRefused = false
  /// Why the authorizer or a function refused, for the error of the call that met it.
  var refusal: String?

  // MARK: Compiling

  /// Registers the functions that SQL may call. Called once, before the first statement that may do so
  /// is read: opening a file calls none of them.
  package var makesFunctionsKnown: ((Connection) throws(EngineError) -> Void)?
  /// Goes up whenever a statement that writes is compiled: for the first time, or anew because
  /// somebody changed the schema.
  @exclusivity(unchecked) package internal(set) var compiledWriteCount = 0
  /// Whether to refuse statements that write and are not compiled for the schema as it is, with
  /// ``EngineError/Code/notAuthorized``.
  @exclusivity(unchecked) package var refusesToCompileWrites = false

  // MARK: Tables

  /// What the statement that is compiled just now does to the tables of the file.
  @exclusivity(unchecked) var compiled = CompiledTables()
  /// The tables of the file that statements were run on to write since ``forgetWrittenTables()``,
  /// in lower case; those too in which they found nothing to change, or that cascades and triggers
  /// could reach. `sqlite_master` stands for the schema.
  @exclusivity(unchecked) package internal(set) var writtenTables: Set<String> = []
  /// Another number whenever written tables are forgotten, so that a statement notes its own once.
  @exclusivity(unchecked) var writtenEpoch = 1

  // MARK: The write-ahead log

  /// How many pages the write-ahead log had after the last commit of this connection; counted from
  /// ``countLogPages()`` on.
  @exclusivity(unchecked) package internal(set) var pagesInLog = 0

  // MARK: Hooks

  /// Called for every row inserted, changed or deleted in a table with rowids.
  package var onUpdate: ((RowChange) -> Void)? { didSet { installUpdateHook() } }
  /// Called when a transaction commits.
  package var onCommit: (() -> Void)? { didSet { installCommitHook() } }
  /// Called when a transaction was rolled back.
  package var onRollback: (() -> Void)? { didSet { installRollbackHook() } }
  /// Asked, while SQL is read, about every action in it, after the rules of the library.
  package var onAuthorize: ((AuthorizerAction) -> AuthorizerAnswer)?
  var progress: (() -> Bool)?
  /// Told the text of every statement that starts to run, with its parameters unfilled.
  package var trace: (@Sendable (String) -> Void)? { didSet { installTrace() } }

  // MARK: Opening

  /// Opens a file, gives it its key and its settings, and reads its first page.
  ///
  /// - Parameters:
  ///   - key: a passphrase, or a raw key written as `x'…'`. The engine copies it.
  ///   - cipher: how the file is encrypted, or will be.
  /// - Throws: ``EngineError``; nothing was written and nothing stays open then. A file that was
  ///   there but empty is ``EngineError/Code/emptyFile`` unless `mode` is `create`; a wrong key is
  ///   ``EngineError/Code/notADatabase``.
  package convenience init(
    path: String, mode: Mode, key: UnsafeRawBufferPointer, cipher: CipherSettings,
    options: ConnectionOptions = ConnectionOptions()
  ) throws(EngineError) {
    // Both before a file is touched: a connection without a key writes in clear.
    guard let start = key.baseAddress, !key.isEmpty, let length = Int32(exactly: key.count) else {
      throw EngineError(.emptyKey, "the key is empty; a file without a key would be in clear")
    }
    let engine = try Engine.prove()
    try cipher.check(engine)
    try self.init(opening: path, mode: mode, options: options)
    // The engine derives the keys of pages when it reads the first one.
    try SaltMask.whileSet(cipher.hmacSaltMask, by: self, engine) { () throws(EngineError) in
      let code = sqlite3_key_v2(database, "main", start, length)
      guard code == SQLITE_OK else {
        throw EngineError(
          .ignoredKey, "the engine did not take the key; nothing was written", resultCode: code)
      }
      self.cipher = cipher
      try refuseUnencryptedContent()
      try apply(cipher, engine)
      try apply(options, engine)
      // A new file has no first page yet.
      if mode == .create, cipher.hmacSaltMask != CipherSettings.standardSaltMask {
        try execute("BEGIN IMMEDIATE")
        try execute("COMMIT")
      }
    }
    // A new file has no page yet.
    isKeyProved = mode != .create
  }

  /// Opens a file without a key: for exports in clear, and for the control of secrecy tests.
  package static func plain(
    path: String, mode: Mode, options: ConnectionOptions = ConnectionOptions()
  ) throws(EngineError) -> Connection {
    let engine = try Engine.prove()
    let connection = try Connection(opening: path, mode: mode, options: options)
    try connection.apply(options, engine)
    return connection
  }

  /// Opens a database in memory with a key, for settings that the engine takes only with one.
  static func keyedInMemory() throws(EngineError) -> Connection {
    let connection = try Connection(
      opening: ":memory:", mode: .readWrite, options: ConnectionOptions())
    let code = sqlite3_key_v2(connection.database, "main", "memory", 6)
    guard code == SQLITE_OK else {
      throw EngineError(.ignoredKey, "the engine did not take a key", resultCode: code)
    }
    return connection
  }

  /// Opens a file for a look at its raw bytes.
  convenience init(looking path: String) throws(EngineError) {
    try self.init(opening: path, mode: .readOnly, options: ConnectionOptions())
  }

  private init(opening path: String, mode: Mode, options: ConnectionOptions) throws(EngineError) {
    self.path = path
    self.mode = mode
    trace = options.trace
    cache = StatementCache(capacity: options.statementCacheCapacity)
    database = try Connection.openDatabase(path, mode)
    try expectTaken("busy_timeout", sqlite3_busy_timeout(database, options.busyTimeout))
    installAuthorizer()
    installTrace()
    // The engine opens a file without write permission for reading, and says so only here.
    if mode != .readOnly, sqlite3_db_readonly(database, "main") == 1 {
      throw EngineError(
        .readOnly, "the file cannot be written; check its rights, or open it for reading only",
        resultCode: SQLITE_READONLY)
    }
  }

  deinit {
    // An open transaction is rolled back now; nobody may be called back on the way.
    if let database {
      sqlite3_update_hook(database, nil, nil)
      sqlite3_commit_hook(database, nil, nil)
      sqlite3_rollback_hook(database, nil, nil)
      sqlite3_progress_handler(database, 0, nil, nil)
      sqlite3_set_authorizer(database, nil, nil)
      sqlite3_trace_v2(database, 0, nil, nil)
    }
    finalizeStatements()
    sqlite3_close_v2(database)
  }

  // MARK: Closing

  /// Whether it was closed.
  package var isClosed: Bool { database == nil }

  /// Closes the file; an open transaction is rolled back. A second call does nothing.
  ///
  /// - Throws: ``EngineError/Code/statementsInUse`` when a statement still stands on a row; the
  ///   connection stays open then.
  package func close() throws(EngineError) {
    guard let database else { return }
    let busy = statements.values.filter { $0.takeUnretainedValue().isBusy }
    guard busy.isEmpty else {
      let sql = busy.map { $0.takeUnretainedValue().sql }.sorted().joined(separator: "; ")
      throw EngineError(
        .statementsInUse, "\(busy.count) statement(s) still run: \(sql); reset them before closing",
        resultCode: SQLITE_BUSY)
    }
    finalizeStatements()
    let code = sqlite3_close(database)
    guard code == SQLITE_OK else { throw failure(code) }
    self.database = nil
  }

  private func finalizeStatements() {
    for statement in statements.values { statement.takeUnretainedValue().invalidate() }
    statements.removeAll()
    cache.removeAll()
  }

  /// How many statements were prepared since the connection was opened.
  package private(set) var preparedStatementCount = 0

  func statementWasMade(_ statement: Statement) {
    preparedStatementCount += 1
    statements[ObjectIdentifier(statement)] = .passUnretained(statement)
  }

  func statementWillGo(_ statement: Statement) {
    statements.removeValue(forKey: ObjectIdentifier(statement))
  }

  // MARK: State

  /// The rowid of the last row inserted.
  @inlinable
  package var lastInsertRowID: Int64 { database.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// How many rows the last statement changed, without those that cascades and triggers changed.
  @inlinable
  package var changes: Int { database.map { Int(sqlite3_changes($0)) } ?? 0 }

  /// How many rows were changed since opening, by cascades and triggers too.
  @inlinable
  package var totalChanges: Int { database.map { Int(sqlite3_total_changes($0)) } ?? 0 }

  /// Whether a transaction is open.
  @inlinable
  package var isInTransaction: Bool {
    database.map { sqlite3_get_autocommit($0) == 0 } ?? false
  }

  /// Whether the file cannot be written through this connection.
  package var isReadOnly: Bool { database.map { sqlite3_db_readonly($0, "main") != 0 } ?? true }

  /// Not 0 while deferred foreign keys of the open transaction are violated. The engine tells
  /// whether there are any, not how many.
  @inlinable
  package var deferredForeignKeyViolations: Int {
    guard let database else { return 0 }
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(database, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return Int(current)
  }

  // MARK: Failures

  /// The open database, or the error for a closed one.
  func open() throws(EngineError) -> OpaquePointer {
    guard let database else {
      throw EngineError(.misuse, "the connection is closed", resultCode: SQLITE_MISUSE)
    }
    return database
  }

  /// Returns the error for a result code, with what the library itself knows about it.
  ///
  /// After the key was proved, "not a database" is damage: SQLCipher 4.7 and later report it for every
  /// statement after the first damaged page.
  func failure(_ code: Int32, moment: EngineError.Moment = .other) -> EngineError {
    var error = EngineError.from(code, database: database, moment: moment)
    if error.code == .notADatabase, isKeyProved {
      error.code = .corrupt
      error.message = EngineError.damageAfterProof
    } else if hasMetDamage, error.isUnexplained {
      error.code = .corrupt
      error.message = EngineError.damageMetBefore
    }
    if error.code == .corrupt { hasMetDamage = true }
    if let refusal {
      if error.code == .notAuthorized || error.code == .sqlError { error.message = refusal }
      self.refusal = nil
    }
    return error
  }
}
