package import ObjectVaultCondition
package import ObjectVaultDriver

/// The stored form of an object and its owned objects, for comparisons.
package struct StoredForm: Sendable, Equatable {
  /// The parts of the object ID; empty if the object has no ID.
  package let id: [StoredValue]
  /// The properties in declaration order.
  package let values: [BoundValue]
  /// The owned objects by property; `nil` for associations that are not loaded.
  let owned: [[StoredForm]?]

  package init<T: StoredObject>(_ object: T) throws {
    try self.init(object, T.classDescription, T.ownedProperties)
  }

  package init<T: VaultObject>(
    _ object: T, _ description: ClassDescription, _ properties: [OwnedProperty<T>]
  ) throws {
    id = try object.storedObjectID?.objectIDParts ?? []
    do {
      values = try BoundValue.values(description.properties.count, boundBy: object.encode)
    } catch {
      throw description.naming(error, binding: CollectionOfOne(object))
    }
    owned = try properties.map { try $0.relation.form(object) }
  }

  /// Returns whether another form of the same object has other values or owned objects.
  ///
  /// Associations that are not loaded in one of the forms count as equal.
  ///
  /// - Parameters:
  ///   - other: The other form.
  ///   - positions: The positions of properties that may differ.
  /// - Returns: Whether the forms differ.
  package func differs(from other: StoredForm, except positions: Set<Int>) -> Bool {
    values.indices.contains { !positions.contains($0) && values[$0] != other.values[$0] }
      || zip(owned, other.owned).contains { $0 != nil && $1 != nil && $0 != $1 }
  }

  /// Returns the names of the properties and owned associations in which a later form differs.
  ///
  /// Associations that are not loaded in the later form count as equal.
  package func changes(
    to later: StoredForm, _ description: ClassDescription
  ) -> (properties: [String], owned: [String]) {
    let changed = values.indices.filter { values[$0] != later.values[$0] }
    let changedOwned = later.owned.indices.filter {
      later.owned[$0] != nil && owned[$0] != later.owned[$0]
    }
    return (
      changed.map { description.properties[$0].name },
      changedOwned.map { description.owned[$0].name }
    )
  }
}
