internal import CSQLCipher
package import ObjectVaultDriver

extension Connection {
  /// Compiles one statement.
  ///
  /// - Parameters:
  ///   - sql: The text of the statement.
  ///   - persistent: Whether the statement will be retained and run many times.
  /// - Returns: The statement.
  /// - Throws: ``DriverError/Code/sqlError`` if the SQL is invalid; ``DriverError/Code/misuse`` if
  ///   the text contains no statement, more than one, or a NUL character.
  package func prepare(_ sql: String, persistent: Bool = true) throws(DriverError) -> Statement {
    try checkText(sql)
    try makeFunctionsKnown()
    var sql = sql
    let outcome = sql.withUTF8 { text -> Result<Statement, DriverError> in
      do throws(DriverError) {
        let (first, length) = try compile(text, persistent: persistent)
        guard let first else {
          throw DriverError(
            .misuse, "The SQL text contains no statement. Write one.", resultCode: SQLITE_MISUSE)
        }
        let statement = Statement(first, owner: self)
        if let rest = remainder(text, length) {
          let (second, _) = try compile(rest, persistent: false)
          sqlite3_finalize(second)
          guard second == nil else {
            throw DriverError(
              .misuse,
              "The SQL text contains more than one statement. Run each statement separately.",
              resultCode: SQLITE_MISUSE)
          }
        }
        return .success(statement)
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Returns a statement for a text, from the cache if one is free there.
  ///
  /// A cached statement that is still referenced or is at a row is not returned again; a new one is
  /// created. Do not retain the statement longer than it runs. Use ``prepare(_:persistent:)`` for
  /// statements to retain.
  package func statement(_ sql: String) throws(DriverError) -> Statement {
    try statement(StatementText(sql))
  }

  /// Returns a statement for a text that is used repeatedly, like ``statement(_:)-(String)``.
  package func statement(_ sql: StatementText) throws(DriverError) -> Statement {
    switch cache.find(sql) {
    case .free(let statement):
      return statement
    case .inUse:
      return try prepare(sql.text, persistent: false)
    case .nothing:
      let statement = try prepare(sql.text)
      cache.keep(statement, for: sql)
      return statement
    }
  }

  package func forgetOutdatedStatements() throws(DriverError) -> Bool {
    let version = try firstValue("PRAGMA schema_version")
    if version == cachedSchema { return false }
    // Compiling alone uses the schema that the connection read before. Running reads the new one.
    _ = try firstValue("SELECT 1 FROM sqlite_master LIMIT 1")
    cache.removeAll()
    cachedSchema = version
    return true
  }

  /// The number of statements in the cache.
  package var cachedStatementCount: Int { cache.count }

  /// Executes one or several statements to their end and ignores rows.
  package func execute(_ sql: String) throws(DriverError) {
    try checkText(sql)
    try makeFunctionsKnown()
    var sql = sql
    let outcome = sql.withUTF8 { text -> Result<Void, DriverError> in
      do throws(DriverError) {
        var rest: UnsafeBufferPointer<UInt8>? = text
        while let text = rest {
          let (pointer, length) = try compile(text, persistent: false)
          if let pointer { try Statement(pointer, owner: self).run() }
          rest = remainder(text, length)
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }

  /// Returns the first column of the first row of a statement, or `nil` without a row.
  ///
  /// It is for settings and for the library's own tables, with texts made by the library: the
  /// registered functions need not be available yet.
  package func firstValue(_ sql: String) throws(DriverError) -> String? {
    var isFirst = true
    var value: String?
    try runAlone(sql) { row in
      if isFirst { value = row.text(at: 0) }
      isFirst = false
    }
    return value
  }

  /// Returns the first column of all rows, for the same purposes as ``firstValue(_:)``.
  func firstColumn(_ sql: String) throws(DriverError) -> [String] {
    var values: [String] = []
    try runAlone(sql) { row in if let value = row.text(at: 0) { values.append(value) } }
    return values
  }

  private func runAlone(_ sql: String, _ body: (Row) -> Void) throws(DriverError) {
    var sql = sql
    let outcome = sql.withUTF8 { text in
      Result { () throws(DriverError) in
        let (statement, _) = try compile(text, persistent: false)
        defer {
          sqlite3_finalize(statement)
          record.compiled.clear()
        }
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW {
          body(Row(statement: statement))
          // Some pragmas take effect only when they run to their end.
          code = sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else { throw failure(code, moment: .running) }
      }
    }
    try outcome.get()
  }

  /// Calls ``makesFunctionsKnown`` once.
  private func makeFunctionsKnown() throws(DriverError) {
    guard let makesFunctionsKnown else { return }
    try makesFunctionsKnown(self)
    self.makesFunctionsKnown = nil
  }

  private func checkText(_ sql: String) throws(DriverError) {
    // The engine would silently stop reading at a NUL.
    var text = sql
    guard text.withUTF8({ !$0.contains(0) }) else {
      throw DriverError(
        .misuse, "The SQL text contains a NUL character. Remove it.", resultCode: SQLITE_MISUSE)
    }
  }

  private func remainder(
    _ text: UnsafeBufferPointer<UInt8>, _ length: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    length > 0 && length < text.count
      ? UnsafeBufferPointer(rebasing: text[length...]) : nil
  }

  /// Compiles the first statement of a text.
  ///
  /// The statement is `nil` if the text contains only white space and comments.
  private func compile(
    _ text: UnsafeBufferPointer<UInt8>, persistent: Bool
  ) throws(DriverError) -> (statement: OpaquePointer?, length: Int) {
    let database = try open()
    guard let start = text.baseAddress, let count = Int32(exactly: text.count) else {
      if text.isEmpty { return (nil, 0) }
      throw DriverError(
        .tooBig, "The SQL text is too long. Split it into several statements.",
        resultCode: SQLITE_TOOBIG)
    }
    var statement: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    record.compiled.clear()
    let code = start.withMemoryRebound(to: CChar.self, capacity: text.count) { sql in
      let code: Int32
      if persistent, let prepare = Connection.preparePersistent {
        // SQLITE_PREPARE_PERSISTENT, which older headers lack.
        code = prepare(database, sql, count, 1, &statement, &tail)
      } else {
        code = sqlite3_prepare_v2(database, sql, count, &statement, &tail)
      }
      return (code, tail.map { $0 - sql } ?? text.count)
    }
    guard code.0 == SQLITE_OK else {
      record.compiled.clear()
      var error = failure(code.0, moment: .preparing)
      let limit = Int(sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, -1))
      if error.code == .tooBig, text.count > limit {
        error.message =
          "The SQL text has \(text.count) bytes, but the engine accepts at most \(limit). Bind long "
          + "values instead of writing them into the text."
      }
      throw error
    }
    return (statement, code.1)
  }

  private typealias PreparePersistent =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, Int32, UInt32, UnsafeMutablePointer<OpaquePointer?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32

  /// The function `sqlite3_prepare_v3` of SQLite 3.20 and later.
  private static let preparePersistent: PreparePersistent? =
    Engine.own(ov_address_of_prepare_v3()).map { unsafeBitCast($0, to: PreparePersistent.self) }
}
