/// A parser that converts condition text to a tree.
///
///     condition  = or ;
///     or         = and { ("||" | "OR") and } ;
///     and        = not { ("&&" | "AND") not } ;
///     not        = ("!" | "NOT") not | primary ;
///     primary    = "(" condition ")" | comparison | TRUEPREDICATE | FALSEPREDICATE ;
///     comparison = [ANY|SOME|ALL|NONE] operand test | path | (ANY|SOME|ALL|NONE) path group ;
///     group      = "(" condition ")" ;
///     test       = compare options operand | IS [NOT] (NIL | NULL) | [NOT] word ;
///     word       = search options operand | BETWEEN members | IN members ;
///     options    = ["[" "c" | "d" | "cd" "]"] ;
///     members    = "{" [operand {"," operand}] "}" | argument ;
///     operand    = product {("+" | "-") product} ;
///     product    = factor {("*" | "/" | "%") factor} ;
///     factor     = {"-"} (path | literal | argument | "%K" | "(" operand ")" | call | subquery) ;
///     call       = (lowercase | uppercase) "(" operand ")" | now "(" ")" ;
///     subquery   = SUBQUERY "(" path "," variable "," condition ")" "." @count ;
///     path       = (name | variable) {"." (name | aggregate)} ;
///     variable   = "$" name ;
///     aggregate  = @count | @min | @max | @avg | @sum ;
struct Parser {
  var lexer: Lexer
  var current: Token = .end
  var offset = 0
  var placeholders = PlaceholderNumbers()
  var depth = 0
  /// The offsets of the parentheses that are part of an operand.
  private lazy var operandParentheses = Self.operandParentheses(lexer.text)
  /// Whether parentheses may follow a path, as they do after ANY.
  var allowsGroup = false
  /// The variables of the enclosing subqueries, with the paths of their objects.
  var variables: [(name: String, names: [String])] = []

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
    if let (message, offset) = placeholders.gap { throw lexer.error(message, at: offset) }
    return condition
  }

  mutating func advance() throws(ConditionError) { (current, offset) = try lexer.next() }

  func error(_ message: String) -> ConditionError { lexer.error(message, at: offset) }

  // MARK: Conditions

  mutating func disjunction() throws(ConditionError) -> Condition {
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

  mutating func deepen() throws(ConditionError) {
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
    try close(opening, expecting: "AND, OR or ')'", hint: current.hint)
    return condition
  }

  /// Reads the parenthesis that closes the one at a position.
  mutating func close(
    _ opening: Int, expecting expected: String, hint: String = ""
  ) throws(ConditionError) {
    guard current == .rightParenthesis else {
      if current == .end {
        throw lexer.error("This '(' has no matching ')'. Add one.", at: opening)
      }
      throw error("Expected \(expected), but found \(current.description).\(hint)")
    }
    depth -= 1
    try advance()
  }

  // MARK: Comparisons

  private mutating func comparison() throws(ConditionError) -> Condition {
    var quantifier: Comparison.Quantifier?
    if case .keyword(let keyword) = current { quantifier = keyword.quantifier }
    if quantifier != nil { try advance() }
    allowsGroup = quantifier != nil
    let left = try operand()
    allowsGroup = false
    if current == .leftParenthesis, let quantifier {
      return .quantified(quantifier, left, try parenthesised())
    }
    if current == .keyword(.not) {
      if let quantifier {
        throw error(
          "NOT cannot follow \(quantifier.rawValue) and its path. Write NOT before "
            + "\(quantifier.rawValue).")
      }
      try advance()
      guard let test = try wordTest() else {
        throw error(
          "Expected IN, BETWEEN or an operator on text after NOT, but found "
            + "\(current.description). Write NOT before the property.")
      }
      return .not(.comparison(Comparison(left, test)))
    }
    guard let test = try test() else { return try alone(left, quantified: quantifier != nil) }
    return .comparison(Comparison(quantifier: quantifier, left, test))
  }

  /// Returns the test of the left operand, or `nil` if no operator follows it.
  private mutating func test() throws(ConditionError) -> Comparison.Test? {
    if case .compare(let op) = current {
      try advance()
      let options = try options()
      return .compare(op, options, try operand())
    }
    return try current.isIs && lexer.isPlainName(at: offset) ? nilTest() : wordTest()
  }

  /// Returns the test `IS NIL` or `IS NOT NIL`.
  private mutating func nilTest() throws(ConditionError) -> Comparison.Test {
    try advance()
    var op = ComparisonOperator.equal
    if current == .keyword(.not) {
      op = .notEqual
      try advance()
    }
    guard case .keyword(let keyword) = current, keyword.literal == .null else {
      throw error(
        "IS tests only for nil, but found \(current.description). Write IS NULL, IS NOT NULL, or "
          + "an operator such as ==.")
    }
    let place = TextPlace(offset)
    try advance()
    return .compare(op, [], Operand(.literal(.null), at: place))
  }

  /// Returns the test by a word that can follow NOT, or `nil` for another token.
  private mutating func wordTest() throws(ConditionError) -> Comparison.Test? {
    guard case .keyword(let keyword) = current else { return nil }
    switch keyword {
    case .between:
      try advance()
      let start = offset
      let members = try members("BETWEEN {lowest, highest}")
      if case .list(let bounds) = members, bounds.count != 2 {
        throw lexer.error("BETWEEN needs two bounds. Write {lowest, highest}.", at: start)
      }
      return .between(members)
    case .in:
      try advance()
      return .among(try members("IN {1, 2}"))
    default:
      guard let op = keyword.textOperator else { return nil }
      try advance()
      let options = try options()
      return .text(op, options, try operand())
    }
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

  private mutating func members(_ example: String) throws(ConditionError) -> Members {
    switch current {
    case .placeholder(.any), .namedArgument, .numberedArgument: return .argument(try operand())
    case .leftBrace: break
    case .name, .pathPlaceholder: return .argument(try operand())
    default:
      throw error(
        "Expected a list in braces or %@, but found \(current.description). Write \(example).")
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
}
