package import ObjectVaultCondition
package import ObjectVaultDriver
import ObjectVaultModel

/// The sealing of a table's rows with the keys of its open database.
package struct TableSealing: Sendable {
  let rows: RowSealing
  private let sealers: SealerSource

  /// Creates the sealing of a class; `nil` if it has no sealed property.
  init?(_ description: ClassDescription, _ sealers: SealerSource) {
    guard let rows = RowSealing(description) else { return nil }
    self.rows = rows
    self.sealers = sealers
  }

  /// Returns a record for the values of a row before they are sealed.
  var record: RecordedValues { RecordedValues(count: rows.width) }

  /// Seals values and binds them.
  ///
  /// - Parameters:
  ///   - values: The values of a row with its object ID.
  ///   - positions: The positions of the written columns; `nil` for all of them.
  ///   - binder: The binder of the statement.
  /// - Throws: The errors of the sealer.
  func bind(_ values: [BoundValue], only positions: [Int]? = nil, to binder: Binder) throws {
    var values = values
    try rows.seal(&values, only: positions, by: sealers.sealer)
    let written = positions.map { Set($0) }
    let sealed = Set(rows.columns.map(\.position))
    for (position, value) in values.enumerated() {
      // The plaintext of a column that is not written does not reach the engine either.
      if sealed.contains(position), written?.contains(position) == false { continue }
      value.bind(to: binder, at: position)
    }
  }

  /// Binds values for comparison: findable ones as their indexes, and no other sealed one.
  ///
  /// - Parameters:
  ///   - values: The values of a row.
  ///   - binder: The binder of the statement.
  /// - Throws: The errors of the sealer.
  func bindCompared(_ values: [BoundValue], to binder: Binder) throws {
    var values = values
    try rows.index(&values, by: sealers.sealer)
    for (position, value) in values.enumerated() { value.bind(to: binder, at: position) }
  }

  /// Binds the values of properties that are not sealed, and no others.
  ///
  /// - Parameters:
  ///   - binder: The binder of the statement.
  ///   - bind: Binds the values in plaintext.
  /// - Throws: The errors of `bind`.
  func bindUnsealed(to binder: Binder, _ bind: (Binder) throws -> Void) throws {
    let record = record
    try bind(record.binder)
    let sealed = Set(rows.columns.map(\.position))
    for (position, value) in record.values.enumerated() where !sealed.contains(position) {
      value.bind(to: binder, at: position)
    }
  }

  /// Calls `body` with a row with opened values.
  ///
  /// - Parameters:
  ///   - row: The row as it is stored, with its columns in reading order.
  ///   - layout: The layout for reading a class described at run time.
  ///   - body: Receives the row in reading order.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of the sealer and of `body`.
  package func opened<R>(
    _ row: Row, layout: AnyObject?, _ body: (Row) throws -> R
  ) throws -> R {
    let values = (0..<rows.width).map(row.storedValue(at:))
    let repaired = values.indices.filter { position in
      // Only the replacement character can be a repaired byte; its first byte is EF.
      guard case .text(let text) = values[position], text.utf8.contains(0xEF) else { return false }
      return row.validText(at: position) == nil
    }
    return try Row.withValues(try opened(values), repaired: Set(repaired), layout: layout) {
      row throws in try body(row)
    }
  }

  /// Returns the opened values of a row in reading order.
  package func opened(_ values: [StoredValue]) throws -> [StoredValue] {
    var values = values
    try rows.open(&values, by: sealers.sealer)
    return values
  }
}

/// The keys of an open database for sealed values.
package final class SealerSource: Sendable {
  private let database: WeakReference<AnyObject>

  init(of database: any OpenDatabase) { self.database = WeakReference(database) }

  /// The keys.
  ///
  /// - Throws: `.noKey` if the database has none; `.wrongKey` if they are not those of its values.
  var sealer: any ValueSealer {
    get throws {
      guard let database = database.object as? any OpenDatabase else { throw Self.closed }
      return try database.sealer()
    }
  }

  private static var closed: VaultError {
    VaultError(.closed, "The vault of a sealed property was closed. Open it again.")
  }
}
