package import ObjectVaultCondition

extension Condition {
  /// The condition as text that is parsed to an equal tree.
  ///
  /// Arguments are printed as placeholders. Their positions must therefore increase in reading
  /// order, as they do in every tree that was parsed from text.
  package var text: String {
    var printer = ConditionPrinter()
    printer.print(self)
    return printer.text
  }
}

struct ConditionPrinter {
  private(set) var text = ""
  /// The variables of the enclosing subqueries, with the paths of their objects.
  private var variables: [(name: String, names: [String])] = []

  mutating func print(_ condition: Condition) {
    switch condition {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .or(let terms): join(terms, by: " || ")
    case .and(let terms): join(terms, by: " && ")
    case .not(.comparison(let comparison)):
      if comparison.quantifier == nil, comparison.test.followsNot {
        print(comparison, negated: true)
      } else {
        text += "!("
        print(comparison)
        text += ")"
      }
    case .not(let term):
      text += "!"
      nested(term)
    case .property(let operand): print(operand)
    case .comparison(let comparison): print(comparison)
    case .quantified(let quantifier, let path, let test):
      text += quantifier.rawValue + " "
      print(path)
      text += " ("
      print(test)
      text += ")"
    }
  }

  private mutating func join(_ terms: [Condition], by separator: String) {
    for (position, term) in terms.enumerated() {
      if position > 0 { text += separator }
      nested(term)
    }
  }

  /// Prints a term of `&&`, `||` or `!`; nested `&&` and `||` always have parentheses.
  private mutating func nested(_ term: Condition) {
    switch term {
    case .and, .or:
      text += "("
      print(term)
      text += ")"
    case .constant, .not, .property, .comparison, .quantified: print(term)
    }
  }

  private mutating func print(_ comparison: Comparison, negated: Bool = false) {
    if let quantifier = comparison.quantifier { text += quantifier.rawValue + " " }
    print(comparison.left)
    if negated { text += " NOT" }
    switch comparison.test {
    case .compare(let op, let options, let right):
      text += " \(op.rawValue)\(spelling(options)) "
      print(right)
    case .text(let op, let options, let right):
      text += " \(op.rawValue)\(spelling(options)) "
      print(right)
    case .between(let members):
      text += " BETWEEN "
      print(members)
    case .among(let members):
      text += " IN "
      print(members)
    }
  }

  private func spelling(_ options: TextOptions) -> String {
    switch (options.contains(.caseBlind), options.contains(.diacriticBlind)) {
    case (false, false): ""
    case (true, false): "[c]"
    case (false, true): "[d]"
    case (true, true): "[cd]"
    }
  }

  private mutating func print(_ members: Members) {
    switch members {
    case .argument(let operand): print(operand)
    case .list(let operands):
      text += "{"
      for (position, operand) in operands.enumerated() {
        if position > 0 { text += ", " }
        print(operand)
      }
      text += "}"
    }
  }

  private mutating func print(_ operand: Operand) {
    switch operand.kind {
    case .argument(let position, .numbered): text += "$\(position)"
    case .argument(_, let specifier): text += specifier.rawValue
    case .pathArgument: text += "%K"
    case .namedArgument(let name): text += "$" + name
    case .path(let path):
      var parts = path.names.map(ConditionCompletion.spelling(ofName:))
      if let variable = variables.last(where: {
        $0.names.count == path.variableLength && path.names.starts(with: $0.names)
      }) {
        // The place of an aggregate in the path is not known.
        parts = ["$\(variable.name)"] + parts.dropFirst(variable.names.count)
        if let aggregate = path.aggregate { parts.append(aggregate.rawValue) }
        text += parts.joined(separator: ".")
        return
      }
      if let aggregate = path.aggregate {
        parts.insert(aggregate.rawValue, at: path.placeOfAggregate(aggregate))
      }
      text += parts.joined(separator: ".")
    case .literal(let literal): print(literal)
    case .arithmetic(let op, let left, let right):
      print(left, inside: op, isRight: false)
      text += " \(op.rawValue) "
      print(right, inside: op, isRight: true)
    case .cased(let textCase, let operand):
      text += textCase.rawValue + "("
      print(operand)
      text += ")"
    case .now: text += "now()"
    case .subquery(let path, let test): print(path, test)
    }
  }

  private mutating func print(_ path: Operand, _ test: Condition) {
    text += "SUBQUERY("
    print(path)
    var name = "s"
    while variables.contains(where: { $0.name == name }) || test.usesArgument(named: name) {
      name += "s"
    }
    if case .path(let path) = path.kind { variables.append((name, path.names)) }
    defer { _ = variables.popLast() }
    text += ", $\(name), "
    print(test)
    text += ").@count"
  }

  /// Prints one side of a calculation, in parentheses if it would be parsed differently without.
  private mutating func print(
    _ operand: Operand, inside outer: ArithmeticOperator, isRight: Bool
  ) {
    guard case .arithmetic(let op, _, _) = operand.kind,
      isRight ? op.isAdditive || !outer.isAdditive : op.isAdditive && !outer.isAdditive
    else { return print(operand) }
    text += "("
    print(operand)
    text += ")"
  }

  private mutating func print(_ literal: Literal) {
    switch literal {
    case .null: text += "nil"
    case .bool(let value): text += value ? "TRUE" : "FALSE"
    case .integer(let value): text += String(value)
    case .number(let written): text += written
    case .interval(let number, let unit): text += "\(number) \(unit.rawValue)"
    case .text(let value): text += value.quoted(by: "'")
    case .data(let bytes):
      text += "x'"
      for byte in bytes {
        text += byte < 16 ? "0" : ""
        text += String(byte, radix: 16, uppercase: true)
      }
      text += "'"
    }
  }
}

extension Comparison.Test {
  /// Whether the operator can follow NOT.
  fileprivate var followsNot: Bool {
    switch self {
    case .text, .between, .among: true
    case .compare: false
    }
  }
}

extension Condition {
  /// Returns whether the condition contains a named argument.
  fileprivate func usesArgument(named name: String) -> Bool {
    switch self {
    case .constant: false
    case .and(let terms), .or(let terms): terms.contains { $0.usesArgument(named: name) }
    case .not(let term): term.usesArgument(named: name)
    case .property(let operand): operand.usesArgument(named: name)
    case .comparison(let comparison):
      ([comparison.left] + comparison.test.operands).contains { $0.usesArgument(named: name) }
    case .quantified(_, let path, let test):
      path.usesArgument(named: name) || test.usesArgument(named: name)
    }
  }
}

extension Operand {
  fileprivate func usesArgument(named name: String) -> Bool {
    switch kind {
    case .namedArgument(let own): own == name
    case .arithmetic(_, let left, let right):
      left.usesArgument(named: name) || right.usesArgument(named: name)
    case .cased(_, let operand): operand.usesArgument(named: name)
    case .subquery(_, let test): test.usesArgument(named: name)
    case .path, .literal, .argument, .pathArgument, .now: false
    }
  }
}
