/// One run of the checker on a condition, its arguments and its source text.
struct ConditionResolution {
  let checker: ConditionChecker
  let arguments: [ConditionArgument]
  let named: [String: ConditionArgument]
  let text: String?
  /// The iterations around the condition, such as `ANY path (…)`, from the outermost one.
  var scopes: [Scope] = []

  /// An operand with its name or argument resolved.
  enum Term {
    case value(ValueShape)
    case constant(Constant, source: String)
  }

  /// The left side of a comparison.
  struct Side {
    let operand: Operand
    let term: Term
  }

  func resolve(_ condition: Condition) throws -> ResolvedCondition {
    switch condition {
    case .constant(let value): return .constant(value)
    case .and(let terms): return .and(try terms.map(resolve))
    case .or(let terms): return .or(try terms.map(resolve))
    case .not(let term): return .not(try resolve(term))
    case .property(let operand): return try alone(operand)
    case .comparison(let comparison): return try resolve(comparison)
    case .quantified(let quantifier, let path, let test):
      return try resolve(quantifier, path, test)
    }
  }

  func error(_ code: ConditionError.Code, _ message: String, at operand: Operand) -> ConditionError
  {
    ConditionError(code, message, at: operand.place.offset, in: text)
  }

  private func alone(_ operand: Operand) throws -> ResolvedCondition {
    guard case .value(let value) = try term(operand) else {
      throw error(
        .typeMismatch,
        "A value alone is not a condition. Compare it with a property, or write a property of type "
          + "Bool.",
        at: operand)
    }
    if value.untypedMember != nil {
      return .compare(value.typed(.bool), .equal, .value(.integer(1)), [])
    }
    guard value.type == .bool else {
      throw error(
        .typeMismatch,
        "'\(value.name)' has type \(value.type.rawValue), but only a property of type Bool is a "
          + "condition by itself. Compare it with a value.",
        at: operand)
    }
    return .compare(value, .equal, .value(.integer(1)), [])
  }

  private func resolve(_ comparison: Comparison) throws -> ResolvedCondition {
    let operand = comparison.left
    guard let quantifier = comparison.quantifier else {
      return try resolve(Side(operand: operand, term: try term(operand)), comparison.test)
    }
    let path = try iteratedPath(quantifier.rawValue, operand)
    let followed = try followedInside(path, operand)
    if let list = try followed.collection() {
      return try elements(quantifier, of: list, path.spelling, comparison.test, operand)
    }
    let (iteration, value) = try followed.elements(quantifier.rawValue, level: scopes.count + 1)
    let side = Side(operand: operand, term: .value(value))
    let inside = try iterating(quantifier.rawValue, nil, operand)
    return .quantified(quantifier, iteration, try inside.resolve(side, comparison.test))
  }

  private func resolve(_ left: Side, _ test: Comparison.Test) throws -> ResolvedCondition {
    switch test {
    case .compare(let op, let options, let right):
      return try compare(left, op, options, right)
    case .text(let op, let options, let right):
      return try search(left, op, options, right)
    case .between(let members):
      return try between(left, members)
    case .among(let members):
      return try among(left, members)
    }
  }

  // MARK: Operands

  func term(_ operand: Operand) throws -> Term {
    switch operand.kind {
    case .literal(let literal):
      guard let constant = Constant(literal) else {
        throw error(
          .typeMismatch, "The number is beyond the range of Double. Use a smaller one.", at: operand
        )
      }
      return .constant(constant, source: constant.noun)
    case .argument(let position, let specifier):
      let name = "argument \(specifier == .numbered ? "$\(position)" : "\(position + 1)")"
      let constant = try constant(argument(at: position, operand), operand, name)
      return .constant(
        try check(constant, specifier, position, operand),
        source: "\(name), which is \(constant.noun)")
    case .namedArgument(let name):
      guard let argument = named[name] else {
        throw error(
          .arguments, "The argument '$\(name)' is missing. Pass an argument named '\(name)'.",
          at: operand)
      }
      let constant = try constant(argument, operand, "$\(name)")
      return .constant(constant, source: "argument '\(name)', which is \(constant.noun)")
    case .path(let path): return .value(try value(of: path, operand))
    case .pathArgument(let position):
      return .value(try value(of: path(argument: position, operand), operand))
    case .arithmetic(let op, let left, let right):
      return try shifted(op, left, right, operand) ?? calculated(op, left, right, operand)
    case .cased(let textCase, let inner): return try cased(textCase, inner)
    case .now: return .value(ValueShape(.now(0), name: "now()"))
    case .subquery(let path, let test): return .value(try matchCount(path, test))
    }
  }

  func path(argument position: Int, _ operand: Operand) throws -> PropertyPath {
    guard case .value(.text(let name), _) = try argument(at: position, operand) else {
      throw error(
        .arguments,
        "Argument \(position + 1) is not the name of a property. Pass the name as text.",
        at: operand)
    }
    guard let path = checker.path(name) else {
      throw error(
        .arguments,
        "Argument \(position + 1) has an aggregate at a position where none is allowed. Write one "
          + "aggregate at the end of the path.",
        at: operand)
    }
    return path
  }

  func followed(
    _ path: PropertyPath, _ operand: Operand,
    start: (origin: ValueShape.Origin, steps: Int) = (.object, 0)
  ) throws -> PathResolution {
    try PathResolution(
      path, from: checker.schema, start: start, place: operand.place, in: text)
  }

  private func argument(at position: Int, _ operand: Operand) throws -> ConditionArgument {
    guard position < arguments.count else {
      let given = arguments.count
      let placeholder =
        if case .argument(_, .numbered) = operand.kind { "$\(position)" } else { "\(position + 1)" }
      throw error(
        .arguments,
        "Placeholder \(placeholder) has no argument. Pass one argument for each placeholder: "
          + (given == 0 ? "none was given." : given == 1 ? "1 was given." : "\(given) were given."),
        at: operand)
    }
    return arguments[position]
  }

  private func constant(
    _ argument: ConditionArgument, _ operand: Operand, _ name: String
  ) throws -> Constant {
    guard let constant = Constant(argument) else {
      throw error(
        .arguments, "The stored form of \(name) does not match its type. Check the argument.",
        at: operand)
    }
    return constant
  }

  private func check(
    _ constant: Constant, _ specifier: ArgumentSpecifier, _ position: Int, _ operand: Operand
  ) throws -> Constant {
    if specifier.accepts(constant) { return constant }
    let expected =
      switch specifier {
      case .any, .numbered: "a value"
      case .integer: "an integer"
      case .real: "a number"
      case .text: "a text"
      }
    throw error(
      .typeMismatch,
      "Argument \(position + 1) is \(constant.noun), but its placeholder requires \(expected). Use "
        + "%@ for a value of any type.",
      at: operand)
  }
}

extension ArgumentSpecifier {
  /// Returns whether an argument has the type of the specifier.
  func accepts(_ constant: Constant) -> Bool {
    switch (self, constant) {
    case (.any, _), (.numbered, _), (.integer, .integer), (.integer, .bool), (.real, .integer),
      (.real, .real),
      (.real, .decimal), (.text, .text):
      true
    case (.integer, _), (.real, _), (.text, _): false
    }
  }
}
