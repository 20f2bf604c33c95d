extension ConditionResolution {
  func between(_ left: Side, _ members: Members) throws -> ResolvedCondition {
    switch members {
    case .list(let bounds):
      guard bounds.count == 2 else { throw wrongBounds(left.operand) }
      return .and([
        try compare(left, .greaterOrEqual, [], bounds[0]),
        try compare(left, .lessOrEqual, [], bounds[1]),
      ])
    case .argument(let operand):
      let (values, source) = try list(operand)
      guard values.count == 2 else { throw wrongBounds(operand) }
      guard case .value(let shape) = left.term, left.term.isProperty else {
        throw error(.typeMismatch, Self.needsProperty, at: left.operand)
      }
      if shape.untypedMember == nil { try checkOperator(.lessOrEqual, [], shape, left.operand) }
      return .and([
        try compare(shape, .greaterOrEqual, [], values[0], source, operand),
        try compare(shape, .lessOrEqual, [], values[1], source, operand),
      ])
    }
  }

  private func wrongBounds(_ operand: Operand) -> ConditionError {
    error(.arguments, "BETWEEN needs two bounds. Write {lowest, highest}.", at: operand)
  }

  func among(_ left: Side, _ members: Members) throws -> ResolvedCondition {
    if case .argument(let operand) = members, operand.isPath,
      let list = Self.collection(try term(operand))
    {
      let test = Comparison.Test.compare(.equal, [], left.operand)
      return try elements(.any, of: list, list.shape.name, test, operand)
    }
    guard case .value(let shape) = left.term, left.term.isProperty else {
      throw error(
        .typeMismatch, "The left side of IN is not a property. Write a property.", at: left.operand)
    }
    var choice = Choice(shape: shape)
    switch members {
    case .argument(let operand):
      let (values, source) = try list(operand)
      for constant in values {
        if shape.untypedMember != nil {
          choice.terms.append(try compare(shape, .equal, [], constant, source, operand))
          continue
        }
        choice.add(
          try convert(constant, "\(source) that contains \(constant.noun)", for: shape, operand))
      }
    case .list(let operands):
      for operand in operands {
        if shape.untypedMember != nil {
          choice.terms.append(try compare(left, .equal, [], operand))
          continue
        }
        switch try term(operand) {
        case .constant(let constant, let source):
          choice.add(try convert(constant, source, for: shape, operand))
        case .value(let other):
          try checkCompatible(shape, other, operand)
          choice.terms.append(.compare(shape, .equal, .shape(other), []))
        }
      }
    }
    return choice.condition
  }

  /// The members of an `IN`, grouped by how they are queried.
  private struct Choice {
    let shape: ValueShape
    var values: [StoredValue] = []
    var includesNil = false
    var terms: [ResolvedCondition] = []

    mutating func add(_ constant: ConvertedConstant) {
      switch constant {
      case .null: includesNil = true
      case .value(let value): values.append(value)
      // No value of the property equals such a number.
      case .integerPoint, .realPoint: break
      }
    }

    var condition: ResolvedCondition {
      var all = terms
      if !values.isEmpty { all.insert(.among(shape, values), at: 0) }
      if includesNil { all.append(.isNil(shape)) }
      return all.isEmpty ? .constant(false) : all.count == 1 ? all[0] : .or(all)
    }
  }

  /// Returns the members of an argument that is a list, and the name of the list in errors.
  private func list(_ operand: Operand) throws -> ([Constant], String) {
    guard case .constant(let constant, let source) = try term(operand),
      case .composite(let members?, _) = constant
    else {
      throw error(
        .arguments, "The argument is not a list. Pass a list, such as an array of values.",
        at: operand)
    }
    return (
      try members.map { member in
        guard let constant = Constant(member) else {
          throw error(
            .arguments,
            "A member of the list is stored in a form that its type does not have. Check the "
              + "member.",
            at: operand)
        }
        return constant
      }, source
    )
  }
}
