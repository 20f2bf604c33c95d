import ObjectVaultSession

/// Access to an owner's property with owned objects of another class.
///
/// `@Stored` generates these values for properties marked `@Owned`. Without the macro, write:
///
/// ```swift
/// static var ownedProperties: [OwnedProperty<Classroom>] {
///   [.many(\.students, by: \Student.classroom)]
/// }
/// ```
public struct OwnedProperty<Owner: VaultObject>: Sendable {
  /// Whether the owner's property is not `nil`.
  let isGiven: @Sendable (Owner) -> Bool
  /// The stored form of the owner's objects, or `nil` if the property is `nil`.
  let form: @Sendable (Owner) throws -> [StoredForm]?
  /// Changes the stored objects to match the owners' objects.
  let save: @Sendable (inout [Owner], OwnedDescription, OwnedSave) throws -> Void
  /// Assigns the stored objects to the owners.
  let load: @Sendable (inout [Owner], OwnedDescription, Vault, Session) throws -> Void

  /// Returns a property with any number of objects that have an optional reference to the owner.
  public static func many<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, [Child]?> & Sendable,
    by reference: any WritableKeyPath<Child, Ref<Owner>?> & Sendable
  ) -> OwnedProperty where Owner: StoredObject {
    OwnedProperty(
      OwnedRelation(
        isMany: true, children: { $0[keyPath: property] },
        take: { $0[keyPath: property] = $1 }, owner: { $0[keyPath: reference]?.id },
        claim: { $0[keyPath: reference] = Ref(id: $1) }))
  }

  /// Returns a property with any number of objects.
  public static func many<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, [Child]?> & Sendable,
    by reference: any WritableKeyPath<Child, Ref<Owner>> & Sendable
  ) -> OwnedProperty where Owner: StoredObject {
    OwnedProperty(
      OwnedRelation(
        isMany: true, children: { $0[keyPath: property] },
        take: { $0[keyPath: property] = $1 }, owner: { $0[keyPath: reference].id },
        claim: { $0[keyPath: reference] = Ref(id: $1) }))
  }

  /// Returns a property with at most one object that has an optional reference to the owner.
  public static func one<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, Child?> & Sendable,
    by reference: any WritableKeyPath<Child, Ref<Owner>?> & Sendable
  ) -> OwnedProperty where Owner: StoredObject {
    OwnedProperty(
      OwnedRelation(
        isMany: false, children: { $0[keyPath: property].map { [$0] } },
        take: { $0[keyPath: property] = $1.first }, owner: { $0[keyPath: reference]?.id },
        claim: { $0[keyPath: reference] = Ref(id: $1) }))
  }

  /// Returns a property with at most one object.
  public static func one<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, Child?> & Sendable,
    by reference: any WritableKeyPath<Child, Ref<Owner>> & Sendable
  ) -> OwnedProperty where Owner: StoredObject {
    OwnedProperty(
      OwnedRelation(
        isMany: false, children: { $0[keyPath: property].map { [$0] } },
        take: { $0[keyPath: property] = $1.first }, owner: { $0[keyPath: reference].id },
        claim: { $0[keyPath: reference] = Ref(id: $1) }))
  }

  private init<Child: StoredObject>(_ relation: OwnedRelation<Owner, Child>) {
    isGiven = { relation.children($0) != nil }
    form = { try relation.children($0)?.map { try StoredForm($0) } }
    save = { try relation.save(&$0, $1, $2) }
    load = { try relation.load(&$0, $1, $2, $3) }
  }
}

/// The treatment of owned objects when their owner is saved.
public enum OwnedSaving: Sendable {
  /// Changes the stored objects to match the given ones.
  ///
  /// Changed objects are updated, new ones inserted, and missing ones removed. A property that is
  /// `nil` leaves them unchanged.
  case save
  /// Leaves the stored objects unchanged.
  case leave
}

/// The relation between an owner and the objects of one of its properties.
struct OwnedRelation<Owner: VaultObject, Child: StoredObject>: Sendable {
  let isMany: Bool
  /// The objects of the owner, or `nil` if the property is `nil`.
  let children: @Sendable (Owner) -> [Child]?
  /// Assigns the objects to the owner.
  let take: @Sendable (inout Owner, [Child]) -> Void
  /// The object ID of the owner that an object refers to.
  let owner: @Sendable (Child) -> Owner.ObjectIDType?
  /// Assigns the owner to the object's reference.
  let claim: @Sendable (inout Child, Owner.ObjectIDType) -> Void
}

/// The properties with owned objects of a class, as cached in the state of its table.
final class OwnedObjects<Owner: VaultObject>: Sendable {
  let properties: [(property: OwnedProperty<Owner>, description: OwnedDescription)]

  init(_ properties: [OwnedProperty<Owner>], _ descriptions: [OwnedDescription]) {
    self.properties = zip(properties, descriptions).map { ($0, $1) }
  }

  /// Returns whether any property with owned objects is not `nil`.
  func areGiven(_ owner: Owner) -> Bool { properties.contains { $0.property.isGiven(owner) } }
}
