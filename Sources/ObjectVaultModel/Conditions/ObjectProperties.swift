import ObjectVaultCondition

/// The members of a class for typed conditions.
///
/// `@Stored` generates them. Without the macro, declare a nested `Properties` with one line for
/// each member:
///
/// ```swift
/// extension Student {
///   struct Properties: ObjectProperties {
///     let origin: PropertyOrigin
///     var name: Property<String> { origin.property("name") }
///     var age: Property<Int> { origin.property("age") }
///     var classroom: RelatedObject<Classroom> { origin.object("classroom") }
///   }
/// }
/// ```
///
/// The names are the names in the class description. An unknown name is reported when you query a
/// store.
public protocol ObjectProperties: Sendable {
  /// Creates the members as seen from `origin`.
  init(origin: PropertyOrigin)
}

/// The members of a class without typed members.
///
/// Conditions on such a class are written as text, as chains or with `#Predicate`.
public struct NoProperties: ObjectProperties {
  /// Creates the empty set of members.
  public init(origin: PropertyOrigin) {}
}

/// The object that properties are read from: the queried object or an associated object.
public struct PropertyOrigin: Sendable, Hashable {
  package let names: [String]

  /// The queried object.
  package static let object = PropertyOrigin(names: [])

  init(names: [String]) { self.names = names }

  /// Returns the property with a name.
  public func property<Value>(_ name: String) -> Property<Value> {
    Property(PropertyPath(names + [name]))
  }

  /// Returns the object at the end of a reference or of a to-one owned association.
  public func object<Target>(_ name: String) -> RelatedObject<Target> {
    RelatedObject(origin: PropertyOrigin(names: names + [name]))
  }

  /// Returns the owned objects of an association.
  public func objects<Target>(_ name: String) -> RelatedObjects<Target> {
    RelatedObjects(origin: PropertyOrigin(names: names + [name]))
  }
}
