import ObjectVaultCondition

/// The members of a class that typed conditions name.
///
/// `@Stored` writes them. By hand, a nested `Properties` has one line for each:
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
/// The names are those of the class's description; one that is not in it is told when a store is
/// asked.
public protocol ObjectProperties: Sendable {
  /// Makes the members as they are reached from `origin`.
  init(origin: PropertyOrigin)
}

/// The members of a class that has none to name: its conditions are written as text, as chains or
/// with `#Predicate`.
public struct NoProperties: ObjectProperties {
  /// Makes them.
  public init(origin: PropertyOrigin) {}
}

/// Where the properties of a class are reached from: the object that is asked, or one that it is
/// associated with.
public struct PropertyOrigin: Sendable, Hashable {
  let names: [String]

  /// The object that is asked.
  static let object = PropertyOrigin(names: [])

  init(names: [String]) { self.names = names }

  /// The property of that name.
  public func property<Value>(_ name: String) -> Property<Value> {
    Property(PropertyPath(names + [name]))
  }

  /// What a reference of that name refers to, or the one object that belongs to this one.
  public func object<Target>(_ name: String) -> RelatedObject<Target> {
    RelatedObject(origin: PropertyOrigin(names: names + [name]))
  }

  /// The objects that belong to this one under that name.
  public func objects<Target>(_ name: String) -> RelatedObjects<Target> {
    RelatedObjects(origin: PropertyOrigin(names: names + [name]))
  }
}
