extension ConditionResolution {
  func search(
    _ side: Side, _ op: TextOperator, _ options: TextOptions, _ right: Operand
  ) throws -> ResolvedCondition {
    let left = side.operand
    if op == .contains, let list = Self.collection(side.term) {
      let test = Comparison.Test.compare(.equal, options, right)
      return try elements(.any, of: list, list.shape.name, test, left)
    }
    let (subject, pattern) = (side.term.asText, try term(right).asText)
    if op == .matches { try checkMatches(options, pattern, left, right) }
    var search = TextSearch(
      op: op, options: options, subject: .value(.null), pattern: .value(.null), matcher: nil)
    switch (subject, pattern) {
    case (.value(let a), .value(let b)):
      try checkSearchable(a, op, left)
      try checkSearchable(b, op, right)
      search.subject = .shape(a)
      search.pattern = .shape(b)
    case (.value(let shape), .constant(let constant, let source)):
      try checkSearchable(shape, op, left)
      let text = try text(constant, source, op, for: shape, right)
      search.subject = .shape(shape)
      search.pattern = .value(.text(text))
      search.matcher = try matcher(op, text, options, right)
    case (.constant(let constant, let source), .value(let shape)):
      try checkSearchable(shape, op, right)
      search.subject = .value(.text(try text(constant, source, op, for: shape, left)))
      search.pattern = .shape(shape)
    case (.constant, .constant):
      throw error(.typeMismatch, Self.needsProperty, at: left)
    }
    return .text(search)
  }

  private func matcher(
    _ op: TextOperator, _ pattern: String, _ options: TextOptions, _ operand: Operand
  ) throws -> TextMatcher {
    do {
      return try TextMatcher(op, pattern, options: options, folding: checker.folding)
    } catch {
      throw self.error(error.code, error.message, at: operand)
    }
  }

  private func checkMatches(
    _ options: TextOptions, _ pattern: Term, _ left: Operand, _ right: Operand
  ) throws {
    if let restriction = checker.matchesRestriction {
      throw error(.unsupportedOperator, restriction.rawValue, at: left)
    }
    if options.contains(.diacriticBlind) {
      throw error(
        .unsupportedOperator,
        "MATCHES accepts only [c]: a pattern cannot ignore diacritics. Remove [d].", at: left)
    }
    if case .value = pattern {
      throw error(
        .unsupportedOperator,
        "The pattern of MATCHES is a property. Write a text, or pass one as an argument.", at: right
      )
    }
  }

  /// Returns a text in another case.
  func cased(_ textCase: TextCase, _ operand: Operand) throws -> Term {
    let word = textCase.rawValue
    switch try term(operand).asText {
    case .value(let shape):
      guard [.text, .url, .uuid].contains(shape.type.family) else {
        throw error(
          .unsupportedOperator,
          "'\(shape.name)' has type \(shape.type.rawValue), but \(word)() works only on text. Use "
            + "another property.",
          at: operand)
      }
      guard shape.computation == nil || shape.isMember else {
        throw error(
          .unsupportedOperator, "\(word)() contains another function. Remove one of them.",
          at: operand)
      }
      return .value(ValueShape(.cased(textCase, shape), name: "\(word)(\(shape.name))"))
    case .constant(.text(let text), _), .constant(.url(let text), _), .constant(.uuid(let text), _):
      return .constant(.text(textCase.applied(to: text)), source: "a text")
    case .constant(_, let source):
      throw error(
        .typeMismatch, "\(word)() does not accept \(source). Pass a text.", at: operand)
    }
  }

  private func checkSearchable(
    _ shape: ValueShape, _ op: TextOperator, _ operand: Operand
  ) throws {
    switch shape.type.family {
    case .text, .url, .uuid: return
    default:
      throw error(
        .unsupportedOperator,
        "'\(shape.name)' has type \(shape.type.rawValue), but \(op.rawValue) works only on text. "
          + "Use another operator.",
        at: operand)
    }
  }

  private func text(
    _ constant: Constant, _ source: String, _ op: TextOperator, for shape: ValueShape,
    _ operand: Operand
  ) throws -> String {
    switch constant {
    case .null:
      throw error(
        .comparisonWithNil, "\(op.rawValue) needs a text, not nil. Write == nil or != nil.",
        at: operand)
    case .text(let text), .url(let text), .uuid(let text):
      // A UUID is stored in upper case and must be found in any case; LIKE ignores the case itself.
      return shape.type == .uuid && op != .like && op != .matches ? text.uppercased() : text
    default:
      throw error(
        .typeMismatch,
        "\(op.rawValue) searches text and does not accept \(source). Pass a text.", at: operand)
    }
  }
}
