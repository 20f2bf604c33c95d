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

  /// Runs until the next row.
  ///
  /// - Parameter values: The values of the parameters, in order; those that are missing are NULL.
  /// - Returns: Whether there is a row.
  /// - Throws: The error of the engine. The statement is then reset.
  func step(_ values: [BoundValue]) throws(DriverError) -> Bool

  /// Ends the run.
  func reset()

  /// Releases the statement of the engine, so that every later use fails.
  func finalize()
}

// A statement of another engine has no pointer, so the fast paths of a statement end here.
extension Statement {
  @inline(never) @usableFromInline
  func stepElsewhere(_ code: Int32) throws(DriverError) -> Bool {
    guard let foreign else { throw failed(code) }
    do throws(DriverError) {
      return try foreign.step(arena.values ?? [])
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
    arena.values = []
  }

  @inline(never) @usableFromInline
  func rowElsewhere(_ layout: AnyObject?) -> Row {
    guard let row = foreign?.row else { return Row(statement: nil) }
    row.layout = layout
    return Row(statement: nil, layout: row)
  }
}
