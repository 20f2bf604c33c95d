/// A parser that converts condition text to a tree.
///
///     condition  = or ;
///     or         = and { ("||" | "OR") and } ;
///     and        = not { ("&&" | "AND") not } ;
///     not        = ("!" | "NOT") not | primary ;
///     primary    = "(" condition ")" | comparison | TRUEPREDICATE | FALSEPREDICATE ;
///     comparison = [ANY|SOME|ALL|NONE] operand test | path | (ANY|SOME|ALL|NONE) path group ;
///     group      = "(" condition ")" ;
///     test       = op ["[" "c" | "d" | "cd" "]"] operand | BETWEEN members | [NOT] IN members ;
///     members    = "{" [operand {"," operand}] "}" | argument ;
///     operand    = product {("+" | "-") product} ;
///     product    = factor {("*" | "/") factor} ;
///     factor     = path | literal | argument | "%K" | "(" operand ")" ;
///     path       = name {"." (name | aggregate)} ;
///     aggregate  = @count | @min | @max | @avg | @sum ;
struct Parser {
  private var lexer: Lexer
  private var current: Token = .end
  private var offset = 0
  private var argumentCount = 0
  private var depth = 0
  /// The offsets of the parentheses that are part of an operand.
  private lazy var operandParentheses = Self.operandParentheses(lexer.text)
  /// Whether parentheses may follow a path, as they do after ANY.
  private var allowsGroup = false

  init(_ text: String) { lexer = Lexer(text) }

  mutating func parse() throws(ConditionError) -> Condition {
    guard lexer.bytes.count <= Condition.maximumTextLength else {
      throw ConditionError(
        .limit, "The condition is longer than 64 KiB. Pass long values and lists as arguments.")
    }
    try advance()
    guard current != .end else {
      throw error("The condition is empty. Write a comparison, or TRUEPREDICATE for all objects.")
    }
    let condition = try disjunction()
    guard current == .end else {
      if current == .rightParenthesis {
        throw error("This ')' has no matching '('. Remove it, or add a '('.")
      }
      throw error(
        "Expected AND, OR or the end of the condition, but found \(current.description)."
          + current.hint)
    }
    return condition
  }

  private mutating func advance() throws(ConditionError) { (current, offset) = try lexer.next() }

  private func error(_ message: String) -> ConditionError { lexer.error(message, at: offset) }

  // MARK: Conditions

  private mutating func disjunction() throws(ConditionError) -> Condition {
    var terms = [try conjunction()]
    while current == .keyword(.or) {
      try advance()
      terms.append(try conjunction())
    }
    return .disjunction(terms)
  }

  private mutating func conjunction() throws(ConditionError) -> Condition {
    var terms = [try negation()]
    while current == .keyword(.and) {
      try advance()
      terms.append(try negation())
    }
    return .conjunction(terms)
  }

  private mutating func negation() throws(ConditionError) -> Condition {
    let outside = depth
    defer { depth = outside }
    while current == .keyword(.not) {
      try deepen()
      try advance()
    }
    let negations = depth - outside
    var condition = try primary()
    for _ in 0..<negations { condition = .not(condition) }
    return condition
  }

  private mutating func deepen() throws(ConditionError) {
    depth += 1
    guard depth <= Condition.maximumDepth else {
      throw ConditionError(
        .limit,
        "The condition is nested more than \(Condition.maximumDepth) levels deep. Simplify it.",
        at: offset,
        in: lexer.text)
    }
  }

  private mutating func primary() throws(ConditionError) -> Condition {
    switch current {
    case .leftParenthesis:
      return beginsOperand ? try comparison() : try parenthesised()
    case .keyword(.truePredicate), .keyword(.falsePredicate):
      let value = current == .keyword(.truePredicate)
      try advance()
      return .constant(value)
    default: return try comparison()
    }
  }

  /// Whether the current parenthesis is part of an operand, and not of a condition.
  private var beginsOperand: Bool {
    mutating get { operandParentheses.contains(offset) }
  }

  /// Returns the parentheses that are followed by a token that can only follow an operand.
  ///
  /// All are found in one pass, so that nested parentheses do not make parsing slower.
  private static func operandParentheses(_ text: String) -> Set<Int> {
    var found: Set<Int> = []
    var open: [Int] = []
    var lexer = Lexer(text)
    var closed: Int?
    while let (token, offset) = try? lexer.next(), token != .end {
      if let closed, token.followsOperand { found.insert(closed) }
      closed = nil
      switch token {
      case .leftParenthesis: open.append(offset)
      case .rightParenthesis: closed = open.popLast()
      default: break
      }
    }
    return found
  }

  private mutating func parenthesised() throws(ConditionError) -> Condition {
    let opening = offset
    try deepen()
    try advance()
    let condition = try disjunction()
    guard current == .rightParenthesis else {
      if current == .end {
        throw lexer.error("This '(' has no matching ')'. Add one.", at: opening)
      }
      throw error("Expected AND, OR or ')', but found \(current.description).\(current.hint)")
    }
    depth -= 1
    try advance()
    return condition
  }

  // MARK: Comparisons

  private mutating func comparison() throws(ConditionError) -> Condition {
    var quantifier: Comparison.Quantifier?
    if case .keyword(let keyword) = current { quantifier = keyword.quantifier }
    if quantifier != nil { try advance() }
    allowsGroup = quantifier != nil
    let left = try operand()
    allowsGroup = false
    switch current {
    case .leftParenthesis:
      guard let quantifier else { break }
      return .quantified(quantifier, left, try parenthesised())
    case .compare(let op):
      try advance()
      let options = try options()
      return .comparison(
        Comparison(quantifier: quantifier, left, .compare(op, options, try operand())))
    case .keyword(.between):
      try advance()
      let start = offset
      let members = try members()
      if case .list(let bounds) = members, bounds.count != 2 {
        throw lexer.error("BETWEEN needs two bounds. Write {lowest, highest}.", at: start)
      }
      return .comparison(Comparison(quantifier: quantifier, left, .between(members)))
    case .keyword(.in):
      try advance()
      return .comparison(Comparison(quantifier: quantifier, left, .among(try members())))
    case .keyword(.not):
      if let quantifier {
        throw error(
          "NOT IN cannot follow \(quantifier.rawValue). Write NOT before \(quantifier.rawValue).")
      }
      try advance()
      guard current == .keyword(.in) else {
        throw error("Expected IN after NOT, but found \(current.description).")
      }
      try advance()
      return .not(.comparison(Comparison(left, .among(try members()))))
    case .keyword(let keyword):
      guard let op = keyword.textOperator else { break }
      try advance()
      let options = try options()
      return .comparison(
        Comparison(quantifier: quantifier, left, .text(op, options, try operand())))
    default: break
    }
    return try alone(left, quantified: quantifier != nil)
  }

  private func alone(_ operand: Operand, quantified: Bool) throws(ConditionError) -> Condition {
    switch operand.kind {
    case .path, .pathArgument:
      if !quantified, !current.isFormerOperator { return .property(operand) }
    case .literal(.bool(let value)):
      throw lexer.error(
        "A value alone is not a condition. Write \(value ? "TRUEPREDICATE" : "FALSEPREDICATE").",
        at: operand.place.offset ?? offset)
    default: break
    }
    throw error("Expected an operator such as ==, but found \(current.description).\(current.hint)")
  }

  private mutating func options() throws(ConditionError) -> TextOptions {
    guard case .options(let options) = current else { return [] }
    try advance()
    return options
  }

  private mutating func members() throws(ConditionError) -> Members {
    switch current {
    case .placeholder(.any), .namedArgument: return .argument(try operand())
    case .leftBrace: break
    default:
      throw error(
        "Expected a list in braces, such as {1, 2}, or %@, but found \(current.description).")
    }
    let opening = offset
    try advance()
    var operands: [Operand] = []
    if current == .rightBrace {
      try advance()
      return .list([])
    }
    while true {
      operands.append(try operand())
      switch current {
      case .comma: try advance()
      case .rightBrace:
        try advance()
        return .list(operands)
      case .end: throw lexer.error("This '{' has no matching '}'. Add one.", at: opening)
      default: throw error("Expected ',' or '}', but found \(current.description).")
      }
    }
  }

  // MARK: Operands

  private mutating func operand() throws(ConditionError) -> Operand {
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
      guard current == .rightParenthesis else {
        if current == .end {
          throw lexer.error("This '(' has no matching ')'. Add one.", at: opening)
        }
        throw error("Expected an operator or ')', but found \(current.description).")
      }
      depth -= 1
      try advance()
      return operand
    case .name(let name):
      let path = try path(from: name)
      if current == .leftParenthesis, !allowsGroup {
        throw lexer.error(FormerSyntax.function(path.spelling), at: place.offset ?? offset)
      }
      return Operand(.path(path), at: place)
    case .literal(let literal): kind = .literal(literal)
    case .placeholder(let specifier):
      kind = .argument(argumentCount, specifier)
      argumentCount += 1
    case .pathPlaceholder:
      kind = .pathArgument(argumentCount)
      argumentCount += 1
    case .namedArgument(let name): kind = .namedArgument(name)
    case .keyword(let keyword):
      guard let literal = keyword.literal else {
        throw error(
          "Expected a property or a value, but found \(keyword.rawValue). Write a property of that "
            + "name as #name or in back-quotes.")
      }
      kind = .literal(literal)
    default:
      throw error("Expected a property or a value, but found \(current.description).")
    }
    try advance()
    return Operand(kind, at: place)
  }

  private mutating func path(from first: String) throws(ConditionError) -> PropertyPath {
    var path = PropertyPath([first], places: [TextPlace(offset)])
    try advance()
    while current == .dot {
      if path.aggregate == .count {
        throw error("'@count' ends its path. Remove the rest of the path.")
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
    return path
  }
}
