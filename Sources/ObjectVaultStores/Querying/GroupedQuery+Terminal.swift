public import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema

extension GroupedQuery {
  /// Returns the keys and aggregates of each group as stored values.
  ///
  /// - Throws: ``VaultError``: `.overflow` for a sum of integers beyond 64 bits; `.invalidArgument`
  ///   if the query has neither a key nor an aggregation.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func rows() throws -> [[StoredValue]] {
    try read { row in columns.indices.map(row.storedValue(at:)) }
  }

  /// Returns the keys and aggregates of each group as tuples.
  ///
  /// - Parameters:
  ///   - firstType: The type of the first column.
  ///   - types: The types of the other columns.
  /// - Returns: One tuple for each group, in order.
  /// - Throws: The errors of ``rows()-swift.method``; `.invalidArgument` if the number of types
  ///   differs from the number of columns; `.invalidValue` for a value of another type.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func rows<A: StorableValue, each Value: StorableValue>(
    as firstType: A.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, repeat each Value)] {
    try query.checkSteps()
    let names = columns.map(\.shape.name)
    let make = try ReadColumn.tuple(
      A.self, repeat (each Value).self, of: columns.map(ReadColumn.init))
    return try read { row in try query.naming(names, row, make) }
  }

  /// Returns the number of groups.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func count() throws -> Int {
    try run(\.count) { try $0.count() }
  }

  func read<R>(_ make: (Row) throws -> R) throws -> [R] {
    let sums = columns.indices.filter { columns[$0].isSumOfIntegers }
    return try run(\.select) { statement in
      try statement.rows { row in
        // The function returns a real number if the sum does not fit in an integer.
        for position in sums where row.storage(at: position) == .real {
          throw VaultError(
            .overflow,
            "The sum '\(columns[position].shape.name)' exceeds 64 bits. Sum fewer objects, or "
              + "read the values and add them as Double or Decimal.")
        }
        return try make(row)
      }
    }
  }

  private func run<R>(
    _ text: (GroupSQL) -> String, _ body: (Statement) throws -> R
  ) throws -> R {
    try query.store.read { session in
      let sql = try GroupSQL(self, firstList: session.nextList)
      return try query.store.access.timed(text(sql), of: query.parts) { text in
        try session.with(text, lists: sql.lists) { statement in
          sql.bind(to: statement.binder)
          return try body(statement)
        }
      }
    }
  }
}
