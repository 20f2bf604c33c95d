public import ObjectVaultEngine

/// The inserting of many objects in one transaction, as far as it does without their type.
@usableFromInline
final class Insertion {
  private let access: StoreAccess
  private let connection: VaultConnection
  private let statement: Statement
  /// How many objects a statement takes at once; 0 where each needs one of its own.
  @usableFromInline let severalCount: Int
  /// Whether so many numbers are left that those generated follow each other; `nil` while unknown.
  private var hasManyNumbersLeft: Bool?

  fileprivate init(
    _ statement: Statement, of access: StoreAccess, on connection: VaultConnection
  ) {
    self.access = access
    self.connection = connection
    self.statement = statement
    severalCount = access.generatedPosition >= 0 ? access.sql.severalCount : 0
  }

  /// What the next object binds its values to.
  @usableFromInline var binder: Binder { statement.binder }

  /// Inserts what was bound, an object with an objectID.
  @usableFromInline
  func insertNamed() throws {
    try statement.run()
    hasManyNumbersLeft = nil
    if access.generatedPosition >= 0, connection.engine.lastInsertRowID == .max {
      access.state.noteLastNumber()
    }
  }

  /// Inserts what was bound, an object without an objectID.
  ///
  /// - Returns: The number of its row.
  @usableFromInline
  func insertNameless() throws -> Int64 {
    if access.generatedPosition >= 0 { try access.checkNumbersLeft(on: connection) }
    do {
      try statement.run()
    } catch {
      throw access.failure(error, on: connection)
    }
    return connection.engine.lastInsertRowID
  }

  /// Inserts ``severalCount`` objects without objectIDs.
  ///
  /// - Parameter encode: Binds the values of one of them, counted from 0.
  /// - Returns: The number of the first; the others follow it. `nil` where the numbers may end before,
  ///   and nothing was inserted.
  @usableFromInline
  func insertSeveral(_ encode: (Int, Binder) throws -> Void) throws -> Int64? {
    guard try numbersFollowEachOther() else { return nil }
    let rowWidth = Int32(access.generatedPosition + 1)
    return try access.with(.insertSeveral, on: connection) { statement in
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
      return connection.engine.lastInsertRowID - Int64(severalCount) + 1
    }
  }

  /// Near the last number there is the engine looks for free ones, or finds none.
  private func numbersFollowEachOther() throws -> Bool {
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

  /// Calls `body` with what inserts objects in one transaction, which `body`'s failure undoes.
  @usableFromInline
  func inserting(_ body: (Insertion) throws -> Void) throws {
    try transaction { connection in
      try with(.insert, on: connection) { statement in
        try body(Insertion(statement, of: self, on: connection))
      }
      try connection.checkReferences()
    }
  }
}

extension ObjectStore {
  /// Inserts objects that lie one beside the other.
  @inlinable
  func insert(
    _ objects: UnsafeBufferPointer<T>, _ insertion: Insertion, _ ids: inout [T.ObjectIDType]
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
          }
          ids.append(id)
        }
        next += count
      } else {
        ids.append(try lend(objects, at: next) { try insert($0, insertion) })
        next += 1
      }
    }
  }

  /// Whether objects have no objectIDs yet.
  @inlinable
  func areNameless(_ objects: UnsafeBufferPointer<T>, from start: Int, _ count: Int) -> Bool {
    (start..<start + count).allSatisfy { position in
      lend(objects, at: position) { $0.storedObjectID == nil }
    }
  }

  /// Inserts an object.
  ///
  /// - Returns: Its objectID.
  @inlinable
  func insert(_ object: T, _ insertion: Insertion) throws -> T.ObjectIDType {
    if access.isLimited { try checkIsOfPartition(object) }
    let binder = insertion.binder
    try encode(object, into: binder)
    if let id = object.storedObjectID {
      if access.generatedPosition >= 0 {
        try id.bindObjectID(to: binder, at: access.generatedPosition)
      }
      try insertion.insertNamed()
      return id
    }
    let number = try insertion.insertNameless()
    guard let id = try generatedID(number) else { return try objectID(of: object) }
    var object = object
    object.assignObjectID(id)
    return try objectID(of: object)
  }

  /// - Parameter partial: What is written of the object; `nil` for all of it.
  @usableFromInline
  func checkIsOfPartition(_ object: T, _ partial: PartialUpdate? = nil) throws {
    try checkPartition(of: object, only: partial?.positions)
  }
}
