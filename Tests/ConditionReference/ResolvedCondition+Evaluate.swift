package import ObjectVaultCondition

extension ResolvedCondition {
  /// Returns whether an object satisfies the condition; the reference for the result of the SQL.
  ///
  /// - Parameters:
  ///   - folding: The folding of values for `[c]` and `[d]`; use the one of the checker.
  ///   - now: The value of `now()`, in seconds since 1970.
  ///   - object: The object to test.
  /// - Returns: `true` if the object satisfies the condition; otherwise, `false`.
  package func holds(
    folding: TextFolding, now: Double = 0, of object: any EvaluatedObject
  ) -> Bool {
    ConditionEvaluation(folding: folding, now: now, object: object).holds(self)
  }

  /// Returns whether an object without associations satisfies the condition.
  ///
  /// - Parameters:
  ///   - folding: The folding of values for `[c]` and `[d]`; use the one of the checker.
  ///   - now: The value of `now()`, in seconds since 1970.
  ///   - row: A closure that returns the stored value at a property's position.
  /// - Returns: `true` if the object satisfies the condition; otherwise, `false`.
  package func holds(
    folding: TextFolding, now: Double = 0, _ row: (Int) -> StoredValue
  ) -> Bool {
    withoutActuallyEscaping(row) { holds(folding: folding, now: now, of: EvaluatedRow(row: $0)) }
  }
}

/// The evaluation of a condition for one object.
struct ConditionEvaluation {
  let folding: TextFolding
  /// The time of the execution.
  let now: Double
  /// The object that provides the values of the origin `.object`.
  let object: any EvaluatedObject
  /// The objects that provide the values of the origin `.element`, by level.
  var elements: [any EvaluatedObject] = []

  func holds(_ condition: ResolvedCondition) -> Bool {
    switch condition {
    case .constant(let value): return value
    case .and(let terms): return terms.allSatisfy(holds)
    case .or(let terms): return terms.contains(where: holds)
    case .not(let term): return !holds(term)
    case .isNil(let shape): return value(of: shape).isNull
    case .among(let shape, let values):
      let value = value(of: shape)
      return values.contains { StoredValue.compare(value, $0, as: shape.type) == 0 }
    case .compare(let shape, let op, let term, let options):
      return compare(shape, op, term, options)
    case .text(let search): return holds(search)
    case .elements(let quantifier, let list, let test, let term):
      return holds(quantifier, list, test, value(of: term))
    case .quantified(let quantifier, let iteration, let test):
      let objects = objects(of: iteration)
      switch quantifier {
      case .any: return objects.contains { holds(test, for: $0) }
      case .all: return objects.allSatisfy { holds(test, for: $0) }
      case .none: return !objects.contains { holds(test, for: $0) }
      }
    }
  }

  private func objects(of iteration: Iteration) -> [any EvaluatedObject] {
    start(iteration.origin).objects(across: iteration.steps[...])
  }

  private func start(_ origin: ValueShape.Origin) -> any EvaluatedObject {
    switch origin {
    case .object: object
    case .element(let level): elements[level - 1]
    }
  }

  /// Returns whether an object of the next iteration satisfies its condition.
  private func holds(_ test: ResolvedCondition, for element: any EvaluatedObject) -> Bool {
    var inside = self
    inside.elements.append(element)
    return inside.holds(test)
  }

  private func compare(
    _ shape: ValueShape, _ op: ComparisonOperator, _ term: ResolvedTerm, _ options: TextOptions
  ) -> Bool {
    var left = value(of: shape)
    var right: StoredValue
    var type = shape.type
    switch term {
    case .value(let value): right = value
    case .shape(let other):
      right = value(of: other)
      // An integer is compared with a decimal as an exact decimal.
      if type.family == .decimal || other.type.family == .decimal {
        type = .decimal
        left = left.asDecimal
        right = right.asDecimal
      }
      right = right.folded(options, folding)
    }
    left = left.folded(options, folding)
    if op.isOrdered, left.isNull || right.isNull { return false }
    return op.holds(StoredValue.compare(left, right, as: type))
  }

  private func holds(_ search: TextSearch) -> Bool {
    guard let subject = text(search.subject) else { return false }
    // Only MATCHES can fail, on a long text, and its pattern is always a constant.
    if let matcher = search.matcher { return (try? matcher.matches(subject)) ?? false }
    guard let pattern = text(search.pattern) else { return false }
    let matcher = try? TextMatcher(
      search.op, pattern, options: search.options, folding: folding)
    return (try? matcher?.matches(subject)) ?? false
  }

  private func holds(
    _ quantifier: Comparison.Quantifier, _ list: JSONMember, _ test: ElementTest,
    _ value: StoredValue
  ) -> Bool {
    let isAll = quantifier == .all
    var matcher: TextMatcher?
    if case .text(let op) = test.op, case .text(let pattern) = value {
      matcher = try? TextMatcher(op, pattern, options: test.options, folding: folding)
    }
    let found = withJSON(list) { json in
      StoredJSON.contains(json) { element in
        test.holds(element, value, folding: folding) {
          (try? matcher?.matches($0)) ?? false
        } != isAll
      }
    }
    return (found ?? false) == (quantifier == .any)
  }

  private func withJSON<R>(
    _ member: JSONMember, _ body: (UnsafeRawBufferPointer) -> R
  ) -> R? {
    guard case .text(var text) = value(of: member.shape) else { return nil }
    return text.withUTF8 {
      StoredJSON.member(member.keys, of: UnsafeRawBufferPointer($0)).map(body)
    }
  }

  private func text(_ term: ResolvedTerm) -> String? {
    if case .text(let text) = value(of: term) { text } else { nil }
  }

  private func value(of term: ResolvedTerm) -> StoredValue {
    switch term {
    case .value(let value): value
    case .shape(let shape): value(of: shape)
    }
  }

  private func value(of shape: ValueShape) -> StoredValue {
    if let computation = shape.computation { return result(of: computation) }
    return shape.value(of: start(shape.origin))
  }

  private func result(of computation: Computation) -> StoredValue {
    switch computation {
    case .arithmetic(let kind, let op, let left, let right):
      return kind.result(op, value(of: left), value(of: right))
    case .length(let shape):
      guard case .text(let text) = value(of: shape) else { return .null }
      return .integer(Int64(text.unicodeScalars.count))
    case .cased(let textCase, let shape):
      guard case .text(let text) = value(of: shape) else { return .null }
      return .text(textCase.applied(to: text))
    case .member(let member, let kind):
      return withJSON(member) { StoredJSON.value($0, as: kind) } ?? .null
    case .memberCount(let member):
      return withJSON(member) { StoredJSON.count($0) }?.map(StoredValue.integer) ?? .null
    case .now(let offset): return .real(now + offset)
    case .matchCount(let count):
      let matching = objects(of: count.iteration).filter { holds(count.test, for: $0) }
      return .integer(Int64(matching.count))
    }
  }
}

extension StoredValue {
  fileprivate var asDecimal: StoredValue {
    if case .integer(let value) = self { .text(String(value)) } else { self }
  }

  fileprivate func folded(_ options: TextOptions, _ folding: TextFolding) -> StoredValue {
    guard !options.isEmpty, case .text(let text) = self else { return self }
    return .text(folding.fold(text, options))
  }
}
