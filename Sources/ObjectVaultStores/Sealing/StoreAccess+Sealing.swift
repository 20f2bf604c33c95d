import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension StoreAccess {
  /// Returns the number for the next object, which the engine would generate.
  ///
  /// A sealed value is bound to it, so it must be known before the row is inserted.
  ///
  /// - Parameter session: The writer connection.
  /// - Returns: The number.
  /// - Throws: `.constraint` if no number is left.
  func nextNumber(on session: Session) throws -> Int64 {
    if let number = try table.sequence.take(on: session) { return number }
    let id = table.sql.quotedColumns[table.objectIDPositions[0]]
    let last =
      try session.with("SELECT max(\(id)) FROM \(table.sql.table)") { try $0.integer() } ?? 0
    let recorded =
      table.generatedPosition >= 0 ? try table.sequence.recorded(on: session) ?? 0 : 0
    let highest = max(last, recorded, 0)
    guard highest < .max else {
      table.noteLastNumber()
      throw table.usedUp(nil)
    }
    return highest + 1
  }

  /// Binds the values of an update, sealed.
  ///
  /// - Parameters:
  ///   - sealing: The sealing of the class.
  ///   - partial: The properties to write; `nil` for all of them.
  ///   - session: The writer connection.
  ///   - binder: The binder of the statement.
  ///   - bind: Binds the values in plaintext.
  /// - Throws: The errors of `bind` and of the sealer; `.invalidArgument` if a partial update
  ///   changes the name of an erasable key, but not the values that are sealed by it.
  @inline(never)
  func bind(
    sealing: TableSealing, _ partial: PartialUpdate?, on session: Session, to binder: Binder,
    _ bind: (Binder) throws -> Void
  ) throws {
    let record = sealing.record
    try bind(record.binder)
    var values = record.values
    if let partial, sealing.rows.needsNames(partial.positions) {
      try nameKeys(of: &values, sealing, partial, on: session)
    }
    try sealing.bind(values, only: partial?.positions, to: binder)
  }

  /// Sets the names of erasable keys that an update does not write to those of the stored row.
  private func nameKeys(
    of values: inout [BoundValue], _ sealing: TableSealing, _ partial: PartialUpdate,
    on session: Session
  ) throws {
    let stored = try table.with(.find, on: session) { statement -> [BoundValue]? in
      let binder = statement.binder
      for position in table.objectIDPositions {
        values[position].bind(to: binder, at: position)
      }
      guard try statement.step() else { return nil }
      return (0..<sealing.rows.width).map {
        sealing.rows.restored(BoundValue(statement.row.storedValue(at: $0)), at: $0)
      }
    }
    // Without a row, the update finds none either.
    guard let stored else { return }
    for one in sealing.rows.columns {
      guard let key = one.key else { continue }
      if !partial.positions.contains(key) {
        values[key] = stored[key]
      } else if values[key] != stored[key], stored[one.position] != .null,
        !partial.positions.contains(one.position)
      {
        let names = [key, one.position].map { table.description.properties[$0].name }
        throw VaultError(
          .invalidArgument,
          "Property '\(names[0])' of class '\(table.description.name)' names the key of "
            + "'\(names[1])', so it cannot be changed alone. Update both properties.")
      }
    }
  }
}
