public import ObjectVaultCondition
import ObjectVaultEngine

extension GroupedQuery {
  /// The keys of each group and what is made of it, as the file would keep them.
  ///
  /// - Throws: ``VaultError``: `.overflow` for a sum of integers beyond 64 bits; `.invalidArgument`
  ///   where there is neither a key nor anything to make.
  public func rows() throws -> [[StoredValue]] {
    try read { row in columns.indices.map(row.storedValue(at:)) }
  }

  /// The keys of each group and what is made of it, as tuples.
  ///
  /// - Parameters:
  ///   - firstType: The type to read the first column as.
  ///   - types: The types to read the others as.
  /// - Throws: as ``rows()-swift.method``; `.invalidArgument` where there are not as many types as
  ///   columns; `.invalidValue` for a value that is not of its type.
  public func rows<A: StorableValue, each Value: StorableValue>(
    as firstType: A.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, repeat each Value)] {
    let names = columns.map(\.shape.name)
    let make = try RowReader.tuple(
      A.self, repeat (each Value).self, of: names, columns.map(\.converter))
    return try read { row in try query.naming(names, row, make) }
  }

  /// How many groups there are.
  public func count() throws -> Int {
    try run(\.count) { try $0.count() }
  }

  func read<R>(_ make: (Row) throws -> R) throws -> [R] {
    let sums = columns.indices.filter { columns[$0].isSumOfIntegers }
    return try run(\.select) { statement in
      try statement.rows { row in
        // A sum of integers that is none is too large for one.
        for position in sums where row.storage(at: position) == .real {
          throw VaultError(
            .overflow,
            "The sum '\(columns[position].shape.name)' is beyond the integers of 64 bits. Sum fewer "
              + "objects, or their values as Double or Decimal.")
        }
        return try make(row)
      }
    }
  }

  private func run<R>(
    _ text: (GroupSQL) -> String, _ body: (Statement) throws -> R
  ) throws -> R {
    guard !columns.isEmpty else {
      throw VaultError(
        .invalidArgument, "Name a property to group by, or something to make of the objects.")
    }
    return try query.store.read { connection in
      let sql = GroupSQL(self, firstList: connection.nextList)
      return try query.store.access.timed(text(sql), asking: query.parts) { text in
        try connection.with(text, lists: sql.lists) { statement in
          sql.bind(to: statement.binder)
          return try body(statement)
        }
      }
    }
  }
}

extension GroupedQuery where T: Sendable {
  /// The keys of each group and what is made of it, without blocking the caller's thread.
  public func rows() async throws -> [[StoredValue]] {
    try await query.store.reading { try rows() }
  }

  /// The keys of each group and what is made of it, as tuples, without blocking the caller's thread.
  public func rows<A: StorableValue & Sendable, each Value: StorableValue & Sendable>(
    as firstType: A.Type, _ types: repeat (each Value).Type
  ) async throws -> [(A, repeat each Value)] {
    try await query.store.reading { try rows(as: A.self, repeat (each Value).self) }
  }

  /// How many groups there are, without blocking the caller's thread.
  public func count() async throws -> Int {
    try await query.store.reading { try count() }
  }
}
