internal import CSQLCipher

extension Connection {
  /// Reads one statement.
  ///
  /// - Parameter persistent: whether it will be kept and run many times.
  /// - Throws: ``EngineError/Code/sqlError`` when the SQL is not right; ``EngineError/Code/misuse``
  ///   when it holds no statement, more than one, or a NUL character.
  package func prepare(_ sql: String, persistent: Bool = true) throws(EngineError) -> Statement {
    try checkText(sql)
    try makeFunctionsKnown()
    var sql = sql
    let outcome = sql.withUTF8 { text -> Result<Statement, EngineError> in
      do throws(EngineError) {
        let (first, length) = try compile(text, persistent: persistent)
        guard let first else {
          throw EngineError(.misuse, "the SQL text holds no statement", resultCode: SQLITE_MISUSE)
        }
        let statement = Statement(first, connection: self)
        if let rest = remainder(text, length) {
          let (second, _) = try compile(rest, persistent: false)
          sqlite3_finalize(second)
          guard second == nil else {
            throw EngineError(
              .misuse, "the SQL text holds more than one statement", resultCode: SQLITE_MISUSE)
          }
        }
        return .success(statement)
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// A statement for a text, from the cache where it is free there.
  ///
  /// A statement of the cache that someone holds or that stands on a row is not given out again: a
  /// fresh one is. Hold it no longer than it runs; what stays is made by ``prepare(_:persistent:)``.
  package func statement(_ sql: String) throws(EngineError) -> Statement {
    try statement(StatementText(sql))
  }

  /// A statement for a text that is asked for again and again, as ``statement(_:)-(String)`` gives it.
  package func statement(_ sql: StatementText) throws(EngineError) -> Statement {
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

  /// How many statements the cache holds.
  package var cachedStatementCount: Int { cache.count }

  /// Runs one statement or several to their end; rows are passed over.
  package func execute(_ sql: String) throws(EngineError) {
    try checkText(sql)
    try makeFunctionsKnown()
    var sql = sql
    let outcome = sql.withUTF8 { text -> Result<Void, EngineError> in
      do throws(EngineError) {
        var rest: UnsafeBufferPointer<UInt8>? = text
        while let text = rest {
          let (pointer, length) = try compile(text, persistent: false)
          if let pointer { try Statement(pointer, connection: self).run() }
          rest = remainder(text, length)
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }

  /// The first column of the first row of a statement, or `nil` without a row.
  ///
  /// It is for settings and for tables of the library's own, in a text that the library made: the
  /// functions that SQL may call need not be known yet.
  package func firstValue(_ sql: String) throws(EngineError) -> String? {
    var isFirst = true
    var value: String?
    try runAlone(sql) { row in
      if isFirst { value = row.text(at: 0) }
      isFirst = false
    }
    return value
  }

  /// The first column of all rows, for what ``firstValue(_:)`` is for.
  func firstColumn(_ sql: String) throws(EngineError) -> [String] {
    var values: [String] = []
    try runAlone(sql) { row in if let value = row.text(at: 0) { values.append(value) } }
    return values
  }

  private func runAlone(_ sql: String, _ body: (Row) -> Void) throws(EngineError) {
    var sql = sql
    let outcome = sql.withUTF8 { text in
      Result { () throws(EngineError) in
        let (statement, _) = try compile(text, persistent: false)
        defer {
          sqlite3_finalize(statement)
          compiled.clear()
        }
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW {
          body(Row(statement: statement))
          // Some pragmas act only when they run to their end.
          code = sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else { throw failure(code, moment: .running) }
      }
    }
    try outcome.get()
  }

  /// Calls ``makesFunctionsKnown``, once.
  private func makeFunctionsKnown() throws(EngineError) {
    guard let makesFunctionsKnown else { return }
    try makesFunctionsKnown(self)
    self.makesFunctionsKnown = nil
  }

  private func checkText(_ sql: String) throws(EngineError) {
    // The engine would stop reading there without a word.
    var text = sql
    guard text.withUTF8({ !$0.contains(0) }) else {
      throw EngineError(
        .misuse, "the SQL text holds a NUL character", resultCode: SQLITE_MISUSE)
    }
  }

  private func remainder(
    _ text: UnsafeBufferPointer<UInt8>, _ length: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    length > 0 && length < text.count
      ? UnsafeBufferPointer(rebasing: text[length...]) : nil
  }

  /// Reads the first statement of a text; `nil` where only space and comments stand.
  private func compile(
    _ text: UnsafeBufferPointer<UInt8>, persistent: Bool
  ) throws(EngineError) -> (statement: OpaquePointer?, length: Int) {
    let database = try open()
    guard let start = text.baseAddress, let count = Int32(exactly: text.count) else {
      if text.isEmpty { return (nil, 0) }
      throw EngineError(.tooBig, "the SQL text is too long", resultCode: SQLITE_TOOBIG)
    }
    var statement: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    compiled.clear()
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
      compiled.clear()
      throw failure(code.0, moment: .preparing)
    }
    return (statement, code.1)
  }

  private typealias PreparePersistent =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, Int32, UInt32, UnsafeMutablePointer<OpaquePointer?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32

  /// `sqlite3_prepare_v3`, which came with SQLite 3.20.
  private static let preparePersistent: PreparePersistent? =
    Engine.function(named: "sqlite3_prepare_v3").map {
      unsafeBitCast($0, to: PreparePersistent.self)
    }
}
