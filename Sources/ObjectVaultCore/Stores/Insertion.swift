public import ObjectVaultEngine

/// The inserting of objects by one statement, as far as it does without their type.
@usableFromInline
struct Insertion {
  private let access: StoreAccess
  private let connection: VaultConnection
  private let statement: Statement
  /// How many objects a statement takes at once; 0 where each needs one of its own.
  @usableFromInline let severalCount: Int
  /// Whether so many numbers are left that those generated follow each other; `nil` while unknown.
  private var hasManyNumbersLeft: Bool?
  /// The highest number that was generated; it is recorded as given once the insertion succeeds.
  fileprivate var highestGenerated: Int64 = .min

  fileprivate init(
    _ statement: Statement, of access: StoreAccess, on connection: VaultConnection
  ) {
    self.access = access
    self.connection = connection
    self.statement = statement
    severalCount = access.generatedPosition >= 0 ? access.severalCount : 0
  }

  /// What the next object binds its values to.
  @usableFromInline var binder: Binder { statement.binder }

  /// Inserts what was bound, an object with an objectID.
  @usableFromInline
  mutating func insertNamed() throws {
    try statement.run()
    try access.checkCount(1, on: connection)
    hasManyNumbersLeft = nil
    if access.generatedPosition >= 0, connection.engine.lastInsertRowID == .max {
      access.state.noteLastNumber()
    }
  }

  /// Inserts what was bound, an object without an objectID.
  ///
  /// - Parameter binder: What the object's values were bound to.
  /// - Returns: The number of its row.
  @usableFromInline
  mutating func insertNameless(_ binder: Binder) throws -> Int64 {
    if access.generatedPosition >= 0 { try access.checkNumbersLeft(on: connection) }
    if access.state.givenNumbers.mustBeSkipped,
      let number = try access.numberAfterGiven(on: connection),
      access.takesEveryNumber || access.mayGenerate(number)
    {
      binder.bind(integer: number, at: access.state.objectIDPositions[0])
    }
    do {
      try statement.run()
    } catch {
      throw access.failure(error, on: connection)
    }
    try access.checkCount(1, on: connection)
    let number = connection.engine.lastInsertRowID
    if access.takesEveryNumber || access.mayGenerate(number) {
      highestGenerated = max(highestGenerated, number)
    }
    return number
  }

  /// Inserts ``severalCount`` objects without objectIDs.
  ///
  /// - Parameter encode: Binds the values of one of them, counted from 0.
  /// - Returns: The number of the first; the others follow it. `nil` where the numbers may end before,
  ///   and nothing was inserted.
  @usableFromInline
  mutating func insertSeveral(_ encode: (Int, Binder) throws -> Void) throws -> Int64? {
    guard !access.state.givenNumbers.mustBeSkipped, try numbersFollowEachOther() else {
      return nil
    }
    let rowWidth = Int32(access.generatedPosition + 1)
    let last = try access.with(.insertSeveral, on: connection) { statement in
      let binder = statement.binder
      for row in 0..<severalCount {
        do {
          try encode(row, binder.row(from: 1 + Int32(row) * rowWidth))
        } catch {
          throw access.naming(error)
        }
      }
      do {
        try statement.run()
      } catch let error as EngineError {
        throw access.failure(error, on: connection)
      }
      try access.checkCount(severalCount, on: connection)
      return connection.engine.lastInsertRowID
    }
    highestGenerated = max(highestGenerated, last)
    return last - Int64(severalCount) + 1
  }

  /// Near the last number there is the engine looks for free ones, or finds none.
  private mutating func numbersFollowEachOther() throws -> Bool {
    if access.state.mayHaveLastNumber { return false }
    if let hasManyNumbersLeft { return hasManyNumbersLeft }
    guard let lastNumber = access.state.sql.lastNumber else { return false }
    let hasMany = try connection.with(lastNumber) { statement in
      _ = try statement.step()
      return statement.row.integer(at: 0) < .max / 2
    }
    hasManyNumbersLeft = hasMany
    return hasMany
  }
}

extension StoreAccess {
  /// Whether objects of the class have others that belong to them.
  @usableFromInline var hasOwned: Bool { state.hasOwned }

  /// Whether an object can be inserted by one statement that need not be undone: for others that belong
  /// to it or that it refers to, or for the number it is given.
  @usableFromInline var insertsByOneStatement: Bool { state.insertsByOneStatement }

  /// How many objects a statement takes at once; 0 where each needs one of its own. Read where it stands:
  /// a copy of all the statements would be dearer than an insert.
  fileprivate var severalCount: Int {
    partition?.sql.severalCount ?? state.sql.severalCount
  }

  /// Calls `body` with what inserts by a slot's statement.
  @inline(__always)
  func withInsertion(
    _ slot: TableState.Slot = .insert, on connection: VaultConnection,
    _ body: (inout Insertion) throws -> Void
  ) throws {
    try with(slot, on: connection) { statement in
      var insertion = Insertion(statement, of: self, on: connection)
      try body(&insertion)
      if insertion.highestGenerated > .min {
        state.givenNumbers.note(insertion.highestGenerated)
      }
    }
  }

  /// Sees that a statement inserted as many rows as there are objects. A trigger of the application
  /// can leave rows out by `RAISE(IGNORE)`, and the number of the last row is another object's then.
  ///
  /// - Throws: `.constraint`.
  @inline(__always)
  fileprivate func checkCount(_ count: Int, on connection: VaultConnection) throws {
    if connection.engine.changes != count { throw state.ignoredByTrigger }
  }

  /// Calls `body` with what inserts one object.
  @usableFromInline
  func insertingOne(_ body: (inout Insertion) throws -> Void) throws {
    try write { try withInsertion(on: $0, body) }
  }

  /// Calls `body` with what inserts objects in one transaction, which `body`'s failure undoes.
  @usableFromInline
  func inserting(_ body: (inout Insertion) throws -> Void) throws {
    try transaction { connection in
      try withInsertion(on: connection, body)
      try connection.checkReferences()
    }
  }
}

extension ObjectStore {
  /// Inserts objects that lie one beside the other.
  @inlinable
  func insert(
    _ objects: UnsafeBufferPointer<T>, _ insertion: inout Insertion, _ ids: inout [T.ObjectIDType]
  ) throws {
    let count = insertion.severalCount
    var next = 0
    while next < objects.count {
      if count > 0, objects.count - next >= count,
        areNameless(objects, from: next, count),
        let first = try insertion.insertSeveral({ offset, binder in
          try lend(objects, at: next + offset) { try $0.encode(into: binder) }
        })
      {
        for offset in 0..<count {
          guard let id = try generatedID(first + Int64(offset)) else { continue }
          if T.self is AnyObject.Type {
            var object = objects[next + offset]
            object.assignObjectID(id)
            noteAssigned(object)
          }
          ids.append(id)
        }
        next += count
      } else {
        ids.append(try lend(objects, at: next) { try insertOne(of: $0, &insertion) })
        next += 1
      }
    }
  }

  /// Has an instance of a class lose its new objectID if the transaction in progress is undone.
  @usableFromInline
  @inline(never)
  func noteAssigned(_ object: T) {
    guard let file = try? vault.file(), file.isInTransaction else { return }
    file.transactions.addUndoAction {
      var object = object
      object.removeObjectID()
    }
  }

  /// Whether objects have no objectIDs yet.
  @inlinable
  func areNameless(_ objects: UnsafeBufferPointer<T>, from start: Int, _ count: Int) -> Bool {
    (start..<start + count).allSatisfy { position in
      lend(objects, at: position) { $0.storedObjectID == nil }
    }
  }

  /// Inserts an object and gives it the objectID that is generated for it.
  @inlinable
  func insert(naming object: inout T, _ insertion: inout Insertion) throws {
    if let id = try insert(object, &insertion) {
      object.assignObjectID(id)
      if T.self is AnyObject.Type { noteAssigned(object) }
    }
  }

  /// Inserts an object of several.
  ///
  /// - Returns: Its objectID.
  @inlinable
  func insertOne(of object: T, _ insertion: inout Insertion) throws -> T.ObjectIDType {
    guard let id = try insert(object, &insertion) else { return try objectID(of: object) }
    if T.self is AnyObject.Type {
      var object = object
      object.assignObjectID(id)
      noteAssigned(object)
    }
    return id
  }

  /// Inserts an object.
  ///
  /// - Returns: The objectID that it was given; `nil` where it has its own.
  @inlinable
  func insert(_ object: T, _ insertion: inout Insertion) throws -> T.ObjectIDType? {
    if access.isLimited { try checkIsOfPartition(object) }
    let binder = insertion.binder
    try encode(object, into: binder)
    guard let id = object.storedObjectID else {
      return try generatedID(insertion.insertNameless(binder))
    }
    if access.generatedPosition >= 0 {
      try id.bindObjectID(to: binder, at: access.generatedPosition)
    }
    try insertion.insertNamed()
    return nil
  }

  /// - Parameter partial: What is written of the object; `nil` for all of it.
  @usableFromInline
  func checkIsOfPartition(_ object: T, _ partial: PartialUpdate? = nil) throws {
    try checkPartition(of: object, only: partial?.positions)
  }
}
