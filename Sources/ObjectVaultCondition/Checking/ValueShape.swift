/// A value that a condition uses.
///
/// It is a property of the object, a property of an associated object, an aggregate of many
/// objects, or the result of a calculation.
package struct ValueShape: Sendable, Hashable {
  /// The object at the start of a value's path.
  package enum Origin: Sendable, Hashable {
    /// The object that the condition is tested on.
    case object
    /// The object that the iteration at a level tests, from 1 for the outermost one.
    case element(Int)
  }

  /// The spelling in the condition, for error messages.
  package var name: String
  package var type: PropertyType
  /// Whether the value may be nil; after an association it always may.
  package var isOptional: Bool
  package var origin: Origin
  /// The associations that the path crosses.
  ///
  /// Without an aggregate each step leads to one object at most, and the value is nil if a step
  /// leads to no object.
  package var steps: [AssociationStep]
  /// The position of the property in the row at the end; unused by `@count`.
  package var position: Int
  package var aggregate: Aggregate?
  /// Whether a row contains a reference to a shared blob instead of a long value of the property.
  package var isShared: Bool
  /// The column of a sealed property; `nil` for any other.
  package var sealed: SealedColumn?
  /// The computation, or `nil`; with one, the origin, the steps and the position are unused.
  package var computation: Computation?

  /// Creates the value of a property of the object itself.
  package init(_ property: PropertyShape) {
    name = property.name
    type = property.type
    isOptional = property.isOptional
    origin = .object
    steps = []
    position = property.position
    isShared = property.isShared
    sealed = property.sealed
    aggregate = nil
    computation = nil
  }

  /// Creates a computed value.
  init(_ computation: Computation, name: String) {
    self.init(
      PropertyShape(name, at: 0, type: computation.type, isOptional: computation.isOptional))
    self.computation = computation
  }

  /// Whether the value is a column of the row at the start of its path, which can have an index.
  package var isColumn: Bool { steps.isEmpty && aggregate == nil && computation == nil }

  /// The member of a property stored as JSON whose type the other side determines, or `nil`.
  package var untypedMember: JSONMember? {
    if case .member(let member, .any) = computation { member } else { nil }
  }

  /// Whether the value is found by the names of members.
  var readsMember: Bool {
    switch computation {
    case .member?: true
    case .memberCount(let member)?: !member.keys.isEmpty
    default: false
    }
  }

  /// Whether the value is a member of a property stored as JSON.
  var isMember: Bool {
    if case .member = computation { true } else { false }
  }

  /// Returns a member with values of a kind.
  func typed(_ kind: StoredJSON.Kind) -> ValueShape {
    guard let member = untypedMember else { return self }
    return ValueShape(.member(member, kind), name: name)
  }

  /// Whether the value is `now()`, which is the same for all objects.
  package var isNow: Bool {
    if case .now = computation { true } else { false }
  }

  /// Whether the value is a sum of integers: 64 bits if it fits, otherwise the nearest double.
  package var isSumOfIntegers: Bool { aggregate == .sum && type == .int64 }

  /// The steps to the objects of an aggregate, and the steps from each object to the value.
  package var stepsOfAggregate: (elements: ArraySlice<AssociationStep>, value: [AssociationStep]) {
    // `@count` counts every object at the end of the path; a value belongs to one of many objects.
    let end = aggregate == .count ? steps.endIndex : steps.endOfElements
    return (steps[..<end], Array(steps[end...]))
  }
}

extension [AssociationStep] {
  /// The end of the part that leads to many objects: the index after the last to-many association.
  ///
  var endOfElements: Int { (lastIndex(where: \.isMany) ?? -1) + 1 }
}
