// Without recursion, because a condition can be nested deeply and threads can have small stacks.

extension ResolvedCondition {
  /// Checks that the file can answer the condition although it cannot read sealed values.
  ///
  /// A sealed property can be compared with nil, and a findable one also with values by `==`, `!=`
  /// and `IN`.
  ///
  /// - Throws: ``ConditionError`` with the name of the property.
  func checkSealing() throws(ConditionError) {
    var waiting = [self]
    while let condition = waiting.popLast() {
      switch condition {
      case .and(let terms), .or(let terms): waiting += terms
      case .not(let term), .quantified(_, _, let term): waiting.append(term)
      default: for shape in condition.readShapes { try shape.checkIsNotSealed() }
      }
    }
  }

  /// The values whose content a comparison must read.
  private var readShapes: [ValueShape] {
    switch self {
    case .constant, .and, .or, .not, .quantified: []
    case .isNil(let shape): shape.aggregate == nil && shape.computation == nil ? [] : [shape]
    case .compare(let shape, .equal, .value, []), .compare(let shape, .notEqual, .value, []),
      .among(let shape, _):
      shape.isFound ? [] : [shape]
    case .compare(let shape, _, let term, _): [shape] + term.shapes
    case .text(let search): search.subject.shapes + search.pattern.shapes
    case .elements(_, let list, _, let term): [list.shape] + term.shapes
    }
  }
}

extension ResolvedTerm {
  /// The property or calculated value; empty for a constant.
  fileprivate var shapes: [ValueShape] {
    if case .shape(let shape) = self { [shape] } else { [] }
  }
}

extension ValueShape {
  /// Whether the value is a findable property.
  fileprivate var isFound: Bool { sealed?.isFindable == true && aggregate == nil }

  /// The values that the calculation of the value reads; empty for a property.
  private var operands: [ValueShape] {
    switch computation {
    case nil, .now?, .matchCount?: []
    case .arithmetic(_, _, let left, let right)?: left.shapes + right.shapes
    case .length(let shape)?, .cased(_, let shape)?: [shape]
    case .member(let member, _)?, .memberCount(let member)?: [member.shape]
    }
  }

  /// Checks that no sealed property is needed for the value.
  ///
  /// - Throws: ``ConditionError`` with the name of the property.
  package func checkIsNotSealed() throws(ConditionError) {
    var waiting = [self]
    while let shape = waiting.popLast() {
      waiting += shape.operands
      // Recursive only as deep as conditions may contain SUBQUERY.
      if case .matchCount(let count)? = shape.computation { try count.test.checkSealing() }
      guard let sealed = shape.sealed, shape.aggregate != .count else { continue }
      throw ConditionError(
        .unsupportedOperator,
        "'\(shape.name)' is sealed, so the file cannot read its value. "
          + (sealed.isFindable
            ? "It can be compared with values by ==, != and IN, and with nil. "
            : "It can only be compared with nil. ")
          + "Fetch the objects and use their values.")
    }
  }
}
