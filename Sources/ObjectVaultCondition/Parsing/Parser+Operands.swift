extension Parser {
  mutating func operand() throws(ConditionError) -> Operand {
    try calculation(isAdditive: true)
  }

  private mutating func calculation(isAdditive: Bool) throws(ConditionError) -> Operand {
    let outside = depth
    defer { depth = outside }
    var left = try isAdditive ? calculation(isAdditive: false) : factor()
    while case .arithmetic(let op) = current, op.isAdditive == isAdditive {
      // A chain is as deep as it is long.
      try deepen()
      try advance()
      let right = try isAdditive ? calculation(isAdditive: false) : factor()
      left = Operand(.arithmetic(op, left, right), at: left.place)
    }
    return left
  }

  private mutating func factor() throws(ConditionError) -> Operand {
    let place = TextPlace(offset)
    let kind: Operand.Kind
    switch current {
    case .leftParenthesis:
      let opening = offset
      try deepen()
      try advance()
      let operand = try operand()
      try close(opening, expecting: "an operator or ')'")
      return operand
    case .arithmetic(.subtract):
      try deepen()
      try advance()
      let operand = try factor()
      depth -= 1
      return operand.negated(at: place)
    case .name(let name):
      let isPlain = lexer.isPlainName(at: offset)
      let path = try path(from: name)
      if current == .leftParenthesis, !allowsGroup {
        return try call(isPlain ? path.spelling : "", path, at: place)
      }
      return Operand(.path(path), at: place)
    case .namedArgument(let name) where variables.contains { $0.name == name }:
      return Operand(.path(try path(fromVariable: name)), at: place)
    case .literal(let literal):
      try advance()
      return Operand(.literal(try interval(literal) ?? literal), at: place)
    case .placeholder(let specifier):
      kind = .argument(try number { $0.next() }, specifier)
    case .pathPlaceholder: kind = .pathArgument(try number { $0.next() })
    case .numberedArgument(let position):
      let offset = offset
      kind = .argument(try number { $0.use(position, at: offset) }, .numbered)
    case .namedArgument(let name): kind = .namedArgument(name)
    case .keyword(let keyword):
      guard let literal = keyword.literal else {
        throw error(
          "Expected a property or a value, but found \(keyword.rawValue). Write a property of that "
            + "name as #name or in back-quotes.")
      }
      kind = .literal(literal)
    default:
      throw error(
        "Expected a property or a value, but found \(current.description)."
          + FormerSyntax.valueHint(for: current))
    }
    try advance()
    return Operand(kind, at: place)
  }

  /// Returns the position of a placeholder, or throws if it has another style than earlier ones.
  private mutating func number(
    _ number: (inout PlaceholderNumbers) -> Int?
  ) throws(ConditionError) -> Int {
    if let number = number(&placeholders) { return number }
    throw error(
      "The condition mixes placeholders with and without numbers. Number all of them, such as $0 "
        + "and $1, or none.")
  }

  /// Returns the interval of a number before a unit of time, or `nil` if no unit follows.
  private mutating func interval(_ literal: Literal) throws(ConditionError) -> Literal? {
    guard case .name(let word) = current, lexer.isPlainName(at: offset) else { return nil }
    let number: String
    switch literal {
    case .integer(let value): number = String(value)
    case .number(let written): number = written
    default: return nil
    }
    guard let unit = IntervalUnit(word: word) else {
      if ["MONTH", "MONTHS", "YEAR", "YEARS"].contains(word.uppercased()) {
        throw error(
          "Months and years have different lengths. Write a number of days, or pass the date as an "
            + "argument.")
      }
      return nil
    }
    try advance()
    return .interval(number, unit)
  }

  /// Returns the call of a function; the current token is its opening parenthesis.
  private mutating func call(
    _ name: String, _ path: PropertyPath, at place: TextPlace
  ) throws(ConditionError) -> Operand {
    if name.uppercased() == "SUBQUERY" { return try subquery(at: place) }
    let opening = offset
    let isNow = name.lowercased() == "now"
    let textCase = TextCase(rawValue: name.lowercased())
    guard isNow || textCase != nil else {
      throw lexer.error(FormerSyntax.function(path.spelling), at: place.offset ?? offset)
    }
    try deepen()
    try advance()
    let kind: Operand.Kind =
      try textCase.map { textCase throws(ConditionError) in
        .cased(textCase, try operand())
      } ?? .now
    try close(opening, expecting: "')'")
    return Operand(kind, at: place)
  }

  private mutating func path(from first: String) throws(ConditionError) -> PropertyPath {
    var path = PropertyPath([first], places: [TextPlace(offset)])
    try advance()
    try continuePath(&path)
    return path
  }

  /// Reads the rest of a path after its first name.
  mutating func continuePath(_ path: inout PropertyPath) throws(ConditionError) {
    while current == .dot || current == .leftBracket {
      if path.aggregate == .count {
        throw error("'@count' ends its path. Remove the rest of the path.")
      }
      if current == .leftBracket {
        try member(&path)
        continue
      }
      try advance()
      switch current {
      case .name(let name):
        path.names.append(name)
        path.places.append(TextPlace(offset))
      case .aggregate(let aggregate):
        guard path.aggregate == nil else {
          throw error("The path has more than one aggregate. Remove all but one.")
        }
        path.aggregate = aggregate
      default: throw error("Expected a name after '.', but found \(current.description).")
      }
      try advance()
    }
  }

  /// Adds the name of a member in brackets to a path.
  private mutating func member(_ path: inout PropertyPath) throws(ConditionError) {
    try advance()
    guard case .literal(.text(let key)) = current, path.aggregate == nil else {
      throw error(
        "Expected the name of a member in quotes, such as settings['theme'], but found "
          + "\(current.description). Elements of a list have no positions: query them with ANY.")
    }
    path.names.append(key)
    path.places.append(TextPlace(offset))
    try advance()
    guard current == .rightBracket else {
      throw error("Expected ']' after the name of a member, but found \(current.description).")
    }
    try advance()
  }
}
