public import Foundation
import ObjectVaultCondition
public import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension ObjectStore {
  /// Inserts a new object.
  ///
  /// ```swift
  /// let student = try students.insert(Student(name: "Ann"))
  /// ```
  ///
  /// - Parameters:
  ///   - object: The object. If the class has generated object IDs and the object has none, it is
  ///     assigned one.
  ///   - owned: The handling of its owned objects. By default they are stored in the same
  ///     transaction.
  /// - Returns: The object with its object ID; for a class type the same instance.
  /// - Throws: ``VaultError``: `.duplicate` if the object ID, or the value of a unique property, is
  ///   taken; `.invalidValue` if a value cannot be stored exactly, or the next number is outside
  ///   the object ID's type; `.constraint` if no number is left; `.danglingReference` if it refers
  ///   to an object that is not stored; `.ownership` if an owned object is claimed twice.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  @inlinable
  public func insert(_ object: T, owned: OwnedSaving = .save) throws -> T {
    var object = object
    try insert(assigningIDTo: &object, owned: owned)
    return object
  }

  /// Inserts a new object and assigns its object ID in place.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Throws: ``VaultError`` as ``insert(_:owned:)->T``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @inlinable
  public func insert(assigningIDTo object: inout T, owned: OwnedSaving = .save) throws {
    guard access.insertsByOneStatement else { return try insertCarefully(&object, owned) }
    if T.self is AnyObject.Type {
      return try access.insertingOne { try insert(naming: &object, &$0) }
    }
    var id: T.ObjectIDType?
    try access.insertingOne { id = try insert(object, &$0) }
    // A value gets its number once it is stored; an instance gets it before and may lose it.
    if let id { object.assignObjectID(id) }
  }

  /// Inserts an object with its owned objects, and rolls back if its number or a reference is
  /// invalid.
  @usableFromInline
  func insertCarefully(_ object: inout T, _ owned: OwnedSaving) throws {
    var objects = [object]
    if savesOwned(of: object, owned) {
      try transaction { session in
        // The object may refer to those that it owns.
        try putExplaining(&objects[0], on: session)
        try saveOwned(of: &objects, owned, on: session)
      }
    } else if mayGenerateMisfit(for: object) {
      try transaction { try insert(&objects[0], on: $0) }
    } else {
      let isNested = try database.opened().sessions.isInTransaction
      try write { session in
        // The triggers would run for the insertion and for the removal that undoes it.
        if isNested, table.runsTriggers {
          try transaction { try insert(&objects[0], on: $0) }
        } else {
          try insert(&objects[0], on: session)
        }
      }
    }
    object = objects[0]
  }

  /// Inserts one object, and explains the error of the engine if a reference lacks its object.
  private func putExplaining(_ object: inout T, on session: Session) throws {
    let before = object
    do {
      try put(&object, .insert, on: session)
    } catch let error as DriverError {
      guard error.code == .constraintForeignKey else { throw error }
      throw dangling(of: before, on: session) ?? error
    }
  }

  /// Inserts one object, and removes it again if a reference lacks its object.
  private func insert(_ object: inout T, on session: Session) throws {
    guard !table.foreignKeys.isEmpty else { return try put(&object, .insert, on: session) }
    let before = object
    let hadNoID = object.storedObjectID == nil
    try putExplaining(&object, on: session)
    guard !session.defersReferences, session.connection.deferredForeignKeyViolations != 0 else {
      return
    }
    let number = session.connection.lastInsertRowID
    // The commit checks references that earlier statements of the transaction stored.
    guard let error = dangling(of: object, on: session) else { return }
    // This avoids a savepoint, because SQLCipher 3.4 encrypts its journal page by page.
    try table.with(.remove, on: session) { statement in
      let binder = statement.binder
      if let sealing = table.sealing {
        try sealing.bindUnsealed(to: binder) { try before.encode(into: $0) }
      } else {
        try before.encode(into: binder)
      }
      if table.description.objectIDIsRowID, !table.lacksNumbers {
        binder.bind(integer: number, at: table.objectIDPositions[0])
      }
      try statement.run()
    }
    object = before
    if hadNoID { object.removeObjectID() }
    throw error
  }

  /// Inserts new objects in one transaction, or none if one fails.
  ///
  /// New owned objects are not assigned their object IDs; see ``update(_:owned:)``.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - owned: The handling of their owned objects.
  /// - Returns: The object IDs, in the order of the objects.
  /// - Throws: ``VaultError`` as ``insert(_:owned:)->T``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  @inlinable
  public func insert(
    contentsOf objects: some Sequence<T>, owned: OwnedSaving = .save
  ) throws -> [T.ObjectIDType] {
    if access.hasOwned { return try insertWithOwned(objects, owned) }
    var ids: [T.ObjectIDType] = []
    ids.reserveCapacity(objects.underestimatedCount)
    try access.inserting { insertion in
      let inOneRoom: Void? = try objects.withContiguousStorageIfAvailable {
        try insert($0, &insertion, &ids)
      }
      guard inOneRoom == nil else { return }
      let limit = insertion.togetherCount
      guard limit > 0 else {
        for object in objects { ids.append(try insertOne(of: object, &insertion)) }
        return
      }
      var some: [T] = []
      for object in objects {
        some.append(object)
        guard some.count == limit else { continue }
        try some.withUnsafeBufferPointer { try insert($0, &insertion, &ids) }
        some.removeAll(keepingCapacity: true)
      }
      try some.withUnsafeBufferPointer { try insert($0, &insertion, &ids) }
    }
    return ids
  }

  /// Inserts an object or replaces those with its object ID or with the value of one of its unique
  /// properties.
  ///
  /// References to the object with the same object ID stay valid. Other conflicting objects are
  /// removed with their cascade.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Returns: The object with its object ID.
  /// - Throws: ``VaultError`` as ``insert(_:owned:)->T`` except `.duplicate`, and as ``remove(_:)``
  ///   except `.noSuchObject`.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func replace(_ object: T, owned: OwnedSaving = .save) throws -> T {
    var object = object
    let replacesAll = table.sql.dialect.replacesForAnyKey
    if replacesAll, !mayGenerateMisfit(for: object), table.foreignKeys.isEmpty,
      !savesOwned(of: object, owned)
    {
      let isDone = try write { session in
        guard try !mustReplaceByParts(on: session) else { return false }
        try put(&object, .replace, on: session)
        return true
      }
      if isDone { return object }
    }
    try transaction { session in
      if try mustReplaceByParts(on: session) {
        try clearWay(of: object, on: session)
        try save(&object, on: session)
        try renewInsertionTime(of: object, on: session)
      } else {
        if !replacesAll { try clearWay(of: object, on: session) }
        try put(&object, .replace, on: session)
      }
      if savesOwned(of: object, owned) {
        var objects = [object]
        try saveOwned(of: &objects, owned, on: session)
        object = objects[0]
      }
      try session.checkReferences()
    }
    return object
  }

  /// Returns whether the engine's `REPLACE` cannot be used.
  ///
  /// `REPLACE` removes conflicting rows without notifying references to them, or the triggers for
  /// deleted rows. It also empties the columns that the class lacks: the
  /// position in an ordered list, and the values of removed properties. This reads the file, because
  /// another program may have created an index or a column that the store does not know.
  private func mustReplaceByParts(on session: Session) throws -> Bool {
    // `REPLACE` must not remove objects of other partitions either.
    if partition != nil { return true }
    let name = table.description.table
    let graph = try session.referenceGraph()
    if graph.incoming[name] != nil || graph.triggered.contains(name)
      || graph.ignoring.contains(name)
    {
      return true
    }
    return try hasFurtherColumns(graph, on: session)
  }

  /// Returns whether the table has columns that the class lacks.
  func hasFurtherColumns(_ graph: ReferenceGraph, on session: Session) throws -> Bool {
    let own = table.sql.quotedColumns.count + (table.description.options.keepsInsertionTime ? 1 : 0)
    return try graph.columnCount(of: table.description.table, on: session) > own
  }

  @usableFromInline
  func insertWithOwned(
    _ objects: some Sequence<T>, _ owned: OwnedSaving
  ) throws -> [T.ObjectIDType] {
    try transaction { session in
      var owners = Array(objects)
      // Their numbers are new, so that no reference leads to them, except to a future object.
      let areNew =
        owners.allSatisfy { $0.storedObjectID == nil }
        && session.connection.deferredForeignKeyViolations == 0
      let ids = try session.storingAhead(table.refersToItself) {
        try insertAll(&owners, on: session)
      }
      try saveOwned(of: &owners, owned, on: session, areNew: areNew)
      try session.checkReferences()
      return ids
    }
  }

  /// Inserts objects without their owned objects, inside a transaction.
  ///
  /// - Parameters:
  ///   - objects: The objects, which get their generated object IDs.
  ///   - session: The writer connection.
  /// - Returns: The object IDs, in the order of the objects.
  /// - Throws: The errors of storing.
  @discardableResult
  func insertAll(_ objects: inout [T], on session: Session) throws -> [T.ObjectIDType] {
    var ids: [T.ObjectIDType] = []
    ids.reserveCapacity(objects.count)
    try access.withInsertion(on: session) { insertion in
      try objects.withUnsafeBufferPointer { try insert($0, &insertion, &ids) }
    }
    // Instances have their object IDs since the insert.
    if !(T.self is AnyObject.Type) {
      for index in objects.indices where objects[index].storedObjectID == nil {
        objects[index].assignObjectID(ids[index])
      }
    }
    return ids
  }

  /// Runs an insert for one object and assigns the generated object ID.
  func put(_ object: inout T, _ slot: Table.Slot, on session: Session) throws {
    try access.withInsertion(slot, on: session) { try insert(naming: &object, &$0) }
  }
}

extension ObjectStore {
  /// Removes every object that was last inserted before a date, with cascading removals.
  ///
  /// ``insert(_:owned:)->T`` and ``replace(_:owned:)`` set the insertion time, and so does
  /// ``save(_:owned:)->T`` for a new object. Updates leave it unchanged. The class enables it
  /// with ``TableOptions/keepsInsertionTime``. An object that another program inserted has no
  /// insertion time and stays.
  ///
  /// - Parameter date: The limit, to the millisecond; objects inserted within the same millisecond
  ///   stay.
  /// - Returns: The number of objects that matched.
  /// - Throws: ``VaultError``: `.invalidArgument` if the class does not store insertion times;
  ///   otherwise as ``remove(_:)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func removeAll(insertedBefore date: Date) throws -> Int {
    try checkInsertionTime()
    let limit = (date.timeIntervalSince1970 * 1000).rounded(.down) / 1000
    guard !limit.isNaN else {
      throw VaultError(.invalidArgument, "The date is not a number. Pass a valid date.")
    }
    let condition =
      "\(sql.table).\(InsertionTime.quotedColumn) < ?1" + (partition?.clause(from: 2) ?? "")
    func bindLimits(to binder: Binder) {
      binder.bind(real: limit, at: 0)
      partition?.bind(to: binder, at: 1)
    }
    return try removing { session in
      try session.with("DELETE FROM \(sql.table) WHERE \(condition)") { statement in
        bindLimits(to: statement.binder)
        try statement.run()
      }
      return session.connection.changes
    } planned: { removal, _ in
      try removal.add(
        "SELECT \(removal.seedColumns) FROM \(sql.table) WHERE \(condition)"
      ) { bindLimits(to: $0.binder) }
    }
  }

  /// Returns the time of the last insertion of the object stored under an object ID.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: The time; `nil` if the object is missing or another program inserted it.
  /// - Throws: ``VaultError``: `.invalidArgument` if the class does not store insertion times;
  ///   otherwise as ``find(_:)-(T.ObjectIDType)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func insertionDate(of id: T.ObjectIDType) throws -> Date? {
    try checkInsertionTime()
    return try read { session in
      try session.with(
        "SELECT \(InsertionTime.quotedColumn) FROM \(sql.table) WHERE \(sql.hasObjectID)"
      ) { statement in
        try bind(id, to: statement)
        guard try statement.step(), !statement.row.isNull(at: 0) else { return nil }
        return Date(timeIntervalSince1970: statement.row.real(at: 0))
      }
    }
  }

  /// Sets the insertion time of an object that was inserted again but stayed in its row.
  func renewInsertionTime(of object: T, on session: Session) throws {
    guard table.description.options.keepsInsertionTime else { return }
    let id = try objectID(of: object)
    try session.with(
      sql.dialect.update(
        sql.table, ["\(InsertionTime.quotedColumn) = \(sql.dialect.now)"], isUndone: false)
        + " WHERE \(sql.hasObjectID)"
    ) { statement in
      try bind(id, to: statement)
      try statement.run()
    }
  }

  private func checkInsertionTime() throws(VaultError) {
    guard !table.description.options.keepsInsertionTime else { return }
    throw VaultError(
      .invalidArgument,
      "Class '\(classDescription.name)' does not store the insertion time of its objects. Set its "
        + "option `insertionTime`.")
  }
}

extension ObjectStore {
  /// Returns the object ID of a row inserted under a number for an object without one.
  ///
  /// - Parameter number: The number of the row.
  /// - Returns: The object ID; `nil` if the class's object ID is not a number.
  /// - Throws: `.invalidValue` if the number is outside the object ID's type. The row exists and
  ///   must be rolled back.
  @inlinable
  @inline(__always)
  func generatedID(_ number: Int64) throws -> T.ObjectIDType? {
    let id = T.ObjectIDType(rowID: number)
    if access.takesEveryNumber { return id }
    guard let id, access.mayGenerate(number) else { throw misfit }
    return id
  }

  @usableFromInline var misfit: VaultError {
    let position = table.objectIDPositions[0]
    let property = table.description.properties[position]
    return VaultError(
      .invalidValue,
      "The next object ID of class '\(classDescription.name)' exceeds the range of property "
        + "'\(property.name)', which has type \(property.type.rawValue). Nothing was stored. Set a "
        + "free object ID, or declare the property with a wider integer type.")
  }

  /// Returns whether inserting the object may have to be rolled back because of its generated
  /// number.
  @inline(__always)
  func mayGenerateMisfit(for object: T) -> Bool {
    !table.takesEveryNumber && object.storedObjectID == nil
  }
}

extension ObjectStore {
  /// Inserts objects that are contiguous in memory.
  @inlinable
  func insert(
    _ objects: UnsafeBufferPointer<T>, _ insertion: inout Insertion, _ ids: inout [T.ObjectIDType]
  ) throws {
    if insertion.togetherCount > 0 {
      do {
        return try insertTogether(objects, &insertion, &ids)
      } catch {
        throw naming(error, bindingOneOf: objects)
      }
    }
    let count = insertion.severalCount
    var next = 0
    while next < objects.count {
      if count > 0, objects.count - next >= count,
        areNameless(objects, from: next, count),
        let first = try insertion.insertSeveral({ offset, binder in
          try lend(objects, at: next + offset) { try encode($0, into: binder) }
        })
      {
        for offset in 0..<count {
          guard let id = try generatedID(first + Int64(offset)) else { continue }
          if T.self is AnyObject.Type {
            var object = objects[next + offset]
            name(&object, id)
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

  /// Inserts objects that are contiguous in memory, many at once.
  ///
  /// If the engine rejects some of them, all are inserted one by one, which finds the error.
  @usableFromInline
  func insertTogether(
    _ objects: UnsafeBufferPointer<T>, _ insertion: inout Insertion, _ ids: inout [T.ObjectIDType]
  ) throws {
    ids.reserveCapacity(ids.count + objects.count)
    // Outside of the loops, because unspecialized code requests the type's metadata each time.
    var id: T.ObjectIDType?
    for start in stride(from: 0, to: objects.count, by: insertion.togetherCount) {
      let count = min(insertion.togetherCount, objects.count - start)
      guard count > 1,
        let given = insertion.generatesNumbers ? numbers(objects, from: start, count) : [],
        let numbers = try insertion.insertTogether(
          count, given: given,
          { position, binder in
            try lend(objects, at: start + position) { try $0.encode(into: binder) }
          })
      else {
        for offset in 0..<count {
          ids.append(try insertOne(of: objects[start + offset], &insertion))
        }
        continue
      }
      for position in start..<start + count {
        guard insertion.generatesNumbers, given.isEmpty else {
          ids.append(try objectID(of: objects[position]))
          continue
        }
        id = try generatedID(numbers[position - start])
        guard let id else { continue }
        if T.self is AnyObject.Type {
          var object = objects[position]
          name(&object, id)
        }
        ids.append(id)
      }
    }
  }

  /// Removes the new object ID of a class instance if the current transaction is rolled back.
  @usableFromInline
  @inline(never)
  func noteAssigned(_ object: T) {
    guard let opened = try? database.opened(), opened.sessions.isInTransaction else { return }
    opened.sessions.onRollback {
      var object = object
      object.removeObjectID()
    }
  }

  /// Returns whether the objects have no object IDs yet, and are different instances of a class.
  ///
  /// An instance has an object ID when it is inserted for the second time.
  @inlinable
  func areNameless(_ objects: UnsafeBufferPointer<T>, from start: Int, _ count: Int) -> Bool {
    // Outside of the loop, because unspecialized code requests the type's metadata each time.
    var id: T.ObjectIDType?
    for position in start..<start + count {
      id = lend(objects, at: position) { $0.storedObjectID }
      if id != nil { return false }
    }
    guard T.self is AnyObject.Type else { return true }
    let instances = (start..<start + count).map {
      unsafeBitCast(objects[$0], to: UnsafeRawPointer.self)
    }
    // A set costs more than to compare a few.
    guard count <= 16 else { return Set(instances).count == count }
    return instances.indices.allSatisfy { !instances[..<$0].contains(instances[$0]) }
  }

  /// Returns the numbers that are the object IDs of all objects; an empty array if none has an
  /// object ID, and `nil` for other objects.
  private func numbers(
    _ objects: UnsafeBufferPointer<T>, from start: Int, _ count: Int
  ) -> [Int64]? {
    if areNameless(objects, from: start, count) { return [] }
    var numbers: [Int64] = []
    numbers.reserveCapacity(count)
    for position in start..<start + count {
      // No number can be generated after the last one.
      guard case .integer(let number)? = try? objects[position].storedObjectID?.objectIDParts.first,
        number < .max
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// Inserts an object and assigns its generated object ID.
  @inlinable
  func insert(naming object: inout T, _ insertion: inout Insertion) throws {
    if let id = try insert(object, &insertion) { name(&object, id) }
  }

  /// Assigns a generated object ID, which an instance loses if the transaction is rolled back.
  @inlinable
  func name(_ object: inout T, _ id: T.ObjectIDType) {
    object.assignObjectID(id)
    if T.self is AnyObject.Type { noteAssigned(object) }
  }

  /// Inserts one of several objects.
  ///
  /// - Returns: Its object ID.
  @inlinable
  func insertOne(of object: T, _ insertion: inout Insertion) throws -> T.ObjectIDType {
    guard let id = try insert(object, &insertion) else { return try objectID(of: object) }
    if T.self is AnyObject.Type {
      var object = object
      name(&object, id)
    }
    return id
  }

  /// Inserts an object.
  ///
  /// - Returns: The generated object ID; `nil` if the object has its own.
  @inlinable
  func insert(_ object: T, _ insertion: inout Insertion) throws -> T.ObjectIDType? {
    if access.isLimited { try checkIsOfPartition(object) }
    let binder = insertion.binder
    try encode(object, into: binder)
    guard let id = object.storedObjectID else {
      return try generatedID(insertion.insertWithoutID(binder))
    }
    if access.generatedPosition >= 0 {
      try id.bindObjectID(to: binder, at: access.generatedPosition)
    }
    try insertion.insertNamed()
    return nil
  }

  /// Throws if an object to be written is outside the partition.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - partial: The properties to write; `nil` for all of them.
  /// - Throws: `.otherPartition`.
  @usableFromInline
  func checkIsOfPartition(_ object: T, _ partial: PartialUpdate? = nil) throws {
    try checkPartition(of: object, only: partial?.positions)
  }
}
