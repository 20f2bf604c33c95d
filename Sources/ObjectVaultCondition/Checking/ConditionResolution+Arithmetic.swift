extension ConditionResolution {
  /// Returns the result of a calculation: a constant, or a value of each object if it has a
  /// property.
  func calculated(
    _ op: ArithmeticOperator, _ left: Operand, _ right: Operand, _ operand: Operand
  ) throws -> Term {
    if operand.isDeeper(than: Operand.maximumDepth) {
      throw error(
        .limit,
        "The calculation is nested more than \(Operand.maximumDepth) levels deep. Simplify it.",
        at: operand)
    }
    if operand.valueCount > Operand.maximumValues {
      throw error(
        .limit, "The calculation has more than \(Operand.maximumValues) values. Use fewer.",
        at: operand)
    }
    let first = try number(try term(left), op, left)
    let second = try number(try term(right), op, right)
    let kind: Arithmetic = first.isReal || second.isReal ? .real : .integer
    if case .value(let a) = first.term, case .value(let b) = second.term {
      return try constant(kind.result(op, a, b), op, operand)
    }
    return .value(
      ValueShape(
        .arithmetic(kind, op, first.term, second.term),
        name: "\(first.name) \(op.rawValue) \(second.name)"))
  }

  /// Returns a result that is the same for every object.
  private func constant(
    _ result: StoredValue, _ op: ArithmeticOperator, _ operand: Operand
  ) throws -> Term {
    switch result {
    case .integer(let value): return .constant(.integer(value), source: "an integer")
    case .real(let value): return .constant(.real(value), source: "a number")
    case .null, .text, .blob:
      throw error(
        .typeMismatch,
        "'\(op.rawValue)' has no result here: it divides by zero, or the result is too large. "
          + "Check its values.",
        at: operand)
    }
  }

  private func number(
    _ term: Term, _ op: ArithmeticOperator, _ operand: Operand
  ) throws -> (term: ResolvedTerm, isReal: Bool, name: String) {
    switch term {
    case .value(let shape):
      switch shape.type.family {
      case .integer: return (.shape(shape), false, shape.name)
      case .real: return (.shape(shape), true, shape.name)
      default:
        throw error(
          .unsupportedOperator,
          "'\(shape.name)' has type \(shape.type.rawValue), but '\(op.rawValue)' works only on "
            + "integers and doubles. Use another property.",
          at: operand)
      }
    case .constant(let constant, let source):
      // Errors never contain a value.
      switch constant {
      case .integer(let value): return (.value(.integer(value)), false, "…")
      case .real(let value) where value.isFinite: return (.value(.real(value)), true, "…")
      case .decimal(let digits):
        if let value = Double(digits), value.isFinite { return (.value(.real(value)), true, "…") }
      default: break
      }
      throw error(
        .typeMismatch, "'\(op.rawValue)' does not accept \(source). Pass an integer or a Double.",
        at: operand)
    }
  }
}
