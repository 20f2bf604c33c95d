public import Dispatch
public import Foundation
import ObjectVaultCondition
public import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension ObjectStore {
  /// Returns the object stored under an object ID, or `nil`.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: The object, or `nil` if it is not stored.
  /// - Throws: ``VaultError`` `.invalidArgument` for a ``DynamicObjectID`` with a wrong number of
  ///   parts.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  @inlinable
  public func find(_ id: T.ObjectIDType) throws -> T? {
    if IdentityMap.mayExist { return try findOnce(id) }
    return try findAnew(id)
  }

  @inlinable @inline(__always)
  func findAnew(_ id: T.ObjectIDType) throws -> T? {
    if access.mustLoadOwned { return try findWithOwned(id) }
    return try StoreAccess.one { take in
      try access.find({ try bindParts(of: id, to: $0) }, take)
    }
  }

  @usableFromInline
  func findWithOwned(_ id: T.ObjectIDType) throws -> T? { try find(ids: [id]).first }

  /// Returns the objects stored under object IDs, in that order, without missing ones.
  ///
  /// The number of object IDs is not limited.
  ///
  /// - Parameter ids: The object IDs.
  /// - Returns: The objects.
  /// - Throws: ``VaultError`` as ``find(_:)-(T.ObjectIDType)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func find(ids: some Sequence<T.ObjectIDType>) throws -> [T] {
    let opened = try database.opened()
    return try opened.readScope {
      try read { session in
        let kept = try keptObjectsOfRows()
        var objects: [T] = []
        for id in ids {
          if let object = try kept?[id] ?? find(id, kept, on: session) { objects.append(object) }
        }
        try complete(&objects, on: session)
        return objects
      }
    }
  }

  /// Returns whether an object is stored under an object ID.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: `true` if the object is stored.
  /// - Throws: ``VaultError`` as ``find(_:)-(T.ObjectIDType)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func contains(id: T.ObjectIDType) throws -> Bool {
    try read { session in
      try with(.find, on: session) { statement in
        try bind(id, to: statement)
        return try statement.step()
      }
    }
  }

  private func find(
    _ id: T.ObjectIDType, _ kept: KeptObjects<T>?, on session: Session
  ) throws -> T? {
    try with(.find, on: session) { statement in
      try bind(id, to: statement)
      return try statement.step() ? try object(statement, kept) : nil
    }
  }
}

// Reads through the identity map of a caching read scope.

extension ObjectStore {
  /// Returns the cached objects of the class, if the read scope caches objects and the store takes
  /// part.
  ///
  /// - Throws: The errors that a read throws before it uses the engine.
  @inlinable
  func keptObjects() throws -> KeptObjects<T>? {
    guard IdentityMap.mayExist, access.isWhole else { return nil }
    if let kept = try KeptClass.ofLastStore(
      ObjectIdentifier(access.link.handle), ObjectIdentifier(access.table))
    {
      return kept as? KeptObjects<T>
    }
    return try keptObjectsOfMap()
  }

  @usableFromInline
  func keptObjectsOfMap() throws -> KeptObjects<T>? {
    guard let map = try IdentityMap.current(for: access) else { return nil }
    if let kept = map.kept(table) { return kept as? KeptObjects<T> }
    return KeptObjects(access, map)
  }

  /// Returns the cached objects for reading rows.
  ///
  /// Objects with owned objects are cached only after those are loaded, so the result is `nil` for
  /// them.
  func keptObjectsOfRows() throws -> KeptObjects<T>? { mustLoadOwned ? nil : try keptObjects() }

  /// Loads the owned objects of `objects`, and replaces objects that are already cached.
  func complete(_ objects: inout [T], on session: Session) throws {
    guard mustLoadOwned else { return }
    try loadOwned(&objects, on: session)
    try keptObjects()?.merge(&objects)
  }

  /// Returns the object stored under an object ID, using the read scope's cache.
  @inlinable @inline(never)
  func findOnce(_ id: T.ObjectIDType) throws -> T? {
    guard let kept = try keptObjects() else { return try findAnew(id) }
    return try kept[id] ?? find(id, keepingIn: kept)
  }

  /// Returns the object stored under an object ID that is not cached yet, and caches it.
  @usableFromInline
  func find(_ id: T.ObjectIDType, keepingIn kept: KeptObjects<T>) throws -> T? {
    if mustLoadOwned {
      guard let object = try findWithOwned(id) else { return nil }
      kept.keep(object, foundUnder: id)
      return object
    }
    var found: T?
    try access.find {
      try bindParts(of: id, to: $0)
    } _: { row in
      found = try kept.object(row)
    }
    return found.take()
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns the objects that a joining class links to an object of another class: many to many.
  ///
  /// ```swift
  /// @Stored struct Enrollment {
  ///   @ObjectID @Reference(onDelete: .cascade) var student: Ref<Student>
  ///   @ObjectID @Reference(onDelete: .cascade) var course: Ref<Course>
  /// }
  /// let courses = try vault.store(of: Course.self).related(to: student, through: Enrollment.self)
  /// let students = try vault.store(of: Student.self).related(to: course, through: Enrollment.self)
  /// ```
  ///
  /// Each object occurs once, in the order of insertion:
  /// `SELECT … WHERE id IN (SELECT course FROM Enrollment WHERE student = ?)`.
  ///
  /// - Parameters:
  ///   - other: A stored object of the other class.
  ///   - joining: The class that refers to both classes.
  ///   - reference: The name of the joining class's reference to the requested objects. Required if
  ///     it has several references to their class.
  ///   - otherReference: The name of the joining class's reference to `other`, with the same rule.
  /// - Returns: The objects, with their owned objects.
  /// - Throws: ``VaultError``: `.noObjectID` if `other` has no ID; `.invalidArgument` if the
  ///   joining class has no matching references, or if they are ambiguous.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func related<Other: StoredObject, Joining: StoredObject>(
    to other: Other, through joining: Joining.Type, by reference: String? = nil,
    from otherReference: String? = nil
  ) throws -> [T] {
    let id = try Ref(other).id
    let links = try database.store(of: Joining.self)
    let (description, joins) = (links.classDescription, links.table.sql)
    let own = try description.joining(
      classDescription, named: reference, besides: otherReference)
    let far = try description.joining(
      database.store(of: Other.self).classDescription, named: otherReference, besides: own.name)
    let key = table.objectIDPositions.map { table.sql.comparedColumns[$0] }
    let between = SQL.quoted(description.table)
    let columns = description.columns(of: own.properties).map(joins.compared)
    let farColumns = description.columns(of: far.properties)
    let condition = farColumns.enumerated()
      .map { joins.isEqual($1, to: "?\($0 + 1)") }.joined(separator: " AND ")
    let row = key.count == 1 ? key[0] : "(\(key.joined(separator: ", ")))"
    let sql =
      "SELECT \(table.sql.columns) FROM \(table.sql.table) WHERE \(row) IN "
      + "(SELECT \(columns.joined(separator: ", ")) FROM \(between) "
      + "WHERE \(condition))\(partition?.clause(from: farColumns.count + 1) ?? "") "
      + "ORDER BY \(table.insertionOrder.joined(separator: ", "))"
    return try readWithOwned { session in
      var objects = try session.with(sql) { statement in
        let binder = statement.binder
        try id.bindObjectID(to: binder, at: 0)
        partition?.bind(to: binder, at: farColumns.count)
        return try self.objects(statement)
      }
      try complete(&objects, on: session)
      return objects
    }
  }
}

extension ClassDescription {
  /// Returns the reference of the joining class to the target class.
  fileprivate func joining(
    _ target: ClassDescription, named name: String?, besides other: String?
  ) throws(VaultError) -> ReferenceDescription {
    let candidates = references.filter {
      $0.target == target.table && (name == nil ? $0.name != other : $0.name == name)
    }
    guard candidates.count == 1 else {
      let problem = candidates.isEmpty ? "no such reference" : "several references"
      throw VaultError(
        .invalidArgument,
        "Class '\(self.name)' has \(problem) to class '\(target.name)'. Pass the name of the "
          + "reference to use.")
    }
    return candidates[0]
  }
}

extension ObjectStore {
  /// Returns the converter of a spelled path; `nil` if its values are stored in the default form.
  func converter(named path: String) -> ValueConverter? {
    table.converters?.converter(named: path)
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns the referenced object, or `nil` if it is not stored.
  ///
  /// - Throws: The errors of ``find(_:)-(T.ObjectIDType)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  @inlinable
  public func find(_ reference: Ref<T>) throws -> T? { try find(reference.id) }
}

extension ObjectStore {
  /// Returns the objects of all rows of a statement and records them; retained objects are not
  /// reused.
  func objects(_ statement: Statement, noting reads: ObservedReads?) throws -> [T] {
    var objects: [T] = []
    while try statement.step() {
      reads?.note(statement.row)
      objects.append(try object(statement))
    }
    return objects
  }
}

extension ObjectStore {
  /// Returns the observation target that reads one object if it changed; `nil` if it is missing.
  func observedObject(_ id: T.ObjectIDType) -> Observed<T?> {
    Observed(database: database) { [self] in
      var former: [RowDigest]?
      return { reads in
        let object = try readWithOwned { session in
          try session.observing(reads) {
            reads.note(table: classDescription.table)
            var objects = try with(.find, on: session) { statement in
              try bind(id, to: statement)
              return try self.objects(statement, noting: reads)
            }
            try loadOwned(&objects, on: session)
            return objects.first
          }
        }
        let digests = reads.takeDigests()
        defer { former = digests }
        return digests == former ? nil : .some(object)
      }
    }
  }
}

extension ObjectStore where T: Sendable {
  /// Returns a sequence of all objects, now and after every change; see ``Query/observe()``.
  public func observe() -> ObservationSequence<[T]> { query.observe() }

  /// Returns a sequence of all objects with their changes; see ``Query/observeChanges()``.
  public func observeChanges() -> ObservationSequence<QueryChange<T>> { query.observeChanges() }

  /// Returns a sequence of the number of objects, now and after every change of the number.
  public func observeCount() -> ObservationSequence<Int> { query.observeCount() }

  /// Returns a sequence of the object with an objectID and its owned objects.
  ///
  /// The first element is the current object, followed by one for every change; `nil` while the
  /// object does not exist.
  public func observe(id: T.ObjectIDType) -> ObservationSequence<T?> {
    ObservationSequence(observed: observedObject(id))
  }
}

extension ObjectStore {
  /// Calls `onChange` with all objects, now and after every change.
  ///
  /// See ``Query/observe(on:onError:onChange:)``.
  public func observe(
    on queue: DispatchQueue? = nil, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable ([T]) -> Void
  ) -> ObservationToken {
    query.observe(on: queue, onError: onError, onChange: onChange)
  }

  /// Calls `onChange` with the object with an objectID, now and after every change.
  ///
  /// See ``Query/observe(on:onError:onChange:)``.
  public func observe(
    id: T.ObjectIDType, on queue: DispatchQueue? = nil,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (T?) -> Void
  ) -> ObservationToken {
    ObservationCalls(observedObject(id), on: queue, onError: onError, onChange: onChange).start()
  }
}

extension ObjectStore {
  /// Returns one page of all objects; see ``Query/page(number:size:)-(Int,Int)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func page(number: Int, size: Int) throws -> Page<T> {
    try query.page(number: number, size: size)
  }
}

extension ObjectStore {
  /// A query for all objects of the class, in insertion order.
  @inlinable
  public var query: Query<T> { Query(store: self) }

  /// Returns a query for the objects that match a condition.
  ///
  /// - Returns: The query, with the errors of ``Query/where(_:_:)``.
  @inlinable
  public func `where`(_ format: String, _ arguments: Any?...) -> Query<T> {
    Query(store: self, parts: access.parts(format, arguments: arguments))
  }

  /// Returns a query for the objects that match a condition.
  ///
  /// - Returns: The query, with the errors of ``Query/where(_:_:)``.
  public func `where`(
    _ format: String, arguments: [Any?], named: [String: Any?] = [:]
  ) -> Query<T> {
    query.where(format, arguments: arguments, named: named)
  }

  /// Returns all objects sorted by these properties.
  ///
  /// - Returns: The query, with the errors of ``Query/sorted(by:)-(Sort...)``.
  public func sorted(by sorts: Sort...) -> Query<T> {
    query.sorted(by: sorts)
  }

  /// Returns the value at a path: the name of a property, or names separated by dots.
  func value(named path: String) throws -> ValueShape {
    try VaultError.mappingConditions { try access.checker.value(named: path) }
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns a store limited to the objects whose converted property has a value.
  ///
  /// The compiler checks the property and the type of the value.
  ///
  /// - Throws: The errors of ``partition(_:is:)-(String,Any?)``.
  public func partition<C: PropertyConverter, Value>(
    _ property: KeyPath<T.Properties, ConvertedProperty<C, Value>>, is value: Value
  ) throws -> ObjectStore {
    try partition(T.Properties(origin: .object)[keyPath: property].name, is: value)
  }
}

extension ObjectStore {
  /// Returns all objects, in insertion order.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  @inlinable
  public func all() throws -> [T] { try query.all() }

  /// Returns the object that was inserted first, or `nil` if there are no objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  @inlinable
  public func first() throws -> T? { try query.first() }

  /// Returns the number of objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func count() throws -> Int { try query.count() }

  /// Calls `body` with each object, one in memory at a time; see ``Query/forEach(_:)-((T)->Void)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func forEach(_ body: (T) throws -> Void) throws { try query.forEach(body) }
}

extension ObjectStore {
  /// Returns a query for the objects that match a condition.
  ///
  /// - Returns: The query, with the errors of ``Query/where(_:)-(ObjectCondition)``.
  public func `where`(_ condition: ObjectCondition) -> Query<T> {
    query.where(condition)
  }

  /// Returns a query for the objects that match a condition on members that the compiler checks.
  ///
  /// - Returns: The query, with the errors of ``Query/where(_:)-(ObjectCondition)``.
  public func `where`<C: ConditionConvertible>(
    _ condition: (T.Properties) -> C
  ) -> Query<T> where T: StoredObject {
    query.where(condition)
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns a query for the objects that match a predicate.
  ///
  /// - Returns: The query, with the errors of ``Query/where(_:)-(Predicate<T>)``.
  public func `where`(_ predicate: Predicate<T>) -> Query<T> {
    query.where(predicate)
  }
}

extension ObjectStore {
  /// Returns a query of the objects that match a condition written as SQL.
  ///
  /// - Returns: The query, with the errors of ``Query/where(sql:)``.
  public func `where`(sql fragment: SQLStatement) -> Query<T> {
    query.where(sql: fragment)
  }
}

extension ObjectStore {
  /// Returns a query for the objects with these terms in their searched properties.
  ///
  /// - Returns: The query, with the errors of ``Query/search(_:in:)``.
  public func search(_ text: String, in property: String? = nil) -> Query<T> {
    query.search(text, in: property)
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns all objects sorted by these properties, which the compiler checks.
  ///
  /// - Returns: The query, with the errors of ``Query/sorted(by:)-(Sort...)``.
  public func sorted<each Key: SortConvertible>(
    by keys: repeat KeyPath<T.Properties, each Key>
  ) -> Query<T> {
    query.sorted(by: repeat each keys)
  }
}

extension ObjectStore {
  /// Returns the object that was inserted last, or `nil` if there are no objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func last() throws -> T? { try query.last() }
}

// Unavailable overloads that explain why an expression is not a valid condition.

extension ObjectStore where T: StoredObject {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message:
      "a value is not a condition; compare it, as in '$0.age > 3' (a Bool needs no comparison)"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) -> Query<T> { query }
}

extension ObjectStore where T: Sendable {
  /// An asynchronous sequence of all objects; see ``Query/objects``.
  public var objects: ObjectStream<T> { query.objects }
}
