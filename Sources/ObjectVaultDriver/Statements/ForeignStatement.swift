internal import CSQLCipher

/// A compiled statement of an engine other than SQLite.
///
/// A ``Statement`` passes to it the bound values and reads its rows.
@usableFromInline
package protocol ForeignStatement: AnyObject {
  /// The text of the statement, without parameter values.
  var sql: String { get }
  /// The number of parameters.
  var parameterCount: Int { get }
  /// The names of the columns of its rows; empty if it returns none.
  var columnNames: [String] { get }
  /// Whether the statement is at a row.
  var isBusy: Bool { get }
  /// The current row, which the statement retains until it is reset; `nil` if there is none.
  var row: RowValues? { get }

  /// Advances to the next row of the run if it is in memory.
  ///
  /// - Returns: Whether it is; otherwise ``step(_:)`` finds out whether there is a row.
  func advance() -> Bool

  /// Runs until the next row.
  ///
  /// - Parameter values: The values of the parameters, in order; those that are missing are NULL.
  /// - Returns: Whether there is a row.
  /// - Throws: The error of the engine. The statement is then reset.
  func step(_ values: [BoundValue]) throws(DriverError) -> Bool

  /// Runs the statement with the values of many rows at once, or not at all.
  ///
  /// - Parameter rows: The values of the parameters for each run.
  /// - Returns: The number of rows that each run changed; `nil` if one failed, so that none had an
  ///   effect.
  /// - Throws: An error after which the connection cannot be used.
  func run(withAll rows: [[BoundValue]]) throws(DriverError) -> [Int]?

  /// Inserts rows in the fastest way, in place of the statement, or inserts none.
  ///
  /// - Parameters:
  ///   - copy: The table.
  ///   - count: The number of rows.
  ///   - given: The numbers of the rows; empty if they are generated.
  ///   - values: Returns the values of a row, counted from 0.
  /// - Returns: The numbers, if the table has some; `nil` if the rows were rejected.
  /// - Throws: The error of `values`, and an error after which the connection cannot be used.
  func copy(
    _ copy: RowCopy, count: Int, given: [Int64], _ values: (Int) throws -> [BoundValue]
  ) throws -> [Int64]?

  /// Ends the run.
  func reset()

  /// Releases the statement of the engine, so that every later use fails.
  func finalize()
}

/// The rows that a ``ForeignStatement`` inserts in the fastest way.
@usableFromInline
package struct RowCopy: Sendable {
  /// The greatest number of rows at once.
  package static let limit = 16_384
  /// The quoted name of the table.
  package let table: String
  /// The quoted columns.
  package let columns: [String]
  /// The types of the columns, as SQLite names them.
  package let types: [String]
  /// The position of the column with generated numbers; `nil` if there is none.
  package let generated: Int?

  package init(table: String, columns: [String], types: [String], generated: Int?) {
    (self.table, self.columns, self.types) = (table, columns, types)
    self.generated = generated
  }
}

extension Statement {
  /// Whether ``run(withAll:)`` and ``copy(_:count:_:)`` are faster than one run for each row.
  package var runsTogether: Bool { foreign != nil }

  /// The values that were bound for the next run.
  package var boundValues: [BoundValue] { arena.filling.values ?? [] }

  /// Runs the statement with the values of many rows at once, see ``ForeignStatement``.
  package func run(withAll rows: [[BoundValue]]) throws(DriverError) -> [Int]? {
    defer { noteWrites() }
    return try foreign?.run(withAll: rows)
  }

  /// Inserts rows in the fastest way, see ``ForeignStatement``.
  ///
  /// - Parameters:
  ///   - copy: The table.
  ///   - count: The number of rows.
  ///   - given: The numbers of the rows; empty if they are generated.
  ///   - encode: Binds the values of a row, counted from 0.
  /// - Returns: The numbers, if the table has some; `nil` if the rows were rejected.
  /// - Throws: The error of `encode`, and an error after which the connection cannot be used.
  package func copy(
    _ copy: RowCopy, count: Int, given: [Int64], _ encode: (Int, Binder) throws -> Void
  ) throws -> [Int64]? {
    defer { noteWrites() }
    let arena = BindingArena()
    return try foreign?.copy(copy, count: count, given: given) { row in
      arena.bindNulls(copy.columns.count)
      try encode(row, Binder(statement: nil, arena: arena))
      return arena.filling.values ?? []
    }
  }
}

// A statement of another engine has no pointer, so the fast paths of a statement end here.
extension Statement {
  @inline(never) @usableFromInline
  func stepElsewhere() throws(DriverError) -> Bool {
    guard let foreign else { throw failed(SQLITE_MISUSE) }
    if foreign.advance() { return true }
    defer { if writes { noteWrites() } }
    do throws(DriverError) {
      return try foreign.step(arena.filling.values ?? [])
    } catch {
      endRun()
      throw error
    }
  }

  @inline(never) @usableFromInline
  func resetElsewhere() { foreign?.reset() }

  /// Removes the values of a statement of another engine, which is reset.
  @inline(never) @usableFromInline
  func clearElsewhere() {
    guard foreign != nil else { return }
    endRun()
    arena.filling.values?.removeAll(keepingCapacity: true)
  }

  @inline(never) @usableFromInline
  func rowElsewhere(_ layout: AnyObject?) -> Row {
    guard let row = foreign?.row else { return Row(statement: nil) }
    if row.layout !== layout { row.layout = layout }
    return Row(statement: nil, layout: row)
  }
}
