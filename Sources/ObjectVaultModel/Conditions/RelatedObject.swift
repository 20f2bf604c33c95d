import ObjectVaultCondition

/// The object at the end of a reference or of a to-one owned association in typed conditions.
///
/// Use the members of its class: `$0.classroom.floor >= 2`. They are nil if there is no object.
///
/// ```swift
/// try students.where { $0.classroom.floor >= 2 }.all()
/// ```
@dynamicMemberLookup
public struct RelatedObject<Target: StoredObject>: Sendable {
  package let origin: PropertyOrigin

  /// Returns a member of the object's class.
  public subscript<Member>(dynamicMember member: KeyPath<Target.Properties, Member>) -> Member {
    Target.Properties(origin: origin)[keyPath: member]
  }

  /// The object ID, if it consists of one value.
  ///
  /// If the class has another property with the name `id`, the condition is on that property. A value
  /// of another type is then reported when you query a store.
  public var id: Property<Target.ObjectIDType> {
    let description = Target.classDescription
    let position = description.properties.firstIndex { $0.name == "id" }
    guard let position, description.objectID != .properties([position]) else { return objectID }
    return origin.property("id")
  }

  private var objectID: Property<Target.ObjectIDType> { Property(PropertyPath(origin.names)) }

  /// Returns a condition that the reference leads to an object; with nil, that it leads to none.
  public static func == (left: RelatedObject, right: Ref<Target>?) -> ObjectCondition {
    left.objectID == right?.id
  }

  /// Returns a condition that the reference does not lead to an object; with nil, that it leads to
  /// one.
  public static func != (left: RelatedObject, right: Ref<Target>?) -> ObjectCondition {
    left.objectID != right?.id
  }

  /// Returns a condition that both references lead to the same object, or both to none.
  public static func == (left: RelatedObject, right: RelatedObject) -> ObjectCondition {
    left.objectID == right.objectID
  }

  /// Returns a condition that the references lead to different objects, or only one leads to none.
  public static func != (left: RelatedObject, right: RelatedObject) -> ObjectCondition {
    left.objectID != right.objectID
  }

  /// Returns a condition that the reference leads to one of these objects.
  public func isIn(_ references: some Sequence<Ref<Target>>) -> ObjectCondition {
    objectID.isIn(references.lazy.map(\.id))
  }
}
