import ObjectVaultCondition
public import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension ObjectStore {
  /// Removes a stored object with its cascade.
  ///
  /// Objects whose references to it cascade are removed too, then those that refer to them, without
  /// limit, in one transaction. Nullifying references become `nil`.
  ///
  /// - Parameter object: The object.
  /// - Throws: ``VaultError``: `.noObjectID` if the object has no object ID, `.noSuchObject` if it
  ///   is not stored; `.removalDenied` if a remaining object denies the removal,
  ///   `.danglingReference` if a remaining reference would lack its object.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func remove(_ object: T) throws {
    try remove(id: objectID(of: object))
  }

  /// Removes the object stored under an object ID.
  ///
  /// - Parameter id: The object ID.
  /// - Throws: ``VaultError`` as ``remove(_:)``; `.invalidArgument` for a ``DynamicObjectID`` with
  ///   a wrong number of parts.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func remove(id: T.ObjectIDType) throws {
    try removing { session in
      try remove(id, on: session)
    } planned: { removal, _ in
      try add(id, to: removal)
    }
  }

  /// Removes stored objects in one transaction, or none if one fails.
  ///
  /// - Parameter objects: The objects.
  /// - Throws: ``VaultError`` as ``remove(_:)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func remove(contentsOf objects: some Sequence<T>) throws {
    try remove(objects) { try objectID(of: $0) }
  }

  /// Removes the objects stored under object IDs in one transaction, or none if one fails.
  ///
  /// - Parameter ids: The object IDs.
  /// - Throws: ``VaultError`` as ``remove(id:)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func remove(ids: some Sequence<T.ObjectIDType>) throws {
    try remove(ids) { $0 }
  }

  private func remove<S: Sequence>(
    _ elements: S, _ id: (S.Element) throws -> T.ObjectIDType
  ) throws {
    try transaction { session in
      let scope = try removalScope(on: session)
      if scope.isDirect {
        return try with(.remove, on: session) { statement in
          guard statement.runsTogether else {
            for element in elements { try remove(id(element), with: statement, on: session) }
            return
          }
          let queue = WriteQueue(statement) { bind in
            bind(statement.binder)
            try statement.run()
            if session.connection.changes == 0 { throw access.noSuchObject }
          }
          for element in elements {
            try bind(id(element), to: statement)
            try queue.add()
          }
          try queue.finish()
        }
      }
      // The sequence may use the vault, and a connection performs one removal at a time.
      let ids = try elements.map(id)
      try Removal.with(scope, on: session) { removal in
        for id in ids { try add(id, to: removal) }
        try removal.run()
      }
    }
  }

  /// Removes every object of the class with its cascade.
  ///
  /// The table stays and can be used at once.
  ///
  /// - Returns: The number of objects before.
  /// - Throws: ``VaultError`` as ``remove(_:)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func removeAll() throws -> Int {
    if partition != nil { return try query.remove() }
    return try removing { session in
      try session.with("DELETE FROM \(table.sql.table)\(table.everyRow)") { try $0.run() }
      return session.connection.changes
    } planned: { removal, _ in
      try removal.add("SELECT \(removal.seedColumns) FROM \(table.sql.table)") { _ in }
    }
  }

  /// Removes objects directly or through a removal plan, depending on the references to the class.
  ///
  /// - Parameters:
  ///   - directly: Deletes the objects, if the engine's own cascade does the rest.
  ///   - planned: Adds the objects to a removal, if it does not.
  /// - Returns: The result of either closure.
  /// - Throws: The error of either closure, and `.removalDenied` or `.danglingReference`.
  func removing<R>(
    _ directly: (Session) throws -> R,
    planned: (Removal, Session) throws -> R
  ) throws -> R {
    let result = try write { session -> R? in
      try removalScope(on: session).isDirect ? try directly(session) : nil
    }
    if let result { return result }
    return try transaction { session in
      try Removal.with(try removalScope(on: session), on: session) { removal in
        let result = try planned(removal, session)
        try removal.run()
        return result
      }
    }
  }

  /// Returns the tables and references that a removal of the class's objects may affect.
  func removalScope(on session: Session) throws -> RemovalScope {
    try session.referenceGraph().scope(of: table.description.table)
  }

  /// Adds the object stored under an object ID to a removal.
  func add(_ id: T.ObjectIDType, to removal: Removal) throws {
    let count = try removal.add(
      "SELECT \(removal.seedColumns) FROM \(sql.table) WHERE \(sql.hasObjectID)"
    ) { try bind(id, to: $0) }
    if count == 0 { throw access.noSuchObject }
  }

  private func remove(_ id: T.ObjectIDType, on session: Session) throws {
    try with(.remove, on: session) { try remove(id, with: $0, on: session) }
  }

  private func remove(
    _ id: T.ObjectIDType, with statement: Statement, on session: Session
  ) throws {
    try bind(id, to: statement)
    try statement.run()
    if session.connection.changes == 0 { throw access.noSuchObject }
  }

  /// Binds an object ID and the limits of the partition to a statement of a slot.
  func bind(_ id: T.ObjectIDType, to statement: Statement) throws {
    try bind(id, to: statement.binder)
  }

  /// Binds an object ID and the limits of the partition to a statement of a slot.
  func bind(_ id: T.ObjectIDType, to binder: Binder) throws {
    try bindParts(of: id, to: binder)
    partition?.bind(to: binder)
  }

  /// Binds only the parts of an object ID.
  @inlinable
  func bindParts(of id: T.ObjectIDType, to binder: Binder) throws {
    let position = access.objectIDPosition
    if position >= 0 {
      try id.bindObjectID(to: binder, at: position)
    } else {
      try bindSeveralParts(of: id, to: binder)
    }
  }

  @usableFromInline
  func bindSeveralParts(of id: T.ObjectIDType, to binder: Binder) throws {
    if table.type == nil { try checkParts(of: id) }
    for (position, part) in zip(table.objectIDPositions, try comparedParts(of: id)) {
      part.bind(to: binder, at: position)
    }
  }

  /// Returns the parts of an object ID as SQLite compares them with their columns.
  ///
  /// Other engines convert a value of another type to the type of the column, with rounding, or
  /// reject it.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: The parts. A part that no object can have is NULL, which equals nothing.
  /// - Throws: The errors of the object ID.
  func comparedParts(of id: T.ObjectIDType) throws -> [StoredValue] {
    let parts = try id.objectIDParts
    guard table.type == nil, !table.sql.dialect.isInProcess else { return parts }
    return zip(table.objectIDPositions, parts).map { position, part in
      part.compared(withColumnOf: table.description.rowType(at: position).columnType)
    }
  }

  /// Throws if an object ID has a wrong number of parts.
  ///
  /// The type of an object ID does not determine this for a class described at run time.
  ///
  /// - Parameter id: The object ID.
  /// - Throws: `.invalidArgument`.
  func checkParts(of id: T.ObjectIDType) throws {
    let (count, expected) = (try id.objectIDParts.count, table.objectIDPositions.count)
    guard count != expected else { return }
    throw VaultError(
      .invalidArgument,
      "The object ID has \(count) \(count == 1 ? "part" : "parts"), but that of class "
        + "'\(classDescription.name)' has \(expected). Pass the values of its parts in the order "
        + "of the class.")
  }
}

extension ObjectStore {
  /// Returns the effects of removing a stored object.
  ///
  /// The plan counts, by class, the objects that would be removed with it, lose a reference to it,
  /// or prevent its removal.
  ///
  /// - Throws: ``VaultError``: `.noObjectID` if the object has no ID, `.noSuchObject` if no object
  ///   is stored under it.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan(of object: T) throws -> DeletionPlan {
    try deletionPlan(ids: CollectionOfOne(objectID(of: object)))
  }

  /// Returns the effects of removing the objects with the given object IDs.
  ///
  /// - Throws: ``VaultError`` `.noSuchObject` if no object is stored under one of them.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan(ids: some Sequence<T.ObjectIDType>) throws -> DeletionPlan {
    let ids = Array(ids)
    return try deletionPlan { removal, _ in
      for id in ids { try add(id, to: removal) }
    }
  }

  /// Returns the effects of removing the objects with these object IDs.
  @available(*, deprecated, renamed: "deletionPlan(ids:)")
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan(ofIDs ids: some Sequence<T.ObjectIDType>) throws -> DeletionPlan {
    try deletionPlan(ids: ids)
  }

  /// Returns the effects of removing all objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan() throws -> DeletionPlan { try query.deletionPlan() }

  func deletionPlan(
    _ add: (Removal, Session) throws -> Void
  ) throws -> DeletionPlan {
    func plan(_ session: Session) throws -> DeletionPlan {
      try Removal.with(try removalScope(on: session), on: session) { removal in
        try add(removal, session)
        try removal.collect()
        return try removal.plan()
      }
    }
    let found = try database.opened().readScope {
      try read { session in
        let canFill = session.connection.catalog.fillsTemporaryTablesWhileReading
        return canFill ? try plan(session) : nil
      }
    }
    return try found ?? transaction(plan)
  }
}

extension ObjectStore {
  /// Returns the error for a dangling reference of an object, to replace an error already caught.
  func dangling(of object: T, on session: Session) -> VaultError? {
    try? access.dangling(on: session) { try object.encode(into: $0) }
  }

  /// Removes other objects that conflict with a unique property of an object; inside a transaction.
  ///
  /// If there are some, the changed references of the stored object by which their removal would
  /// cascade to it become `nil`.
  func clearWay(of object: T, on session: Session) throws {
    let description = table.description
    let columns = description.rowColumns
    let dialect = table.sql.dialect
    // The schema names no column for the index of a sealed property.
    let indexes =
      try Schema(on: session).uniqueIndexes(of: description.table)
      + description.sealedUniqueIndexes
    let conditions = try indexes.compactMap { index -> String? in
      let places = index.compactMap(columns.firstIndex(of:))
      guard places.count == index.count else { return nil }
      return try places.map { try table.sql.isEqual($0) }.joined(separator: " AND ")
    }
    guard !conditions.isEmpty else { return }
    let isOther = table.objectIDPositions.map {
      dialect.equality(
        SQLOperand(table.sql.qualifiedColumns[$0], nil),
        SQLOperand(
          dialect.parameter($0 + 1, as: description.rowType(at: $0)), nil),
        negated: false)
    }.joined(separator: " AND ")
    func bindObject(to statement: Statement) throws {
      let binder = statement.binder
      if let sealing = table.sealing {
        let record = sealing.record
        try encode(object, into: record.binder)
        try sealing.bindCompared(record.values, to: binder)
      } else {
        try encode(object, into: binder)
      }
      if case .generated = description.objectID, let id = object.storedObjectID {
        try id.bindObjectID(to: binder, at: description.properties.count)
      }
      partition?.bind(to: binder)
    }
    let scope = try session.referenceGraph().scope(of: description.table)
    try Removal.with(scope, on: session) { removal in
      let count = try removal.add(
        "SELECT \(removal.seedColumns) FROM \(table.sql.table) "
          + "WHERE (\(conditions.joined(separator: " OR "))) AND NOT (\(isOther))"
          + (partition?.clause(from: columns.count + 1) ?? ""),
        bindObject)
      guard count > 0 else { return }
      if let clearing = try clearingReferences(scope), object.storedObjectID != nil {
        try session.with(clearing) {
          try bindObject(to: $0)
          try $0.run()
        }
      }
      try removal.run()
    }
  }

  /// Returns a statement that clears the cascading references of a stored object to classes that
  /// refer to its own; `nil` if there are none.
  ///
  /// References that equal those of the bound object stay. One that cannot be `nil` is assigned the
  /// new value.
  private func clearingReferences(_ scope: RemovalScope) throws -> String? {
    let description = table.description
    let keys = scope.cascades.filter { $0.table == description.table }
    let columns = Set(keys.flatMap(\.columns))
    let assignments = try description.properties.indices.compactMap { position -> String? in
      let property = description.properties[position]
      guard columns.contains(property.column), !table.objectIDPositions.contains(position) else {
        return nil
      }
      let column = table.sql.quotedColumns[position]
      guard property.isOptional else {
        let value = table.sql.dialect.parameter(
          position + 1, as: description.rowType(at: position))
        return "\(column) = \(value)"
      }
      return "\(column) = CASE WHEN \(try table.sql.isEqual(position)) THEN \(column) END"
    }
    guard !assignments.isEmpty else { return nil }
    return table.sql.dialect.update(table.sql.table, assignments, isUndone: true)
      + " WHERE \(table.sql.hasObjectID)"
  }
}

extension StoredValue {
  /// Returns the value in the storage class of a column, or NULL if it equals no value of the
  /// column.
  fileprivate func compared(withColumnOf type: String) -> StoredValue {
    switch (type, self) {
    case ("INTEGER", .integer), ("REAL", .real), ("TEXT", .text), ("BLOB", .blob): self
    case ("INTEGER", .real(let number)): Int64(exactly: number).map(StoredValue.integer) ?? .null
    case ("REAL", .integer(let number)): Double(exactly: number).map(StoredValue.real) ?? .null
    case ("TEXT", .integer(let number)): .text(String(number))
    case ("INTEGER", .text(let text)), ("REAL", .text(let text)):
      StoredValue(digits: text)?.compared(withColumnOf: type) ?? .null
    default: .null
    }
  }

  /// Creates the number that a text consists of; `nil` for another text.
  private init?(digits text: String) {
    guard text.utf8.allSatisfy(Array("0123456789+-.eE".utf8).contains) else { return nil }
    if let number = Int64(text) {
      self = .integer(number)
    } else if let number = Double(text) {
      self = .real(number)
    } else {
      return nil
    }
  }
}
