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
  /// The relation, which knows the type of the owned objects.
  package let relation: any OwnedRelation<Owner>

  /// Returns a property with any number of objects that have an optional reference to the owner.
  @inlinable
  public static func many<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, [Child]?> & Sendable,
    by reference: any WritableKeyPath<Child, Ref<Owner>?> & Sendable
  ) -> OwnedProperty where Owner: StoredObject {
    OwnedProperty(
      KeyPathRelation(
        isMany: true, children: { $0[keyPath: property] },
        take: { $0[keyPath: property] = $1 }, owner: { $0[keyPath: reference]?.id },
        claim: { $0[keyPath: reference] = Ref(id: $1) },
        release: { $0[keyPath: reference] = nil }))
  }

  /// Returns a property with any number of objects.
  @inlinable
  public static func many<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, [Child]?> & Sendable,
    by reference: any WritableKeyPath<Child, Ref<Owner>> & Sendable
  ) -> OwnedProperty where Owner: StoredObject {
    OwnedProperty(
      KeyPathRelation(
        isMany: true, children: { $0[keyPath: property] },
        take: { $0[keyPath: property] = $1 }, owner: { $0[keyPath: reference].id },
        claim: { $0[keyPath: reference] = Ref(id: $1) }, release: nil))
  }

  /// Returns a property with at most one object that has an optional reference to the owner.
  @inlinable
  public static func one<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, Child?> & Sendable,
    by reference: any WritableKeyPath<Child, Ref<Owner>?> & Sendable
  ) -> OwnedProperty where Owner: StoredObject {
    OwnedProperty(
      KeyPathRelation(
        isMany: false, children: { $0[keyPath: property].map { [$0] } },
        take: { $0[keyPath: property] = $1.first }, owner: { $0[keyPath: reference]?.id },
        claim: { $0[keyPath: reference] = Ref(id: $1) },
        release: { $0[keyPath: reference] = nil }))
  }

  /// Returns a property with at most one object.
  @inlinable
  public static func one<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, Child?> & Sendable,
    by reference: any WritableKeyPath<Child, Ref<Owner>> & Sendable
  ) -> OwnedProperty where Owner: StoredObject {
    OwnedProperty(
      KeyPathRelation(
        isMany: false, children: { $0[keyPath: property].map { [$0] } },
        take: { $0[keyPath: property] = $1.first }, owner: { $0[keyPath: reference].id },
        claim: { $0[keyPath: reference] = Ref(id: $1) }, release: nil))
  }

  @usableFromInline
  init<Child: StoredObject>(_ relation: KeyPathRelation<Owner, Child>) {
    self.relation = relation
  }
}

/// The relation between an owner and the objects of one of its properties.
///
/// A protocol, because the owner's class does not show the type of the owned objects.
package protocol OwnedRelation<Owner>: Sendable {
  associatedtype Owner: VaultObject
  associatedtype Child: StoredObject

  /// Whether the property can have several objects.
  var isMany: Bool { get }
  /// The objects of the owner, or `nil` if the property is `nil`.
  var children: @Sendable (Owner) -> [Child]? { get }
  /// Assigns the objects to the owner.
  var take: @Sendable (inout Owner, [Child]) -> Void { get }
  /// The object ID of the owner that an object refers to.
  var owner: @Sendable (Child) -> Owner.ObjectIDType? { get }
  /// Assigns the owner to the object's reference.
  var claim: @Sendable (inout Child, Owner.ObjectIDType) -> Void { get }
  /// Sets the object's reference to `nil`; `nil` if the reference is not optional.
  var release: (@Sendable (inout Child) -> Void)? { get }
}

extension OwnedRelation {
  /// Returns the stored form of the owner's objects, or `nil` if the property is `nil`.
  func form(_ owner: Owner) throws -> [StoredForm]? {
    try children(owner)?.map { try StoredForm($0) }
  }
}

/// A relation by key paths. An application compiles its functions for its own types.
@usableFromInline
struct KeyPathRelation<Owner: VaultObject, Child: StoredObject>: OwnedRelation {
  @usableFromInline let isMany: Bool
  @usableFromInline let children: @Sendable (Owner) -> [Child]?
  @usableFromInline let take: @Sendable (inout Owner, [Child]) -> Void
  @usableFromInline let owner: @Sendable (Child) -> Owner.ObjectIDType?
  @usableFromInline let claim: @Sendable (inout Child, Owner.ObjectIDType) -> Void
  @usableFromInline let release: (@Sendable (inout Child) -> Void)?

  @usableFromInline
  init(
    isMany: Bool, children: @escaping @Sendable (Owner) -> [Child]?,
    take: @escaping @Sendable (inout Owner, [Child]) -> Void,
    owner: @escaping @Sendable (Child) -> Owner.ObjectIDType?,
    claim: @escaping @Sendable (inout Child, Owner.ObjectIDType) -> Void,
    release: (@Sendable (inout Child) -> Void)?
  ) {
    (self.isMany, self.children, self.take) = (isMany, children, take)
    (self.owner, self.claim, self.release) = (owner, claim, release)
  }
}
