// Partitions: the objects of a class separated by a property, such as the ID of a user.

import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel

extension ObjectStore {
  /// Returns this store limited to the objects with one value of a property.
  ///
  /// ```swift
  /// let mine = try notes.partition("user", is: "ann")
  /// try mine.where("title CONTAINS 'tea' || isDone").remove()   // only Ann's notes
  /// ```
  ///
  /// The limit applies to every operation of the store and of its queries. They find, count,
  /// change, remove and observe no other objects, and treat object IDs of other partitions as
  /// unused when reading. The store rejects an object with another value of the property. It never
  /// removes an object of another partition to make room: an object ID in use there is taken.
  ///
  /// Associations between objects work as usual. A removal cascades, and owned objects are loaded
  /// and saved with their owner. A partition of a partition is limited by both properties. An index
  /// that begins with the property makes partitions fast; ``Query/explain()-swift.method`` suggests
  /// it.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift, or of a reference.
  ///   - value: The value, which is bound, never spliced into text; `nil` selects the objects
  ///     without a value. For a reference, a ``Ref`` or the object ID.
  /// - Returns: The limited store.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidValue` if the property cannot have the
  ///   value; `.invalidArgument` for a decimal, a composite or a shared property, which cannot
  ///   separate objects, and if the store is already limited to another value.
  public func partition(_ property: String, is value: Any?) throws -> ObjectStore {
    var terms = partition?.terms ?? []
    for term in try classDescription.partitionTerms(property, is: value) {
      if let former = terms.first(where: { $0.position == term.position }) {
        guard former.value == term.value else {
          throw VaultError(
            .invalidArgument,
            "The store is already the partition of class '\(classDescription.name)' for another "
              + "value of '\(property)', and no object has both values. Use the partition of the "
              + "whole store.")
        }
        continue
      }
      terms.append(term)
    }
    var store = self
    store.access = try access.limited(
      to: Partition(terms.sorted { $0.position < $1.position }, of: state))
    return store
  }

  /// Returns whether another store of the class is limited to the same objects.
  func isLimited(as other: ObjectStore) -> Bool {
    partition === other.partition || partition?.terms == other.partition?.terms
  }

  // MARK: Objects

  /// Throws if an object to be stored or changed is outside the partition.
  ///
  /// - Parameters:
  ///   - object: An object. One described at run time may lack values that are not written.
  ///   - positions: The properties to be written; `nil` for all of them.
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

  /// Throws if a new object ID would move an object out of the partition.
  ///
  /// - Parameter id: The new object ID.
  /// - Throws: `.otherPartition`.
  func checkPartition(of id: T.ObjectIDType) throws {
    guard let partition else { return }
    let parts = try id.objectIDParts
    for term in partition.terms {
      guard let place = state.objectIDPositions.firstIndex(of: term.position) else { continue }
      guard parts[place] == term.value else { throw classDescription.otherPartition(term) }
    }
  }

  /// Throws if changes of all objects of a query would move them out of the partition.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: `.otherPartition`.
  func checkPartition(of changes: [CheckedChange]) throws(VaultError) {
    for term in partition?.terms ?? [] {
      for change in changes where change.position == term.position {
        if case .value(term.value) = change.kind { continue }
        throw classDescription.otherPartition(term)
      }
    }
  }

  /// Throws if the store is limited to a partition.
  ///
  /// - Parameter action: The operation, for the error.
  /// - Throws: `.invalidArgument`.
  func checkIsWhole(to action: String) throws(VaultError) {
    guard let partition else { return }
    let names = partition.terms.map { "'\($0.property.name)'" }.joined(separator: ", ")
    throw VaultError(
      .invalidArgument,
      "The store is a partition of class '\(classDescription.name)' by \(names), but to \(action) "
        + "affects the objects of every partition. Use the store of the whole class.")
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns this store limited to the objects with one value of a property, checked by the
  /// compiler.
  ///
  /// ```swift
  /// let mine = try notes.partition(\.user, is: "ann")
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - value: The value.
  /// - Returns: The limited store.
  /// - Throws: ``VaultError`` as ``partition(_:is:)-(String,Any?)``.
  public func partition<Value>(
    _ property: KeyPath<T.Properties, Property<Value>>, is value: Value
  ) throws -> ObjectStore {
    try partition(T.Properties(origin: .object)[keyPath: property].name, is: value)
  }

  /// Returns this store limited to the objects that refer to an object; `nil` selects those without
  /// one.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - target: The object that it refers to.
  /// - Returns: The limited store.
  /// - Throws: ``VaultError`` as ``partition(_:is:)-(String,Any?)``.
  public func partition<Target>(
    _ reference: KeyPath<T.Properties, RelatedObject<Target>>, is target: Ref<Target>?
  ) throws -> ObjectStore {
    let names = T.Properties(origin: .object)[keyPath: reference].origin.names
    return try partition(names.joined(separator: "."), is: target)
  }
}

extension ClassDescription {
  /// Returns the properties of a partition with their values.
  ///
  /// There are several for a reference to objects with a composite object ID.
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
          "'\(name)' of class '\(self.name)' refers to objects with an object ID of "
            + "\(positions.count) parts, but the value is not one. Pass a Ref, or the object ID.")
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
    guard
      property.isShared || property.sealing != nil
        || [.decimal, .composite].contains(property.type.family)
    else { return }
    let kind =
      property.sealing != nil ? "sealed" : property.isShared ? "shared" : property.type.rawValue
    throw VaultError(
      .invalidArgument,
      "Property '\(property.name)' of class '\(name)' is \(kind), which cannot separate "
        + "partitions. Use a text, a number, a date, a UUID or a reference.")
  }

  fileprivate func otherPartition(_ term: Partition.Term) -> VaultError {
    VaultError(
      .otherPartition,
      "The store is the partition of class '\(name)' for one value of '\(term.property.name)', but "
        + "an object has another. Nothing was changed. Set that value, or use the store of the "
        + "object's partition or of the whole class.")
  }
}
