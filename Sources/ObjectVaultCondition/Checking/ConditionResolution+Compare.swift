extension ConditionResolution {
  func compare(
    _ left: Side, _ op: ComparisonOperator, _ options: TextOptions, _ right: Operand
  ) throws -> ResolvedCondition {
    let rightTerm = try term(right)
    guard left.term.isProperty || rightTerm.isProperty else {
      throw error(.typeMismatch, Self.needsProperty, at: left.operand)
    }
    switch (left.term, rightTerm) {
    case (.value(let a), .value(let b)) where a.untypedMember != nil || b.untypedMember != nil:
      let (a, b) = try typed(a, b, right)
      try checkOperator(op, options, a, left.operand)
      return .compare(a, op, .shape(b), options)
    case (.value(let a), .value(let b)):
      try checkOperator(op, options, a, left.operand)
      try checkCompatible(a, b, right)
      try checkOperator(op, options, b, right)
      return .compare(a, op, .shape(b), options)
    case (.value(let value), .constant(let constant, let source)):
      if value.untypedMember == nil { try checkOperator(op, options, value, left.operand) }
      return try compare(value, op, options, constant, source, right)
    case (.constant(let constant, let source), .value(let value)):
      if value.untypedMember == nil { try checkOperator(op, options, value, right) }
      return try compare(value, op.mirrored, options, constant, source, left.operand)
    case (.constant, .constant):
      throw error(.typeMismatch, Self.needsProperty, at: left.operand)
    }
  }

  static let needsProperty =
    "Neither side of the comparison is a property. Compare a property with a value."

  func compare(
    _ shape: ValueShape, _ op: ComparisonOperator, _ options: TextOptions,
    _ constant: Constant, _ source: String, _ operand: Operand
  ) throws -> ResolvedCondition {
    if shape.untypedMember != nil {
      return try compare(member: shape, op, options, constant, source, operand)
    }
    switch try convert(constant, source, for: shape, operand) {
    case .null:
      switch op {
      case .equal: return .isNil(shape)
      case .notEqual: return .not(.isNil(shape))
      default:
        throw error(
          .comparisonWithNil,
          "nil has no order: '\(op.rawValue)' needs a value. Write == nil or != nil.", at: operand)
      }
    case .value(.text(let text)) where !options.isEmpty:
      return .compare(shape, op, .value(.text(checker.folding.fold(text, options))), options)
    case .value(let value): return .compare(shape, op, .value(value), options)
    case .integerPoint(let point):
      return Self.compare(shape, op, point) { .integer($0) }
    case .realPoint(let point):
      return Self.compare(shape, op, point) { .real($0) }
    }
  }

  /// Returns a comparison with a number that lies between two values of the property.
  private static func compare<Value>(
    _ shape: ValueShape, _ op: ComparisonOperator, _ point: NumberPoint<Value>,
    _ stored: (Value) -> StoredValue
  ) -> ResolvedCondition {
    switch (op, point) {
    case (_, .exact(let value)): .compare(shape, op, .value(stored(value)), [])
    case (.equal, _): .constant(false)
    case (.notEqual, _): .constant(true)
    case (.less, .after(let value)), (.lessOrEqual, .after(let value)):
      .compare(shape, .lessOrEqual, .value(stored(value)), [])
    case (.greater, .after(let value)), (.greaterOrEqual, .after(let value)):
      .compare(shape, .greater, .value(stored(value)), [])
    case (.less, .aboveAll), (.lessOrEqual, .aboveAll), (.greater, .belowAll),
      (.greaterOrEqual, .belowAll):
      .not(.isNil(shape))
    case (.less, .belowAll), (.lessOrEqual, .belowAll), (.greater, .aboveAll),
      (.greaterOrEqual, .aboveAll):
      .constant(false)
    }
  }

  /// Returns the constant as the property stores it.
  func convert(
    _ constant: Constant, _ source: String, for shape: ValueShape, _ operand: Operand
  ) throws -> ConvertedConstant {
    if case .arithmetic = operand.kind, !constant.isDate { try checkCalculated(shape, operand) }
    do {
      return try shape.isSumOfIntegers
        ? constant.convertedToSum() : constant.converted(to: shape.type)
    } catch let failure as ConversionFailure {
      // For an argument, the source contains the position. For an unreadable text, the noun is
      // clearer.
      let noun = failure.noun == constant.noun ? source : failure.noun
      throw error(
        .typeMismatch,
        "'\(shape.name)' has type \(shape.type.rawValue) and cannot be compared with \(noun). Pass "
          + "\(Self.expectation(shape.type)).",
        at: operand)
    }
  }

  /// Rejects a calculation if it is more likely a mistake than a value of the type.
  ///
  /// `2024-01-01` is a subtraction, and `0.1+0.2` is a Double.
  private func checkCalculated(_ shape: ValueShape, _ operand: Operand) throws(ConditionError) {
    let hint: String
    switch shape.type.family {
    case .date:
      hint = "Write a date as text, such as '2024-01-01', or pass it as an argument."
    case .boolean: hint = "Write TRUE or FALSE."
    case .decimal: hint = "Write the number itself, or pass it as an argument."
    default: return
    }
    throw error(
      .typeMismatch,
      "'\(shape.name)' has type \(shape.type.rawValue) and cannot be compared with the result of a "
        + "calculation. \(hint)",
      at: operand)
  }

  private static func expectation(_ type: PropertyType) -> String {
    switch type.family {
    case .boolean: "TRUE or FALSE"
    case .integer, .real, .decimal: "a number"
    case .text: "a text"
    case .data: "Data as an argument, or x'…'"
    case .date: "a Date, seconds since 1970, or text such as '2024-01-01'"
    case .uuid: "a UUID or its text"
    case .url: "a URL or its text"
    case .composite: "a value of the property's type as an argument"
    }
  }

  /// Rejects ordering operators and options that the property's type does not support.
  func checkOperator(
    _ op: ComparisonOperator, _ options: TextOptions, _ shape: ValueShape,
    _ operand: Operand
  ) throws {
    let family = shape.type.family
    if op.isOrdered, family == .data || family == .composite {
      throw error(
        .unsupportedOperator,
        "'\(shape.name)' has type \(shape.type.rawValue), which has no order. Use ==, != or IN.",
        at: operand)
    }
    if !options.isEmpty, family != .text, family != .url {
      throw error(
        .unsupportedOperator,
        "'\(shape.name)' has type \(shape.type.rawValue), but [c] and [d] work only on text. "
          + "Remove the options.",
        at: operand)
    }
  }

  func checkCompatible(_ a: ValueShape, _ b: ValueShape, _ operand: Operand) throws {
    let families = [a.type.family, b.type.family]
    let isCompatible =
      families[0] == families[1]
      || families.allSatisfy { $0 == .integer || $0 == .real }
      || families.allSatisfy { $0 == .integer || $0 == .decimal }
    // A sum beyond 64 bits is a double, which cannot be compared with a Decimal.
    let isSumOfDecimals = families.contains(.decimal) && (a.isSumOfIntegers || b.isSumOfIntegers)
    guard isCompatible, !isSumOfDecimals else {
      throw error(
        .typeMismatch,
        "'\(a.name)' has type \(a.type.rawValue) and cannot be compared with '\(b.name)', which "
          + "has type \(b.type.rawValue). Compare properties of matching types.",
        at: operand)
    }
  }
}

extension ConditionResolution.Term {
  /// Whether the value can differ between objects.
  var isProperty: Bool {
    if case .value(let shape) = self { !shape.isNow } else { false }
  }
}

extension Constant {
  fileprivate var isDate: Bool {
    if case .date = self { true } else { false }
  }
}
