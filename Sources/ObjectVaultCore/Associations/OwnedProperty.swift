/// How the objects of another class that belong to an object are read from it, given to it, and
/// told who owns them.
///
/// `@Stored` writes them for properties marked `@Owned`; by hand:
///
/// ```swift
/// static var ownedProperties: [OwnedProperty<Classroom>] {
///   [.many(\.students, by: \Student.classroom)]
/// }
/// ```
public struct OwnedProperty<Owner: VaultObject>: Sendable {
  /// Whether the owner says which objects belong to it.
  let isGiven: @Sendable (Owner) -> Bool
  /// What would be stored of the objects that the owner has; `nil` where it does not say.
  let form: @Sendable (Owner) throws -> [StoredForm]?
  /// Makes the stored objects those that the owners have.
  let save: @Sendable (inout [Owner], OwnedDescription, OwnedSave) throws -> Void
  /// Gives the owners what is stored.
  let load: @Sendable (inout [Owner], OwnedDescription, Vault, VaultConnection) throws -> Void

  /// Objects of which there may be many, by a reference that may be `nil`.
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

  /// Objects of which there may be many.
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

  /// At most one object, by a reference that may be `nil`.
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

  /// At most one object.
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

/// What saving does with the objects that belong to an object.
public enum OwnedSaving: Sendable {
  /// Makes the stored ones equal to those given: writes what differs, inserts what is new, removes
  /// what is not there any more. `nil` leaves them alone.
  case save
  /// Leaves them alone.
  case leave
}

/// The ways between an owner and the objects of one of its properties.
struct OwnedRelation<Owner: VaultObject, Child: StoredObject>: Sendable {
  let isMany: Bool
  /// The objects that the owner has; `nil` where it does not say.
  let children: @Sendable (Owner) -> [Child]?
  /// Gives the owner its objects.
  let take: @Sendable (inout Owner, [Child]) -> Void
  /// The objectID of the owner that the object refers to.
  let owner: @Sendable (Child) -> Owner.ObjectIDType?
  /// Has the object refer to its owner.
  let claim: @Sendable (inout Child, Owner.ObjectIDType) -> Void
}

/// The owned objects of one class's objects, as its table's state keeps them.
final class OwnedObjects<Owner: VaultObject>: Sendable {
  let properties: [(property: OwnedProperty<Owner>, description: OwnedDescription)]

  init(_ properties: [OwnedProperty<Owner>], _ descriptions: [OwnedDescription]) {
    self.properties = zip(properties, descriptions).map { ($0, $1) }
  }

  /// Whether the object says of any of them what belongs to it.
  func areGiven(_ owner: Owner) -> Bool { properties.contains { $0.property.isGiven(owner) } }
}
