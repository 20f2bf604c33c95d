import ObjectVaultEngine

extension ObjectStore {
  /// The objectID of the row just inserted under a number, for an object that had none.
  ///
  /// - Returns: `nil` where the objectID is no number.
  /// - Throws: `.invalidValue` for a number that is none of the objectID's type. The row is there,
  ///   and must be undone.
  @inlinable
  func generatedID(_ number: Int64) throws -> T.ObjectIDType? {
    let id = T.ObjectIDType(rowID: number)
    if access.takesEveryNumber { return id }
    guard let id, access.mayGenerate(number) else { throw misfit }
    return id
  }

  @usableFromInline var misfit: VaultError {
    let position = state.objectIDPositions[0]
    let property = state.description.properties[position]
    return VaultError(
      .invalidValue,
      "The next objectID of class '\(classDescription.name)' is no value of property "
        + "'\(property.name)', which is \(property.type.rawValue). Nothing was stored. Give the object "
        + "an objectID that is free, or keep the class with a wider type of number.")
  }

  /// Whether inserting the object may have to be undone, for the number that it is given.
  @inline(__always)
  func mayGenerateMisfit(for object: T) -> Bool {
    !state.takesEveryNumber && object.storedObjectID == nil
  }
}

extension StoreAccess {
  /// Whether every number that the engine may generate is an objectID of the class.
  @usableFromInline var takesEveryNumber: Bool { state.takesEveryNumber }

  /// Whether a number is one that the class's objectID may be given.
  @usableFromInline
  func mayGenerate(_ number: Int64) -> Bool {
    state.description.generatedNumbers.contains(number)
  }

  /// - Throws: `.constraint` where no number is left. To know that before the engine does keeps the
  ///   transaction, which the engine undoes when it finds out.
  @inline(__always)
  func checkNumbersLeft(on connection: VaultConnection) throws {
    if state.mayHaveLastNumber, try state.hasLastNumber(on: connection) {
      throw state.usedUp(nil)
    }
  }

  /// What the engine's failure to insert an object without an objectID means. It says that the disk
  /// is full for numbers that are used up, too.
  @inline(never)
  func failure(_ error: EngineError, on connection: VaultConnection) -> any Error {
    guard error.code == .diskFull, state.description.objectID == .generated,
      (try? state.hasLastNumber(on: connection)) == true
    else { return error }
    state.noteLastNumber()
    return state.usedUp(error)
  }
}

extension TableState {
  /// Whether the last number there is was given to an object, so that none can be generated.
  func hasLastNumber(on connection: VaultConnection) throws -> Bool {
    // Without this table nothing is kept of the numbers given, and the engine looks for a free one.
    guard try Schema(on: connection).hasTable("sqlite_sequence") else { return false }
    let id = sql.qualifiedColumns[objectIDPositions[0]]
    return try connection.with(
      "SELECT 1 FROM sqlite_sequence WHERE name = ?1 AND (seq = \(Int64.max) OR EXISTS "
        + "(SELECT 1 FROM \(sql.table) WHERE \(id) = \(Int64.max)))"
    ) { statement in
      statement.binder.bind(text: description.table, at: 0)
      return try statement.step()
    }
  }

  func usedUp(_ underlying: EngineError?) -> VaultError {
    VaultError(
      .constraint,
      "No objectID can be generated for class '\(description.name)': an object was given the last "
        + "number of 64 bits, and no number is given twice. Give the object an objectID that is "
        + "free, or move the objects to another table.",
      engineCode: underlying?.resultCode, underlying: underlying)
  }
}
