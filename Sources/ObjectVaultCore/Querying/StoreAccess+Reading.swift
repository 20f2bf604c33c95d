import ObjectVaultCondition
public import ObjectVaultEngine

// Rows for what makes objects of them, which is compiled where their type is known.

extension StoreAccess {
  /// What is made of every row of a query.
  @inlinable
  func objects<T>(_ query: QueryParts, _ make: (Row) throws -> T) throws -> [T] {
    var objects: [T] = []
    try read(query) { count in
      objects.reserveCapacity(min(count, Self.mostReserved / MemoryLayout<T>.stride))
      let size = objects.capacity * MemoryLayout<T>.stride
      objects.withUnsafeBytes {
        LargePages.prefer(for: UnsafeRawBufferPointer(start: $0.baseAddress, count: size))
      }
    } _: { row in
      objects.append(try make(row))
    }
    return objects
  }

  /// How many bytes a list may take ahead of what it holds.
  @usableFromInline static var mostReserved: Int { 64 << 20 }

  /// Calls `body` with each row of a query.
  ///
  /// - Parameter expect: Told how many rows there are about, where that is found out after the first of
  ///   them.
  @usableFromInline
  func read(
    _ query: QueryParts, expecting expect: (Int) -> Void, _ body: (Row) throws -> Void
  ) throws {
    try read(query, query.limit) { statement, connection in
      guard let forecast = RowForecast(query, of: self) else {
        return try giveRows(of: statement, to: body)
      }
      guard try give(1, of: statement, to: body) else { return }
      let first = forecast.number(statement)
      guard try give(RowForecast.sample - 1, of: statement, to: body) else { return }
      try forecast.count(from: first, over: forecast.number(statement), on: connection).map(expect)
      try giveRows(of: statement, to: body)
    }
  }

  /// Calls `body` with the first row of a query, where there is one.
  @usableFromInline
  func readFirst(_ query: QueryParts, _ body: (Row) throws -> Void) throws {
    try read(query, LimitClause(firstFrom: query.offset, length: query.length)) { statement, _ in
      _ = try give(1, of: statement, to: body)
    }
  }

  @inline(__always)
  private func read(
    _ query: QueryParts, _ limit: LimitClause,
    _ run: (Statement, VaultConnection) throws -> Void
  ) throws {
    try read { connection in
      if partition == nil, query.asksConditionAlone,
        case .formed(let form, let values)? = query.condition
      {
        let sql = form.select(limit)
        return try timed(sql.text, asking: query) { _ in
          try connection.with(sql) { statement in
            // The condition's values and the range are all that the statement has.
            let binder = statement.rebinder
            _ = limit.bind(to: binder, at: form.bind(values, to: binder))
            try run(statement, connection)
          }
        }
      }
      try QuerySQL.with(query, of: self, limit: limit, \.select, on: connection) {
        try run($0, connection)
      }
    }
  }

  /// How many objects a query chooses.
  func count(_ query: QueryParts) throws -> Int {
    try read { connection in
      if partition == nil, query.asksConditionAlone, query.limit.isWhole {
        switch query.condition {
        case nil:
          return try timed(sql.count.text, asking: query) { _ in
            try connection.with(sql.count) { try $0.count() }
          }
        case .formed(let form, let values)?:
          return try timed(form.count.text, asking: query) { _ in
            try connection.with(form.count) { statement in
              _ = form.bind(values, to: statement.rebinder)
              return try statement.count()
            }
          }
        case .checked?: break
        }
      }
      return try QuerySQL.with(query, of: self, \.count, on: connection) { try $0.count() }
    }
  }

  /// Calls `body` with the row under an objectID, where there is one.
  ///
  /// - Parameter bind: Binds the objectID; the partition's values follow.
  @usableFromInline
  func find(
    _ bind: (Binder) throws -> Void, _ body: (Row) throws -> Void
  ) throws {
    try read { connection in
      try with(.find, on: connection) { statement in
        // An objectID has all its parts, so that nothing bound before is left.
        let binder = statement.rebinder
        try bind(binder)
        partition?.bind(to: binder)
        if try statement.step() { try give(statement, to: body) }
      }
    }
  }

  /// The object of the one row that `fetch` gives, where there is one: made where it stays, so that it is
  /// never copied.
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

  /// Gives the next rows, so many as there are.
  ///
  /// - Returns: Whether there were so many.
  @inline(__always)
  private func give(
    _ count: Int, of statement: Statement, to body: (Row) throws -> Void
  ) throws -> Bool {
    for _ in 0..<count {
      guard try statement.step() else { return false }
      try give(statement, to: body)
    }
    return true
  }

  /// Gives all rows that are left.
  @inline(__always)
  private func giveRows(of statement: Statement, to body: (Row) throws -> Void) throws {
    while try statement.step() { try give(statement, to: body) }
  }

  /// Gives the row that a statement stands on to what makes an object of it.
  @inline(__always)
  private func give(_ statement: Statement, to body: (Row) throws -> Void) throws {
    do {
      try body(statement.row(layout: state.layout))
    } catch {
      throw naming(error)
    }
  }

  /// What reading or binding an object failed with, with the property where that is known.
  @usableFromInline
  func naming(_ error: any Error) -> any Error { state.description.naming(error) }
}
