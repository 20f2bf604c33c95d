public import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// The insertion of objects with one statement, without their type.
@usableFromInline
struct Insertion {
  private let access: StoreAccess
  private let session: Session
  private let statement: Statement
  /// The values of the next object before they are sealed; `nil` if none are.
  private let recorded: RecordedValues?
  /// The number of objects that a statement inserts at once; 0 if each needs its own.
  @usableFromInline let severalCount: Int
  /// Whether enough numbers are left for consecutive generation; `nil` while unknown.
  private var hasManyNumbersLeft: Bool?
  /// The highest generated number; recorded as assigned once the insertion succeeds.
  fileprivate var highestGenerated: Int64 = .min

  fileprivate init(
    _ statement: Statement, of access: StoreAccess, on session: Session
  ) {
    self.access = access
    self.session = session
    self.statement = statement
    recorded = access.table.sealing?.record
    severalCount =
      access.generatedPosition >= 0 && !access.table.runsInsertTriggers ? access.severalCount : 0
  }

  /// The binder for the values of the next object.
  @usableFromInline var binder: Binder { recorded?.binder ?? statement.binder }

  /// Inserts the bound object, which has an object ID.
  @usableFromInline
  mutating func insertNamed() throws {
    if let recorded { try seal(recorded) }
    try statement.run()
    try access.checkCount(1, on: session)
    hasManyNumbersLeft = nil
    if access.generatedPosition >= 0, session.connection.lastInsertRowID == .max {
      access.table.noteLastNumber()
    }
  }

  /// Inserts the bound object, which has no object ID.
  ///
  /// - Parameter binder: The binder that holds the object's values.
  /// - Returns: The number of its row.
  /// - Throws: `.constraint` if no number is left or the engine generates none, and engine errors.
  @usableFromInline
  mutating func insertWithoutID(_ binder: Binder) throws -> Int64 {
    if access.table.lacksNumbers { throw access.table.withoutNumbers }
    if access.generatedPosition >= 0 { try access.checkNumbersLeft(on: session) }
    if access.table.givenNumbers.mustBeSkipped,
      let number = try access.numberAfterGiven(on: session),
      access.takesEveryNumber || access.mayGenerate(number)
    {
      binder.bind(integer: number, at: access.table.objectIDPositions[0])
    }
    if let recorded {
      let position = access.table.objectIDPositions[0]
      if recorded.values[position] == .null {
        binder.bind(integer: try access.nextNumber(on: session), at: position)
      }
      try seal(recorded)
    }
    do {
      try statement.run()
    } catch {
      throw access.failure(error, on: session)
    }
    try access.checkCount(1, on: session)
    let number = session.connection.lastInsertRowID
    if access.takesEveryNumber || access.mayGenerate(number) {
      highestGenerated = max(highestGenerated, number)
    }
    return number
  }

  /// Binds the recorded values, sealed.
  @inline(never)
  private func seal(_ recorded: RecordedValues) throws {
    try access.table.sealing?.bind(recorded.values, to: statement.binder)
  }

  /// Inserts ``severalCount`` objects without object IDs.
  ///
  /// - Parameter encode: Binds the values of one of them, counted from 0.
  /// - Returns: The number of the first row; the others follow it. `nil` if the numbers may run
  ///   out, in which case nothing was inserted.
  /// - Throws: The error of `encode`, and engine errors.
  @usableFromInline
  mutating func insertSeveral(_ encode: (Int, Binder) throws -> Void) throws -> Int64? {
    guard !access.table.givenNumbers.mustBeSkipped, try numbersFollowEachOther() else {
      return nil
    }
    let rowWidth = Int32(access.generatedPosition + 1)
    let last = try access.with(.insertSeveral, on: session) { statement in
      let binder = statement.binder
      for row in 0..<severalCount {
        try encode(row, binder.row(from: 1 + Int32(row) * rowWidth))
      }
      do {
        try statement.run()
      } catch let error as DriverError {
        throw access.failure(error, on: session)
      }
      try access.checkCount(severalCount, on: session)
      return session.connection.lastInsertRowID
    }
    highestGenerated = max(highestGenerated, last)
    return last - Int64(severalCount) + 1
  }

  /// The number of objects that ``insertTogether(_:given:_:)`` accepts; 0 if none.
  @usableFromInline var togetherCount: Int {
    statement.runsTogether && access.partition == nil && access.table.sql.copy != nil
      ? RowCopy.limit : 0
  }

  /// Whether the object IDs are numbers that the engine can generate.
  @usableFromInline var generatesNumbers: Bool { access.table.sql.copy?.generated != nil }

  /// Inserts many objects in the fastest way of the engine.
  ///
  /// - Parameters:
  ///   - count: The number of objects.
  ///   - given: The numbers that are their object IDs; empty if the engine generates numbers.
  ///   - encode: Binds the values of one of them, counted from 0.
  /// - Returns: The numbers, if there are some; `nil` if one of the objects cannot be stored so.
  ///   Nothing was inserted then.
  /// - Throws: The error of `encode`, and engine errors.
  @usableFromInline
  mutating func insertTogether(
    _ count: Int, given: [Int64], _ encode: (Int, Binder) throws -> Void
  ) throws -> [Int64]? {
    guard let copy = access.table.sql.copy, !access.table.givenNumbers.mustBeSkipped,
      !access.table.mayHaveLastNumber
    else { return nil }
    let numbers = try statement.copy(copy, count: count, given: given, encode)
    if given.isEmpty, let last = numbers?.max() { highestGenerated = max(highestGenerated, last) }
    return numbers
  }

  /// Returns whether generated numbers are consecutive.
  ///
  /// Near the last possible number, the engine searches for free numbers or finds none.
  private mutating func numbersFollowEachOther() throws -> Bool {
    if access.table.mayHaveLastNumber { return false }
    if let hasManyNumbersLeft { return hasManyNumbersLeft }
    guard let lastNumber = access.table.sql.lastNumber else { return false }
    let hasMany = try session.with(lastNumber) { statement in
      _ = try statement.step()
      return statement.row.integer(at: 0) < .max / 2
    }
    hasManyNumbersLeft = hasMany
    return hasMany
  }
}

extension StoreAccess {
  /// Whether objects of the class have owned objects.
  @usableFromInline var hasOwned: Bool { table.hasOwned }

  /// Whether one statement inserts an object without a possible rollback.
  ///
  /// Owned objects, references and the generated number can require a rollback.
  @usableFromInline var insertsByOneStatement: Bool { table.insertsByOneStatement }

  /// The number of objects that a statement inserts at once; 0 if each needs its own.
  ///
  /// It is read in place: copying all the statements would cost more than an insert.
  fileprivate var severalCount: Int {
    partition?.sql.severalCount ?? table.sql.severalCount
  }

  /// Calls `body` with an insertion that uses the statement of a slot.
  @inline(__always)
  func withInsertion(
    _ slot: Table.Slot = .insert, on session: Session,
    _ body: (inout Insertion) throws -> Void
  ) throws {
    try with(slot, on: session) { statement in
      var insertion = Insertion(statement, of: self, on: session)
      try body(&insertion)
      if insertion.highestGenerated > .min {
        table.givenNumbers.note(insertion.highestGenerated, in: session.transaction)
      }
    }
  }

  /// Throws if a statement inserted fewer rows than objects.
  ///
  /// A trigger of the application can skip rows by `RAISE(IGNORE)`. The number of the last row
  /// would then belong to another object.
  ///
  /// - Parameters:
  ///   - count: The number of objects.
  ///   - session: The writer connection.
  /// - Throws: `.constraint`.
  @inline(__always)
  fileprivate func checkCount(_ count: Int, on session: Session) throws {
    if session.connection.changes != count { throw table.ignoredByTrigger }
  }

  /// Calls `body` with an insertion of one object.
  @usableFromInline
  func insertingOne(_ body: (inout Insertion) throws -> Void) throws {
    try write(isOneStatement: true) { try withInsertion(on: $0, body) }
  }

  /// Calls `body` with an insertion in one transaction, which an error rolls back.
  @usableFromInline
  func inserting(_ body: (inout Insertion) throws -> Void) throws {
    try transaction { session in
      try session.storingAhead(table.refersToItself) { try withInsertion(on: session, body) }
      try session.checkReferences()
    }
  }
}
