extension ResolvedCondition {
  /// Checks that the file can answer the condition although it cannot read sealed values.
  ///
  /// A sealed property can be compared with nil, and a findable one also with values by `==`, `!=`
  /// and `IN`.
  ///
  /// - Throws: ``ConditionError`` with the name of the property.
  func checkSealing() throws(ConditionError) {
    switch self {
    case .constant: break
    case .and(let terms), .or(let terms): for term in terms { try term.checkSealing() }
    case .not(let term), .quantified(_, _, let term): try term.checkSealing()
    case .isNil(let shape):
      if shape.sealed == nil || shape.aggregate != nil { try shape.checkIsNotSealed() }
    case .compare(let shape, .equal, .value, let options),
      .compare(let shape, .notEqual, .value, let options):
      if !shape.isFound || !options.isEmpty { try shape.checkIsNotSealed() }
    case .among(let shape, _):
      if !shape.isFound { try shape.checkIsNotSealed() }
    case .compare(let shape, _, let term, _):
      try shape.checkIsNotSealed()
      try term.checkIsNotSealed()
    case .text(let search):
      try search.subject.checkIsNotSealed()
      try search.pattern.checkIsNotSealed()
    case .elements(_, let list, _, let term):
      try list.shape.checkIsNotSealed()
      try term.checkIsNotSealed()
    }
  }
}

extension ResolvedTerm {
  fileprivate func checkIsNotSealed() throws(ConditionError) {
    if case .shape(let shape) = self { try shape.checkIsNotSealed() }
  }
}

extension ValueShape {
  /// Whether the value is a findable property.
  fileprivate var isFound: Bool { sealed?.isFindable == true && aggregate == nil }

  /// Checks that no sealed property is needed for the value.
  ///
  /// - Throws: ``ConditionError`` with the name of the property.
  package func checkIsNotSealed() throws(ConditionError) {
    switch computation {
    case nil:
      guard let sealed, aggregate != .count else { return }
      throw ConditionError(
        .unsupportedOperator,
        "'\(name)' is sealed, so the file cannot read its value. "
          + (sealed.isFindable
            ? "It can be compared with values by ==, != and IN, and with nil. "
            : "It can only be compared with nil. ")
          + "Fetch the objects and use their values.")
    case .arithmetic(_, _, let left, let right)?:
      try left.checkIsNotSealed()
      try right.checkIsNotSealed()
    case .length(let shape)?, .cased(_, let shape)?: try shape.checkIsNotSealed()
    case .member(let member, _)?, .memberCount(let member)?: try member.shape.checkIsNotSealed()
    case .now?: break
    }
  }
}
