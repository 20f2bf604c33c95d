extension ConditionResolution {
  func compare(
    _ left: Operand, _ op: ComparisonOperator, _ options: TextOptions, _ right: Operand
  ) throws -> ResolvedCondition {
    switch (try term(left), try term(right)) {
    case (.property(let a), .property(let b)):
      try checkOperator(op, options, a, left)
      try checkCompatible(a, b, right)
      try checkOperator(op, options, b, right)
      return .compare(a, op, .property(b), options)
    case (.property(let property), .constant(let constant, let source)):
      try checkOperator(op, options, property, left)
      return try compare(property, op, options, constant, source, right)
    case (.constant(let constant, let source), .property(let property)):
      try checkOperator(op, options, property, right)
      return try compare(property, op.mirrored, options, constant, source, left)
    case (.constant, .constant):
      throw error(.typeMismatch, Self.needsProperty, at: left)
    }
  }

  static let needsProperty = "One side of a comparison must be a property."

  func compare(
    _ property: PropertyShape, _ op: ComparisonOperator, _ options: TextOptions,
    _ constant: Constant, _ source: String, _ operand: Operand
  ) throws -> ResolvedCondition {
    switch try convert(constant, source, for: property, operand) {
    case .null:
      switch op {
      case .equal: return .isNil(property)
      case .notEqual: return .not(.isNil(property))
      default:
        throw error(
          .comparisonWithNil,
          "nil has no order: '\(op.rawValue)' needs a value. Write == nil or != nil.", at: operand)
      }
    case .value(.text(let text)) where !options.isEmpty:
      return .compare(property, op, .value(.text(checker.folding.fold(text, options))), options)
    case .value(let value): return .compare(property, op, .value(value), options)
    case .integerPoint(let point):
      return Self.compare(property, op, point) { .integer($0) }
    case .realPoint(let point):
      return Self.compare(property, op, point) { .real($0) }
    }
  }

  /// A comparison with a number that lies between two of the property's values.
  private static func compare<Value>(
    _ property: PropertyShape, _ op: ComparisonOperator, _ point: NumberPoint<Value>,
    _ stored: (Value) -> StoredValue
  ) -> ResolvedCondition {
    switch (op, point) {
    case (_, .exact(let value)): .compare(property, op, .value(stored(value)), [])
    case (.equal, _): .constant(false)
    case (.notEqual, _): .constant(true)
    case (.less, .after(let value)), (.lessOrEqual, .after(let value)):
      .compare(property, .lessOrEqual, .value(stored(value)), [])
    case (.greater, .after(let value)), (.greaterOrEqual, .after(let value)):
      .compare(property, .greater, .value(stored(value)), [])
    case (.less, .aboveAll), (.lessOrEqual, .aboveAll), (.greater, .belowAll),
      (.greaterOrEqual, .belowAll):
      .not(.isNil(property))
    case (.less, .belowAll), (.lessOrEqual, .belowAll), (.greater, .aboveAll),
      (.greaterOrEqual, .aboveAll):
      .constant(false)
    }
  }

  /// The constant as the property stores it.
  func convert(
    _ constant: Constant, _ source: String, for property: PropertyShape, _ operand: Operand
  ) throws -> ConvertedConstant {
    do {
      return try constant.converted(to: property.type)
    } catch let failure as ConversionFailure {
      // For an argument the source names the position; a text that cannot be read says more.
      let noun = failure.noun == constant.noun ? source : failure.noun
      throw error(
        .typeMismatch,
        "'\(property.name)' holds \(property.type.rawValue) and cannot be compared with \(noun). "
          + "Give \(Self.expectation(property.type)).", at: operand)
    }
  }

  private static func expectation(_ type: PropertyType) -> String {
    switch type.family {
    case .boolean: "TRUE or FALSE"
    case .integer, .real, .decimal: "a number"
    case .text: "a text"
    case .data: "Data as an argument, or x'…'"
    case .date: "a Date, seconds since 1970, or ISO 8601 text with a zone"
    case .uuid: "a UUID or its text"
    case .url: "a URL or its text"
    case .composite: "a value of the property's type as an argument"
    }
  }

  /// Refuses orders and options that the property's type does not know.
  func checkOperator(
    _ op: ComparisonOperator, _ options: TextOptions, _ property: PropertyShape,
    _ operand: Operand
  ) throws {
    let family = property.type.family
    if op.isOrdered, family == .data || family == .composite {
      throw error(
        .unsupportedOperator,
        "'\(property.name)' holds \(property.type.rawValue), which has no order; only ==, != and "
          + "IN work on it.", at: operand)
    }
    if !options.isEmpty, family != .text, family != .url {
      throw error(
        .unsupportedOperator,
        "'\(property.name)' holds \(property.type.rawValue); [c] and [d] work only on text.",
        at: operand)
    }
  }

  func checkCompatible(_ a: PropertyShape, _ b: PropertyShape, _ operand: Operand) throws {
    let families = [a.type.family, b.type.family]
    let isCompatible =
      families[0] == families[1]
      || families.allSatisfy { $0 == .integer || $0 == .real }
      || families.allSatisfy { $0 == .integer || $0 == .decimal }
    guard isCompatible else {
      throw error(
        .typeMismatch,
        "'\(a.name)' holds \(a.type.rawValue) and '\(b.name)' \(b.type.rawValue); they cannot be "
          + "compared.", at: operand)
    }
  }
}
