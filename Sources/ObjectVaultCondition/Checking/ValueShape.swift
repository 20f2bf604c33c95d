/// A value that a condition asks for: a property of the object, one of an object that it is
/// associated with, or what an aggregate makes of many objects.
package struct ValueShape: Sendable, Hashable {
  /// Where its path begins.
  package enum Origin: Sendable, Hashable {
    /// The object that the condition is asked of.
    case object
    /// One of the objects that `ANY`, `ALL` or `NONE` goes through.
    case element
  }

  /// As the condition writes it, for errors.
  package var name: String
  package var type: PropertyType
  /// Whether it may be nil. Behind an association it always may.
  package var isOptional: Bool
  package var origin: Origin
  /// The associations crossed. Without an aggregate each leads to one object at most, and the
  /// value is nil where one leads to none.
  package var steps: [AssociationStep]
  /// Where the property stands in the row at the end; of no meaning to `@count`.
  package var position: Int
  package var aggregate: Aggregate?
  /// Whether a row has, in the place of a long value of the property, what stands for it.
  package var isShared: Bool
  /// What is calculated; of no meaning are then the origin, the steps and the position.
  package var computation: Computation?

  /// A property of the object itself.
  package init(_ property: PropertyShape) {
    name = property.name
    type = property.type
    isOptional = property.isOptional
    origin = .object
    steps = []
    position = property.position
    isShared = property.isShared
    aggregate = nil
    computation = nil
  }

  /// What is calculated from two values.
  init(_ computation: Computation, name: String) {
    self.init(
      PropertyShape(
        name, at: 0, type: computation.kind == .integer ? .int64 : .double, isOptional: true))
    self.computation = computation
  }

  /// Whether it is a column of the row where its path begins, which an index can serve.
  package var isColumn: Bool { steps.isEmpty && aggregate == nil && computation == nil }

  /// Whether it is a sum of integers: one of 64 bits where it fits, else the nearest double.
  package var isSumOfIntegers: Bool { aggregate == .sum && type == .int64 }

  /// The steps to the objects that an aggregate goes through, and those from each of them to the
  /// value.
  package var stepsOfAggregate: (elements: ArraySlice<AssociationStep>, value: [AssociationStep]) {
    // Every object that the path ends at counts; a value belongs to one of many.
    let end = aggregate == .count ? steps.endIndex : steps.endOfElements
    return (steps[..<end], Array(steps[end...]))
  }
}

extension [AssociationStep] {
  /// The end of the part that leads to many objects: behind the last to-many association.
  var endOfElements: Int { (lastIndex(where: \.isMany) ?? -1) + 1 }
}
