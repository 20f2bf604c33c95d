import ObjectVaultCondition
public import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSession

// These methods pass rows to inlinable code that creates the objects in the module of their type.

extension StoreAccess {
  /// Returns the results of `make` for all rows of a query.
  @inlinable
  func objects<T>(_ query: QueryParts, _ make: (Row) throws -> T) throws -> [T] {
    var objects: [T] = []
    try read(query) { count in
      objects.reserveCapacity(min(count, Self.mostReserved / MemoryLayout<T>.stride))
    } _: { row in
      objects.append(try make(row))
    }
    return objects
  }

  /// Returns whether a read that failed with an error can run again: a connection was lost outside
  /// of read scopes and transactions.
  @usableFromInline
  func canRead(again error: any Error) -> Bool {
    guard let error = error as? VaultError, error.code == .connectionLost,
      let opened = try? database.opened(), !opened.sessions.isInScope
    else { return false }
    return opened.canRead(again: error)
  }

  /// The greatest number of bytes to reserve for a list in advance.
  @usableFromInline static var mostReserved: Int { 64 << 20 }

  /// Calls `body` with each row of a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - expect: Called with the estimated number of rows after the first of them, if there is an
  ///     estimate.
  ///   - body: Called with each row.
  /// - Throws: Errors of the statement and of `body`.
  @usableFromInline
  func read(
    _ query: QueryParts, expecting expect: (Int) -> Void, _ body: (Row) throws -> Void
  ) throws {
    try read(query, query.limit) { statement, session in
      guard let forecast = RowForecast(query, of: self) else {
        return try giveRows(of: statement, to: body)
      }
      guard try give(1, of: statement, to: body) else { return }
      let first = forecast.number(statement)
      guard try give(RowForecast.sample - 1, of: statement, to: body) else { return }
      try forecast.count(from: first, over: forecast.number(statement), on: session).map(expect)
      try giveRows(of: statement, to: body)
    }
  }

  /// Calls `body` with the first row of a query, if any.
  @usableFromInline
  func readFirst(_ query: QueryParts, _ body: (Row) throws -> Void) throws {
    try read(query, LimitClause(firstFrom: query.offset, length: query.length)) { statement, _ in
      _ = try give(1, of: statement, to: body)
    }
  }

  @inline(__always)
  private func read(
    _ query: QueryParts, _ limit: LimitClause,
    _ run: (Statement, Session) throws -> Void
  ) throws {
    try read { session in
      if partition == nil, query.asksConditionAlone,
        case .formed(let form, let values)? = query.condition
      {
        let sql = form.select(limit)
        return try timed(sql.text, of: query) { _ in
          try session.with(sql) { statement in
            // The values of the condition and the range are the only parameters of the statement.
            let binder = statement.rebinder
            let next = form.bind(values, to: binder)
            if !limit.isConstant { _ = limit.bind(to: binder, at: next, table.sql.dialect) }
            try run(statement, session)
          }
        }
      }
      try QuerySQL.with(query, of: self, limit: limit, { $0.select }, on: session) {
        try run($0, session)
      }
    }
  }

  /// Returns the number of objects that a query selects.
  func count(_ query: QueryParts) throws -> Int {
    try read { session in
      if partition == nil, query.asksConditionAlone, query.limit.isWhole {
        switch query.condition {
        case nil:
          return try timed(sql.count.text, of: query) { _ in
            try session.with(sql.count) { try $0.count() }
          }
        case .formed(let form, let values)?:
          return try timed(form.count.text, of: query) { _ in
            try session.with(form.count) { statement in
              _ = form.bind(values, to: statement.rebinder)
              return try statement.count()
            }
          }
        case .checked?: break
        }
      }
      return try QuerySQL.with(query, of: self, \.count, on: session) { try $0.count() }
    }
  }

  /// Calls `body` with the row of an object ID, if the row exists.
  ///
  /// - Parameters:
  ///   - bind: Binds the object ID; the values of the partition follow.
  ///   - body: Called with the row.
  /// - Throws: Errors of the statement and of the closures.
  @usableFromInline
  func find(
    _ bind: (Binder) throws -> Void, _ body: (Row) throws -> Void
  ) throws {
    try read { session in
      try with(.find, on: session) { statement in
        // All parts of the object ID are bound, so no earlier binding remains.
        let binder = statement.rebinder
        try bind(binder)
        partition?.bind(to: binder)
        if try statement.step() { try give(statement.row(layout: table.layout), to: body) }
      }
    }
  }

  /// Returns the object from the only row that `fetch` passes, or `nil` without a row.
  ///
  /// The object is created in its final memory and never copied.
  @inlinable
  @inline(__always)
  static func one<T: VaultObject>(
    _ fetch: (_ take: (Row) throws -> Void) throws -> Void
  ) throws -> T? {
    try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { room in
      var isMade = false
      do {
        try fetch { row in
          room.initializeElement(at: 0, to: try T(row: row))
          isMade = true
        }
      } catch {
        if isMade { room.deinitializeElement(at: 0) }
        throw error
      }
      return isMade ? room.moveElement(from: 0) : nil
    }
  }

  /// Passes the next `count` rows to `body`.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - statement: The statement that returns the rows.
  ///   - body: Called with each row.
  /// - Returns: Whether the statement returned that many rows.
  /// - Throws: Errors of the statement and of `body`.
  @inline(__always)
  private func give(
    _ count: Int, of statement: Statement, to body: (Row) throws -> Void
  ) throws -> Bool {
    for _ in 0..<count {
      guard try statement.step() else { return false }
      try give(statement.row(layout: table.layout), to: body)
    }
    return true
  }

  /// Passes the remaining rows to `body`.
  @inline(__always)
  private func giveRows(of statement: Statement, to body: (Row) throws -> Void) throws {
    guard try statement.step() else { return }
    let row = statement.row(layout: table.layout)
    repeat { try give(row, to: body) } while try statement.step()
  }

  /// Passes the current row of a statement to `body`.
  @inline(__always)
  private func give(_ row: Row, to body: (Row) throws -> Void) throws {
    do {
      if let sealing = table.sealing {
        return try sealing.opened(row, layout: table.layout, body)
      }
      try body(row)
    } catch {
      throw naming(error)
    }
  }

  /// Returns an error of reading or binding an object with the name of its property, if known.
  @usableFromInline
  func naming(_ error: any Error) -> any Error { table.description.naming(error) }
}
