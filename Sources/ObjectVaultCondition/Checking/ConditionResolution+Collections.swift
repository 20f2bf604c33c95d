extension ConditionResolution {
  /// Returns the complete property stored as JSON that a term is; `nil` for other terms.
  ///
  /// Of a member of such a property it is not known whether it is a list.
  static func collection(_ term: Term) -> JSONMember? {
    guard case .value(let shape) = term, shape.type == .json, shape.computation == nil else {
      return nil
    }
    return JSONMember(shape: shape, keys: [])
  }

  /// Returns a test of the elements of a list stored as JSON.
  func elements(
    _ quantifier: Comparison.Quantifier, of list: JSONMember, _ name: String,
    _ test: Comparison.Test, _ operand: Operand
  ) throws -> ResolvedCondition {
    switch test {
    case .compare(let op, let options, let right):
      let (value, kind) = try element(right, options, name, isOrdered: op.isOrdered)
      if op.isOrdered, case .value(.null) = value {
        throw error(
          .comparisonWithNil, "nil has no order: '\(op.rawValue)' needs a value.", at: right)
      }
      return .elements(quantifier, list, ElementTest(.compare(op, kind), options), value)
    case .text(let op, let options, let right):
      guard op != .matches else {
        throw error(
          .unsupportedOperator,
          "MATCHES does not test the elements of '\(name)', which are stored as JSON. Use LIKE, or "
            + "store the elements as objects.",
          at: operand)
      }
      let (value, kind) = try element(right, options, name, isOrdered: true)
      guard kind == .text else {
        throw error(.typeMismatch, "\(op.rawValue) searches text. Pass a text.", at: right)
      }
      return .elements(quantifier, list, ElementTest(.text(op), options), value)
    case .among(.list(let operands)) where quantifier != .all:
      let terms = try operands.map {
        try elements(.any, of: list, name, .compare(.equal, [], $0), $0)
      }
      let any: ResolvedCondition = terms.count == 1 ? terms[0] : .or(terms)
      return quantifier == .any ? any : .not(any)
    case .among, .between: break
    }
    throw error(
      .unsupportedOperator,
      "This operator does not test the elements of '\(name)', which are stored as JSON. Use an "
        + "operator such as ==, < or CONTAINS, or store the elements as objects.",
      at: operand)
  }

  /// Returns the value that elements are compared with, and its kind.
  ///
  /// `isOrdered` is whether the test is more than a comparison for equality.
  private func element(
    _ operand: Operand, _ options: TextOptions, _ name: String, isOrdered: Bool
  ) throws -> (ResolvedTerm, StoredJSON.Kind) {
    let result: (term: ResolvedTerm, kind: StoredJSON.Kind)
    switch try term(operand) {
    case .constant(let constant, let source):
      guard let (value, kind) = constant.inJSON else {
        throw error(
          .typeMismatch,
          "The elements of '\(name)' cannot be compared with \(source). Pass a text, a number, a "
            + "Bool or a Date.",
          at: operand)
      }
      if isOrdered { try checkOrder(of: constant, operand) }
      result = (.value(value), kind)
    case .value(let shape):
      guard let kind = shape.kindInJSON else {
        throw error(
          .typeMismatch,
          "'\(shape.name)' has type \(shape.type.rawValue) and cannot be compared with the "
            + "elements of '\(name)'. Compare them with a value, or with a property that is text, "
            + "an integer, a Double, a Bool or a Date.",
          at: operand)
      }
      result = (.shape(shape), kind)
    }
    if !options.isEmpty, result.kind != .text {
      throw error(
        .unsupportedOperator, "[c] and [d] work only on text. Remove the options.", at: operand)
    }
    return result
  }

  /// Returns a comparison of a member with a constant, which determines the type of the member.
  func compare(
    member: ValueShape, _ op: ComparisonOperator, _ options: TextOptions, _ constant: Constant,
    _ source: String, _ operand: Operand
  ) throws -> ResolvedCondition {
    guard let (value, kind) = constant.inJSON else {
      throw error(
        .typeMismatch,
        "'\(member.name)' is a member of a property stored as JSON and cannot be compared with "
          + "\(source). Pass a text, a number, a Bool or a Date.",
        at: operand)
    }
    if op.isOrdered { try checkOrder(of: constant, operand) }
    let shape = member.typed(kind)
    if kind != .any { try checkOperator(op, options, shape, operand) }
    switch (value, op) {
    case (.null, .equal): return .isNil(shape)
    case (.null, .notEqual): return .not(.isNil(shape))
    case (.null, _):
      throw error(
        .comparisonWithNil,
        "nil has no order: '\(op.rawValue)' needs a value. Write == nil or != nil.", at: operand)
    case (.text(let text), _) where !options.isEmpty:
      return .compare(shape, op, .value(.text(checker.folding.fold(text, options))), options)
    default: return .compare(shape, op, .value(value), options)
    }
  }

  /// Rejects an order of decimals.
  private func checkOrder(of constant: Constant, _ operand: Operand) throws(ConditionError) {
    guard case .decimal(_, isArgument: true) = constant else { return }
    throw error(
      .unsupportedOperator,
      "JSON stores a Decimal as text, which has no order of numbers. Use ==, != or IN, or store "
        + "the Decimal in a property of its own.",
      at: operand)
  }

  /// Returns a member and the property it is compared with, in the type of the property.
  func typed(
    _ a: ValueShape, _ b: ValueShape, _ operand: Operand
  ) throws -> (ValueShape, ValueShape) {
    if b.untypedMember == nil, let kind = b.kindInJSON { return (a.typed(kind), b) }
    if a.untypedMember == nil, let kind = a.kindInJSON { return (a, b.typed(kind)) }
    throw error(
      .typeMismatch,
      "'\(a.name)' cannot be compared with '\(b.name)', because the type of a member is not "
        + "stored. Compare a member with a value, or with a property that is text, an integer, a "
        + "Double, a Bool or a Date.",
      at: operand)
  }
}

extension Operand {
  /// Whether the operand names a property.
  var isPath: Bool {
    switch kind {
    case .path, .pathArgument: true
    default: false
    }
  }
}

extension ConditionResolution.Term {
  /// The term, with the type text if it is a member of a property stored as JSON.
  var asText: Self {
    if case .value(let shape) = self { .value(shape.typed(.text)) } else { self }
  }
}

extension ValueShape {
  /// The kind of the value in JSON; `nil` if the form in JSON is another one.
  fileprivate var kindInJSON: StoredJSON.Kind? {
    if case .member(_, let kind) = computation { return kind == .any ? nil : kind }
    return switch type.family {
    case .text, .url, .uuid: .text
    case .integer, .date: .number
    // JSON has the digits of a Float, and a column the Double that is equal to it.
    case .real: type == .float ? nil : .number
    case .boolean: .bool
    case .decimal, .data, .composite: nil
    }
  }
}

extension Constant {
  /// The constant as JSON stores it and its kind; `nil` for one that is not a single value.
  fileprivate var inJSON: (StoredValue, StoredJSON.Kind)? {
    switch self {
    case .null: (.null, .any)
    case .bool(let value): (.integer(value ? 1 : 0), .bool)
    case .integer(let value): (.integer(value), .number)
    case .real(let value, _) where value.isNaN: nil
    case .real(let value, isFloat: false): (.real(value), .number)
    case .real(let value, isFloat: true):
      Double(Float(value).description).map { (.real($0), .number) }
    case .date(let seconds): seconds.isNaN ? nil : (.real(StoredDate.rounded(seconds)), .number)
    case .decimal(let digits, isArgument: true): (.text(digits), .text)
    case .decimal(let digits, isArgument: false):
      Double(digits).flatMap { $0.isFinite ? (.real($0), .number) : nil }
    case .text(let text), .uuid(let text), .url(let text): (.text(text), .text)
    case .data, .composite, .interval: nil
    }
  }
}
