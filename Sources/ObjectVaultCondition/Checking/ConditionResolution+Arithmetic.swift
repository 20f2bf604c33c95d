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
    if op == .remainder, kind == .real {
      throw error(
        .unsupportedOperator,
        "'%' calculates the remainder of integers, but one side is not an integer. Use integers.",
        at: first.isReal ? left : right)
    }
    if case .value(let a) = first.term, case .value(let b) = second.term {
      return try constant(kind.result(op, a, b), op, operand)
    }
    return .value(
      ValueShape(
        .arithmetic(kind, op, first.term, second.term),
        name: "\(first.name) \(op.rawValue) \(second.name)"))
  }

  /// Returns the sum or difference of a date and an interval; `nil` without an interval.
  ///
  /// The date is `now()` or a value, so that the comparison can use an index.
  func shifted(
    _ op: ArithmeticOperator, _ left: Operand, _ right: Operand, _ operand: Operand
  ) throws -> Term? {
    guard left.interval != nil || right.interval != nil else { return nil }
    let isBehind = right.interval != nil
    let date = isBehind ? left : right
    let interval = isBehind ? right : left
    guard date.interval == nil, op == .add || (op == .subtract && isBehind) else {
      throw error(
        .unsupportedOperator,
        "An interval can only be added to a date or subtracted from one. Write now() - 7 days, for "
          + "example.",
        at: interval)
    }
    guard let length = interval.interval, length.isFinite else {
      throw error(.typeMismatch, "The interval is too long. Use a shorter one.", at: interval)
    }
    return try shifted(try term(date), by: op == .subtract ? -length : length, op, date)
  }

  private func shifted(
    _ term: Term, by seconds: Double, _ op: ArithmeticOperator, _ date: Operand
  ) throws -> Term {
    switch term {
    case .value(let shape):
      if case .now(let offset)? = shape.computation {
        return .value(ValueShape(.now(offset + seconds), name: "now() \(op.rawValue) …"))
      }
      throw error(
        .unsupportedOperator,
        "An interval cannot be added to the property '\(shape.name)'. Write it on the other side, "
          + "such as \(shape.name) < now() - 7 days.",
        at: date)
    case .constant(let constant, let source):
      guard let start = try? constant.date(), (start + seconds).isFinite else {
        throw error(
          .typeMismatch,
          "An interval cannot be added to \(source). Write a date, such as '2024-01-01'.", at: date)
      }
      return .constant(.date(StoredDate.rounded(start + seconds)), source: "a date")
    }
  }

  /// Returns a result that is the same for every object.
  private func constant(
    _ result: StoredValue, _ op: ArithmeticOperator, _ operand: Operand
  ) throws -> Term {
    switch result {
    case .integer(let value): return .constant(.integer(value), source: "an integer")
    case .real(let value): return .constant(.real(value, isFloat: false), source: "a number")
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
      case .date:
        throw error(
          .unsupportedOperator,
          "'\(shape.name)' has type Date, which cannot be used in calculations. Add an interval to "
            + "now() or to a date on the other side, such as now() - 7 days.",
          at: operand)
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
      case .real(let value, _) where value.isFinite: return (.value(.real(value)), true, "…")
      case .decimal(let digits, _):
        if let value = Double(digits), value.isFinite { return (.value(.real(value)), true, "…") }
      default: break
      }
      throw error(
        .typeMismatch, "'\(op.rawValue)' does not accept \(source). Pass an integer or a Double.",
        at: operand)
    }
  }
}

extension Operand {
  /// The length of an interval in seconds; `nil` for another operand.
  fileprivate var interval: Double? {
    guard case .literal(.interval(let number, let unit)) = kind else { return nil }
    return (Double(number) ?? .infinity) * unit.seconds
  }
}
