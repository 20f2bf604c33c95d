import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension StoreAccess {
  /// Whether every number that the engine may generate is an object ID of the class.
  @usableFromInline var takesEveryNumber: Bool { table.takesEveryNumber }

  /// Returns whether a number can be an object ID of the class.
  @usableFromInline
  func mayGenerate(_ number: Int64) -> Bool {
    table.description.generatedNumbers.contains(number)
  }

  /// Throws if no number is left to generate.
  ///
  /// Checking first preserves the transaction, which the engine rolls back when it finds out
  /// itself.
  ///
  /// - Throws: `.constraint`.
  @inline(__always)
  func checkNumbersLeft(on session: Session) throws {
    if table.mayHaveLastNumber, try table.hasLastNumber(on: session) {
      throw table.usedUp(nil)
    }
  }

  /// Returns the error for an engine failure to insert an object without an object ID.
  ///
  /// The engine reports used-up numbers as a full disk.
  @inline(never)
  func failure(_ error: DriverError, on session: Session) -> any Error {
    guard error.code == .diskFull, table.description.objectID == .generated,
      (try? table.hasLastNumber(on: session)) == true
    else { return error }
    table.noteLastNumber()
    return table.usedUp(error)
  }
}

extension Table {
  /// Returns whether an object was given the last possible number, so that none can be generated.
  func hasLastNumber(on session: Session) throws -> Bool {
    try sequence.isUsedUp(on: session)
  }

  /// The numbers that the engine generates for the table.
  var sequence: GeneratedSequence {
    GeneratedSequence(
      table: description.table, column: description.rowColumns[objectIDPositions[0]])
  }

  var withoutNumbers: VaultError {
    let property = description.properties[objectIDPositions[0]]
    return VaultError(
      .constraint,
      "The object needs an object ID: SQLite generates numbers only for a column that is declared "
        + "as INTEGER PRIMARY KEY, and column '\(property.column)' of table "
        + "'\(description.table)' is not. Set property '\(property.name)'.")
  }

  func usedUp(_ underlying: DriverError?) -> VaultError {
    VaultError(
      .constraint,
      "No object ID can be generated for class '\(description.name)', because an object has the "
        + "last 64-bit number and numbers are not reused. Set a free object ID, or move the "
        + "objects to another table.",
      engineCode: underlying?.resultCode, underlying: underlying)
  }
}
