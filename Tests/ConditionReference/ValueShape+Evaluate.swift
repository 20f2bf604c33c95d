package import ObjectVaultCondition

extension EvaluatedObject {
  /// Returns the objects at the end of some steps, once for each way that leads to them.
  func objects(across steps: ArraySlice<AssociationStep>) -> [any EvaluatedObject] {
    var reached: [any EvaluatedObject] = [self]
    for step in steps { reached = reached.flatMap { $0.objects(across: step) } }
    return reached
  }
}

extension ValueShape {
  /// Returns the value for the object at the start of its path; the reference for the SQL result.
  package func value(of object: any EvaluatedObject) -> StoredValue {
    guard let aggregate else { return Self.value(at: position, across: steps, of: object) }
    let (elements, steps) = stepsOfAggregate
    let reached = object.objects(across: elements)
    if aggregate == .count { return .integer(Int64(reached.count)) }
    let values = reached.map { Self.value(at: position, across: steps, of: $0) }
      .filter { !$0.isNull }
    switch aggregate {
    case .min: return values.min { StoredValue.compare($0, $1, as: type) < 0 } ?? .null
    case .max: return values.max { StoredValue.compare($0, $1, as: type) < 0 } ?? .null
    case .count, .sum, .avg:
      var sum = ExactSum(kind: ExactSum.Kind(of: type))
      for value in values { sum.add(value) }
      return aggregate == .avg ? sum.mean : sum.value
    }
  }

  private static func value(
    at position: Int, across steps: [AssociationStep], of object: any EvaluatedObject
  ) -> StoredValue {
    steps.isEmpty
      ? object.storedValue(at: position)
      : object.objects(across: steps[...]).first?.storedValue(at: position) ?? .null
  }
}
