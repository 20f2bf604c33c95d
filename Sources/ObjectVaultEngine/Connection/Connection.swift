internal import CSQLCipher
package import ObjectVaultDriver

/// A connection to an encrypted file.
///
/// A connection is not thread-safe. It may move between threads, but only one owner may use it and
/// its statements at a time. The connection pool ensures that rule, which is what makes the type
/// `Sendable`.
package final class Connection: DriverConnection, @unchecked Sendable {
  // Only one owner uses a connection and its statements at a time. Exclusivity checks on their
  // members would find nothing and cost a tenth of the time of a short statement.

  /// The database, or `nil` after closing.
  ///
  /// The engine's functions are not called then.
  @exclusivity(unchecked) @usableFromInline private(set) var database: OpaquePointer?
  /// The path with which the connection was opened.
  package let path: String
  package let mode: Mode
  /// The encryption of the pages, or `nil` for an unencrypted file.
  package private(set) var cipher: CipherSettings?
  /// Whether page 1 of the file was read with the key.
  ///
  /// Later failures are not caused by the key.
  private var isKeyProved = false
  /// Whether the engine met a damaged page.
  ///
  /// SQLCipher 4.7 and later fail every further statement on such a connection, even on sound
  /// pages. Replace the connection as soon as no transaction is open.
  package private(set) var hasMetDamage = false

  @exclusivity(unchecked) var cache: StatementCache
  /// The version of the schema for which ``forgetOutdatedStatements()`` last removed statements.
  var cachedSchema: String?
  /// The statements that are not finalized yet, so that closing can finalize them.
  private var statements: [ObjectIdentifier: Unmanaged<Statement>] = [:]
  /// The protected pragma that `setPragma` is setting now.
  var pragmaBeingSet: String?
  /// Whether the authorizer has denied an action since this was set to `false`.
  var hasRefused = false
  /// The reason of the authorizer's or a function's refusal, for the error of the current call.
  var refusal: String?

  // MARK: Compiling

  /// Registers the functions that SQL may call.
  ///
  /// Called once, before the first statement that may call them is compiled. Opening a file calls
  /// none of them.
  package var makesFunctionsKnown: ((Connection) throws(DriverError) -> Void)?
  /// The number of times that a writing statement was compiled, for the first time or again after a
  /// change of the schema.
  package internal(set) var compiledWriteCount = 0

  /// The least number of a row that a registered function inserted, until the owner of the function
  /// sets it to `nil`.
  package var firstRowOfFunctions: Int64?

  // MARK: Tables

  /// The tables that the connection's statements read and write.
  package let record = TableRecord()

  // MARK: The write-ahead log

  /// The number of pages in the write-ahead log after this connection's last commit.
  ///
  /// Counting starts with ``countLogPages()``.
  package internal(set) var pagesInLog = 0

  // MARK: Hooks

  /// Called for every action of a statement during its compilation, after the rules of the library.
  package var onAuthorize: ((AuthorizerAction) -> AuthorizerAnswer)?
  var progress: (() -> Bool)?
  /// Receives the text of every statement that starts to run, without parameter values.
  package var trace: (@Sendable (String) -> Void)? { didSet { installTrace() } }

  // MARK: Opening

  /// Opens a file, sets its key and settings, and reads its first page.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - mode: The access mode.
  ///   - key: A passphrase, or a raw key in the form `x'…'`. The engine copies it.
  ///   - cipher: The encryption of an existing or new file.
  ///   - options: The options of the connection.
  /// - Throws: ``DriverError``. Nothing was written and nothing stays open then. An existing empty
  ///   file is ``DriverError/Code/emptyFile`` unless `mode` is `create`; a wrong key is
  ///   ``DriverError/Code/notADatabase``.
  package convenience init(
    path: String, mode: Mode, key: UnsafeRawBufferPointer, cipher: CipherSettings,
    options: ConnectionOptions = ConnectionOptions()
  ) throws(DriverError) {
    // Check both before a file is accessed: a connection without a key writes unencrypted data.
    guard let start = key.baseAddress, !key.isEmpty, let length = Int32(exactly: key.count) else {
      throw DriverError(
        .emptyKey, "The key is empty, which would leave the file unencrypted. Provide a key.")
    }
    let engine = try Engine.prove()
    try cipher.check(engine)
    try self.init(opening: path, mode: mode, options: options)
    // The engine derives the keys of pages when it reads the first page.
    try SaltMask.whileSet(cipher.hmacSaltMask, by: self, engine) { () throws(DriverError) in
      let code = sqlite3_key_v2(database, "main", start, length)
      guard code == SQLITE_OK else {
        throw DriverError(
          .ignoredKey,
          "The engine did not accept the key. Nothing was written. Check which SQLite library the "
            + "process loads.",
          resultCode: code)
      }
      self.cipher = cipher
      try refuseUnencryptedContent()
      try apply(cipher, engine)
      try apply(options, engine)
      // A new file has no first page yet.
      if mode == .create, cipher.hmacSaltMask != CipherSettings.standardSaltMask {
        try commitFirstPage()
      }
    }
    // A new file has no page yet.
    isKeyProved = mode != .create
  }

  /// Returns a connection without a key, for unencrypted exports and for the control case of
  /// secrecy tests.
  package static func plain(
    path: String, mode: Mode, options: ConnectionOptions = ConnectionOptions()
  ) throws(DriverError) -> Connection {
    let engine = try Engine.prove()
    let connection = try Connection(opening: path, mode: mode, options: options)
    try connection.apply(options, engine)
    return connection
  }

  /// Returns a keyed connection to an in-memory database, for settings that the engine accepts only
  /// with a key.
  static func keyedInMemory() throws(DriverError) -> Connection {
    let connection = try Connection(
      opening: ":memory:", mode: .readWrite, options: ConnectionOptions())
    let code = sqlite3_key_v2(connection.database, "main", "memory", 6)
    guard code == SQLITE_OK else {
      throw DriverError(
        .ignoredKey,
        "The engine did not accept the key. Check which SQLite library the process loads.",
        resultCode: code)
    }
    return connection
  }

  /// Opens a file only to read its raw bytes, before a key is known or after it was rejected.
  package convenience init(looking path: String) throws(DriverError) {
    _ = try Engine.prove()
    try self.init(opening: path, mode: .readOnly, options: ConnectionOptions())
  }

  private init(opening path: String, mode: Mode, options: ConnectionOptions) throws(DriverError) {
    self.path = path
    self.mode = mode
    trace = options.trace
    cache = StatementCache(capacity: options.statementCacheCapacity)
    database = try Connection.openDatabase(path, mode)
    try expectTaken("busy_timeout", sqlite3_busy_timeout(database, options.busyTimeout))
    installAuthorizer()
    installTrace()
    // The engine opens a file without write permission as read-only, and reports it only here.
    if mode != .readOnly, sqlite3_db_readonly(database, "main") == 1 {
      throw DriverError(
        .readOnly,
        "The file cannot be written. Check its permissions, or open it for reading only.",
        resultCode: SQLITE_READONLY)
    }
  }

  deinit {
    // An open transaction is rolled back now. No callback may be called for it.
    if let database {
      sqlite3_progress_handler(database, 0, nil, nil)
      sqlite3_set_authorizer(database, nil, nil)
      sqlite3_trace_v2(database, 0, nil, nil)
    }
    finalizeStatements()
    sqlite3_close_v2(database)
  }

  // MARK: Closing

  /// Closes the file and rolls back an open transaction.
  ///
  /// A second call has no effect.
  ///
  /// - Throws: ``DriverError/Code/statementsInUse`` if a statement is still at a row. The
  ///   connection stays open then.
  package func close() throws(DriverError) {
    guard let database else { return }
    let busy = statements.values.filter { $0.takeUnretainedValue().isBusy }
    guard busy.isEmpty else {
      let sql = busy.map { $0.takeUnretainedValue().sql }.sorted().joined(separator: "; ")
      throw DriverError(
        .statementsInUse,
        "\(busy.count) statement(s) are still running: \(sql). Reset them before closing the "
          + "connection.",
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

  /// The number of statements compiled since the connection was opened.
  package private(set) var preparedStatementCount = 0

  /// The number of compiled statements.
  package var statementCount: Int { statements.count }

  package func statementWasMade(_ statement: Statement) {
    preparedStatementCount += 1
    statements[ObjectIdentifier(statement)] = .passUnretained(statement)
  }

  package func statementWillGo(_ statement: Statement) {
    statements.removeValue(forKey: ObjectIdentifier(statement))
  }

  // MARK: State

  /// The rowid of the last inserted row.
  @inlinable
  package var lastInsertRowID: Int64 { database.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// The number of rows that the last statement changed, without cascades and triggers.
  @inlinable
  package var changes: Int { database.map { Int(sqlite3_changes($0)) } ?? 0 }

  /// The number of rows changed since opening, including cascades and triggers.
  @inlinable
  package var totalChanges: Int { database.map { Int(sqlite3_total_changes($0)) } ?? 0 }

  /// Whether a transaction is open.
  @inlinable
  package var isInTransaction: Bool {
    database.map { sqlite3_get_autocommit($0) == 0 } ?? false
  }

  /// A number that is not 0 while deferred foreign keys of the open transaction are violated.
  ///
  /// The engine reports only whether there are violations, not how many.
  @inlinable
  package var deferredForeignKeyViolations: Int {
    guard let database else { return 0 }
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(database, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return Int(current)
  }

  // MARK: Failures

  /// Returns the open database, or throws the error for a closed one.
  func open() throws(DriverError) -> OpaquePointer {
    guard let database else {
      throw DriverError(
        .misuse, "The connection is closed. Open a new one.", resultCode: SQLITE_MISUSE)
    }
    return database
  }

  /// Returns the error for a result code outside any statement.
  func failure(_ code: Int32) -> DriverError { failure(code, moment: .other) }

  /// Returns the error for a result code, with additional information of the library.
  ///
  /// After the key was proven, "not a database" is damage: SQLCipher 4.7 and later report it for
  /// every statement after the first damaged page.
  package func failure(_ code: Int32, moment: DriverError.Moment) -> DriverError {
    var error = DriverError.from(code, database: database, moment: moment)
    if error.code == .notADatabase, isKeyProved {
      error.code = .corrupt
      error.message = DriverError.damageAfterProof
    } else if hasMetDamage, error.isUnexplained {
      error.code = .corrupt
      error.message = DriverError.damageMetBefore
    }
    if error.code == .corrupt { hasMetDamage = true }
    if let refusal {
      if error.code == .notAuthorized || error.code == .sqlError { error.message = refusal }
      self.refusal = nil
    }
    return error
  }
}
