import ObjectVaultCondition

/// The object that a reference leads to, or the one that belongs to another, in typed conditions.
///
/// Its members are those of its class: `$0.classroom.floor >= 2`. They are nil where there is no
/// object.
@dynamicMemberLookup
public struct RelatedObject<Target: StoredObject>: Sendable {
  let origin: PropertyOrigin

  /// A member of the object's class.
  public subscript<Member>(dynamicMember member: KeyPath<Target.Properties, Member>) -> Member {
    Target.Properties(origin: origin)[keyPath: member]
  }

  /// Its objectID, where that is one value.
  public var id: Property<Target.ObjectIDType> { Property(PropertyPath(origin.names)) }

  /// It refers to this object; with nil, it refers to none.
  public static func == (left: RelatedObject, right: Ref<Target>?) -> ObjectCondition {
    left.id == right?.id
  }

  /// It does not refer to this object; with nil, it refers to one.
  public static func != (left: RelatedObject, right: Ref<Target>?) -> ObjectCondition {
    left.id != right?.id
  }

  /// Both refer to the same object, or to none.
  public static func == (left: RelatedObject, right: RelatedObject) -> ObjectCondition {
    left.id == right.id
  }

  /// They refer to different objects, or one of them to none.
  public static func != (left: RelatedObject, right: RelatedObject) -> ObjectCondition {
    left.id != right.id
  }

  /// It refers to one of these objects.
  public func isIn(_ references: some Sequence<Ref<Target>>) -> ObjectCondition {
    id.isIn(references.lazy.map(\.id))
  }
}
