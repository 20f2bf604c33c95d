import ObjectVaultCondition
import ObjectVaultEngine

/// What would be stored of an object and of those that belong to it, for comparing.
struct StoredForm: Sendable, Equatable {
  /// The parts of the objectID; none while the object has none.
  let id: [StoredValue]
  /// The properties in declaration order.
  let values: [BoundValue]
  /// The objects that belong to it, by property; `nil` for those that it says nothing of.
  let owned: [[StoredForm]?]

  init<T: StoredObject>(_ object: T) throws {
    try self.init(object, T.classDescription, T.ownedProperties)
  }

  init<T: VaultObject>(
    _ object: T, _ description: ClassDescription, _ properties: [OwnedProperty<T>]
  ) throws {
    id = try object.storedObjectID?.objectIDParts ?? []
    do {
      values = try BoundValue.values(description.properties.count, boundBy: object.encode)
    } catch {
      throw description.naming(error)
    }
    owned = try properties.map { try $0.form(object) }
  }

  /// The names of the properties, and of those of owned objects, in which a later form differs. What it
  /// does not say is no difference.
  func changes(
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
