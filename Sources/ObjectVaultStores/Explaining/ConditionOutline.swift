import ObjectVaultCondition

extension ResolvedCondition {
  var lines: [String] {
    switch self {
    case .constant(let value): return [value ? "TRUEPREDICATE" : "FALSEPREDICATE"]
    case .and(let terms): return Self.nested("all of", terms)
    case .or(let terms): return Self.nested("one of", terms)
    case .not(let term): return Self.nested("not", [term])
    case .isNil(let shape): return ["\(shape.name) == nil"]
    case .compare(let shape, let op, let term, let options):
      let line = "\(shape.name) \(op.rawValue)\(options.outline) \(term.outline)"
      return Self.outline(line, matchCounts.flatMap(\.test.lines))
    case .among(let shape, let values):
      let count = values.count == 1 ? "1 value" : "\(values.count) values"
      return ["\(shape.name) IN {\(count)}"]
    case .text(let search):
      return [
        "\(search.subject.outline) \(search.op.rawValue)\(search.options.outline) "
          + search.pattern.outline
      ]
    case .elements(let quantifier, let list, let test, let term):
      let path = ([list.shape.name] + list.keys).joined(separator: ".")
      return ["\(quantifier.rawValue) \(path) \(test.outline) \(term.outline)"]
    case .quantified(let quantifier, let iteration, let test):
      let path = iteration.steps.map(\.name).joined(separator: ".")
      return Self.nested("\(quantifier.rawValue) \(path)", [test])
    }
  }

  private static func nested(_ title: String, _ terms: [ResolvedCondition]) -> [String] {
    outline(title, terms.flatMap(\.lines))
  }

  static func outline(_ title: String, _ lines: [String]) -> [String] {
    [title] + lines.map { "  \($0)" }
  }
}

extension ResolvedTerm {
  fileprivate var outline: String {
    switch self {
    case .shape(let shape): shape.name
    case .value(let value): "? (\(value.boundType.rawValue))"
    }
  }
}

extension ElementTest {
  fileprivate var outline: String {
    switch op {
    case .compare(let op, _): op.rawValue + options.outline
    case .text(let op): op.rawValue + options.outline
    }
  }
}

extension TextOptions {
  fileprivate var outline: String {
    let letters =
      (contains(.caseBlind) ? "c" : "") + (contains(.diacriticBlind) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

extension StoredValue {
  /// The type as which the value is bound.
  var boundType: BoundType {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}
