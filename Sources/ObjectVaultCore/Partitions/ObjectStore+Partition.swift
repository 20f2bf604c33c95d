// A part of a class's objects that is kept apart by a property, such as the ID of a user.

extension ObjectStore {
  /// The same store limited to the objects in which a property has a value: one of the partitions that
  /// the property makes of the class.
  ///
  /// ```swift
  /// let mine = try notes.partition("user", is: "ann")
  /// try mine.where("title CONTAINS 'tea' || isDone").remove()   // Ann's, whatever the condition says
  /// ```
  ///
  /// Every operation of the store, and of the queries made of it, is limited so. It finds, counts,
  /// changes, removes and observes no other object, and to it an objectID of another partition's object
  /// is one under which nothing is stored. It stores no object in which the property has another value,
  /// and takes no other partition's object out of the way of one that it stores: an objectID that such
  /// an object has is taken.
  ///
  /// What associations between objects mean stays as it is: a removal takes along what must go with the
  /// objects, and what belongs to them is loaded and saved with them. Partitions of a partition are those of both properties. An index that begins with the
  /// property makes them fast; ``Query/explain()-swift.method`` suggests it.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift, or that of a reference.
  ///   - value: The value, which is bound, never spliced into text; `nil` for the objects in which the
  ///     property has none. For a reference, a ``Ref`` or the objectID.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidValue` where the property cannot have the
  ///   value; `.invalidArgument` for a decimal, a composite or a shared property, by which objects
  ///   cannot be kept apart, and where the store is the partition of another value already.
  public func partition(_ property: String, is value: Any?) throws -> ObjectStore {
    var terms = partition?.terms ?? []
    for term in try classDescription.partitionTerms(property, is: value) {
      if let former = terms.first(where: { $0.position == term.position }) {
        guard former.value == term.value else {
          throw VaultError(
            .invalidArgument,
            "The store is the partition of class '\(classDescription.name)' for another value of "
              + "'\(property)' already, and no object has both. Take the partition of the whole store."
          )
        }
        continue
      }
      terms.append(term)
    }
    var store = self
    store.access = access.limited(
      to: Partition(terms.sorted { $0.position < $1.position }, of: state))
    return store
  }

  /// Whether another store of the class is limited to the same objects.
  func isLimited(as other: ObjectStore) -> Bool {
    partition === other.partition || partition?.terms == other.partition?.terms
  }

  // MARK: Objects

  /// Sees that an object that is stored, or changed, is of the partition.
  ///
  /// - Parameters:
  ///   - object: An object. Where it is described at run time it may lack what is not written.
  ///   - positions: The properties that are written; `nil` for all of them.
  /// - Throws: `.otherPartition`.
  @inline(__always)
  func checkPartition(of object: T, only positions: [Int]? = nil) throws {
    if let partition { try check(object, isOf: partition, positions) }
  }

  @inline(never)
  private func check(_ object: T, isOf partition: Partition, _ positions: [Int]?) throws {
    if let object = object as? DynamicObject {
      for term in partition.terms where try object.isLoaded(term.property.name) {
        let value = try object.value(of: term.property.name)
        if value.isNull, let positions, !positions.contains(term.position) { continue }
        guard value == term.value else { throw classDescription.otherPartition(term) }
      }
      return
    }
    let values = try BoundValue.values(classDescription.properties.count) {
      try encode(object, into: $0)
    }
    for term in partition.terms where values[term.position] != term.bound {
      throw classDescription.otherPartition(term)
    }
  }

  /// Sees that an objectID that an object is to have leaves it in the partition.
  ///
  /// - Throws: `.otherPartition`.
  func checkPartition(of id: T.ObjectIDType) throws {
    guard let partition else { return }
    let parts = try id.objectIDParts
    for term in partition.terms {
      guard let place = state.objectIDPositions.firstIndex(of: term.position) else { continue }
      guard parts[place] == term.value else { throw classDescription.otherPartition(term) }
    }
  }

  /// Sees that changes of all objects of a query leave them in the partition.
  ///
  /// - Throws: `.otherPartition`.
  func checkPartition(of changes: [CheckedChange]) throws(VaultError) {
    for term in partition?.terms ?? [] {
      for change in changes where change.position == term.position {
        if case .value(term.value) = change.kind { continue }
        throw classDescription.otherPartition(term)
      }
    }
  }

  /// Sees that the store is that of the whole class.
  ///
  /// - Throws: `.invalidArgument`.
  func checkIsWhole(to action: String) throws(VaultError) {
    guard let partition else { return }
    let names = partition.terms.map { "'\($0.property.name)'" }.joined(separator: ", ")
    throw VaultError(
      .invalidArgument,
      "The store is a partition of class '\(classDescription.name)' by \(names), and to \(action) "
        + "changes the objects of every partition. Use the store of the whole class.")
  }
}

extension ObjectStore where T: StoredObject {
  /// The same store limited to the objects in which a property has a value, in members that the compiler
  /// checks.
  ///
  /// ```swift
  /// let mine = try notes.partition(\.user, is: "ann")
  /// ```
  ///
  /// - Throws: as ``partition(_:is:)-(String,Any?)``.
  public func partition<Value>(
    _ property: KeyPath<T.Properties, Property<Value>>, is value: Value
  ) throws -> ObjectStore {
    try partition(T.Properties(origin: .object)[keyPath: property].name, is: value)
  }

  /// The same store limited to the objects that refer to an object, or with `nil` to none.
  ///
  /// - Throws: as ``partition(_:is:)-(String,Any?)``.
  public func partition<Target>(
    _ reference: KeyPath<T.Properties, RelatedObject<Target>>, is target: Ref<Target>?
  ) throws -> ObjectStore {
    let names = T.Properties(origin: .object)[keyPath: reference].origin.names
    return try partition(names.joined(separator: "."), is: target)
  }
}

extension ClassDescription {
  /// The properties that a partition is made by, with their values; several for a reference to objects
  /// whose objectID has several parts.
  fileprivate func partitionTerms(
    _ name: String, is value: Any?
  ) throws -> [Partition.Term] {
    if let position = properties.firstIndex(where: { $0.name == name }) {
      let property = properties[position]
      try checkMakesPartitions(property)
      let value = try property.checked(argument: value, in: self, at: position)
      return [Partition.Term(property, at: position, is: value)]
    }
    guard let reference = reference(named: name) else { throw noSuchProperty(name) }
    let positions = reference.properties.compactMap { name in
      properties.firstIndex { $0.name == name }
    }
    var parts: [StoredValue] = Array(repeating: .null, count: positions.count)
    if let id = ConditionArgument.unwrapped(value) {
      guard let id = id as? any ObjectIDValue, try id.objectIDParts.count == positions.count else {
        throw VaultError(
          .invalidValue,
          "'\(name)' of class '\(self.name)' refers to objects whose objectID has \(positions.count) "
            + "parts, and the value given is none. Give a Ref, or the objectID.")
      }
      parts = try id.objectIDParts
    }
    return try zip(positions, parts).map { position, part in
      let property = properties[position]
      try checkMakesPartitions(property)
      return Partition.Term(
        property, at: position, is: try property.checked(part, in: self, at: position))
    }
  }

  private func checkMakesPartitions(_ property: PropertyDescription) throws(VaultError) {
    guard property.isShared || [.decimal, .composite].contains(property.type.family) else { return }
    let kind = property.isShared ? "shared" : property.type.rawValue
    throw VaultError(
      .invalidArgument,
      "Property '\(property.name)' of class '\(name)' is \(kind), by which objects cannot be kept "
        + "apart. Use a text, a number, a date, a UUID or a reference.")
  }

  fileprivate func otherPartition(_ term: Partition.Term) -> VaultError {
    VaultError(
      .otherPartition,
      "The store is the partition of class '\(name)' for one value of '\(term.property.name)', and an "
        + "object would have another. Nothing was changed. Give it that value, or use the store of its "
        + "own partition or of the whole class.")
  }
}
