/// The structure of a regular expression: repetitions, alternatives and sequences.
///
/// Only the structure is parsed here. Each class, escape and case-insensitive letter remains text,
/// which Swift's own engine tests on one character at a time.
indirect enum PatternNode {
  /// A pattern for one character, by its index in ``PatternSyntax/tests``.
  case test(Int)
  /// A pattern for a position, by its index in ``PatternSyntax/assertions``.
  case assertion(Int)
  case sequence([PatternNode])
  case choice([PatternNode])
  case repeated(PatternNode, atLeast: Int, atMost: Int?)
}

/// A parser for the structure of a regular expression.
struct PatternSyntax {
  /// A test of one character.
  enum Test: Hashable {
    case character(Character)
    /// A regular expression for one character.
    case expression(String)
  }

  private(set) var tests: [Test] = []
  private(set) var assertions: [String] = []
  private let pattern: [Character]
  private let ignoresCase: Bool
  private var position = 0
  /// The enabled options: `i`, `s` and `m`.
  private var options: Set<Character> = []

  init(_ pattern: String, ignoresCase: Bool) {
    self.pattern = Array(pattern)
    self.ignoresCase = ignoresCase
  }

  /// Parses the complete pattern, which Swift has already accepted.
  mutating func parse() throws(ConditionError) -> PatternNode {
    let node = try choice()
    guard position == pattern.count else { throw unsupported("an unmatched ')'") }
    return node
  }

  private func unsupported(_ construct: String) -> ConditionError {
    ConditionError(
      .pattern,
      "MATCHES does not support \(construct). Use characters, classes such as [a-z] and \\d, "
        + "groups, |, the repetitions *, +, ? and {n,m}, and the anchors ^, $ and \\b.")
  }

  // MARK: Structure

  private var current: Character? { position < pattern.count ? pattern[position] : nil }

  private mutating func take(_ character: Character) -> Bool {
    guard current == character else { return false }
    position += 1
    return true
  }

  private mutating func choice() throws(ConditionError) -> PatternNode {
    let outside = options
    var choices = [try sequence()]
    while take("|") { choices.append(try sequence()) }
    options = outside
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(ConditionError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let character = current, character != "|", character != ")" {
      guard var node = try element() else { continue }
      while let (least, most) = repetition() {
        node = .repeated(node, atLeast: least, atMost: most)
        if take("+") { throw unsupported("possessive repetitions such as a++") }
        // A lazy repetition matches the same complete texts.
        _ = take("?")
      }
      nodes.append(node)
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  private mutating func repetition() -> (Int, Int?)? {
    switch current {
    case "*":
      position += 1
      return (0, nil)
    case "+":
      position += 1
      return (1, nil)
    case "?":
      position += 1
      return (0, 1)
    case "{":
      let start = position
      position += 1
      let least = number()
      var most = least
      let isRange = take(",")
      if isRange { most = number() }
      if (least != nil || most != nil) && take("}") { return (least ?? 0, most) }
      // Braces without numbers are literal text.
      position = start
      return nil
    default: return nil
    }
  }

  private mutating func number() -> Int? {
    let start = position
    while let character = current, character.isASCII, character.isNumber { position += 1 }
    return Int(String(pattern[start..<position]))
  }

  // MARK: Elements

  /// Parses one element; returns `nil` for an element that matches nothing, such as options.
  private mutating func element() throws(ConditionError) -> PatternNode? {
    let start = position
    let character = pattern[position]
    position += 1
    switch character {
    case "(": return try group()
    case "[":
      try skipClass()
      return test(.expression(text(from: start)))
    case "\\": return try escape(from: start)
    case "^", "$": return assertion(text(from: start))
    case ".": return test(.expression("."))
    default: return literal(character)
    }
  }

  private mutating func group() throws(ConditionError) -> PatternNode? {
    if current == "*" { throw unsupported("verbs such as (*FAIL)") }
    let outside = options
    if take("?") {
      switch current {
      case ":": position += 1
      case "P", "<", "'":
        _ = take("P")
        let closing: Character = current == "'" ? "'" : ">"
        guard take("<") || take("'"), current != "=", current != "!" else {
          throw unsupported("lookaround and references to groups")
        }
        while let character = current, character != closing { position += 1 }
        position += 1
      default:
        guard try readOptions() else {
          throw unsupported("lookaround, atomic groups and conditions such as (?=…)")
        }
        // The options apply up to the end of the enclosing group.
        if take(")") { return nil }
        position += 1
      }
    }
    let node = try choice()
    options = outside
    guard take(")") else { throw unsupported("a '(' without a matching ')'") }
    return node
  }

  /// Parses options up to the `:` or `)` after them.
  private mutating func readOptions() throws(ConditionError) -> Bool {
    var isOn = true
    while let character = current, character != ":", character != ")" {
      position += 1
      switch character {
      case "-": isOn = false
      case "i", "s", "m": if isOn { options.insert(character) } else { options.remove(character) }
      case "x", "n", "U", "u", "y", "X", "b", "D", "P", "S", "W", "J":
        throw unsupported("the option (?\(character))")
      default: return false
      }
    }
    return current != nil
  }

  private mutating func skipClass() throws(ConditionError) {
    _ = take("^")
    if current == "]" { throw unsupported("a class that begins with ]; write \\]") }
    var depth = 1
    while depth > 0 {
      guard let character = current else { throw unsupported("a '[' without a matching ']'") }
      position += 1
      switch character {
      case "[": depth += 1
      case "]": depth -= 1
      case "\\":
        if current == "Q" { throw unsupported("\\Q in a class") }
        position += 1
      default: break
      }
    }
  }

  private mutating func escape(from start: Int) throws(ConditionError) -> PatternNode? {
    guard let character = current else { throw unsupported("a '\\' at the end") }
    position += 1
    switch character {
    case "A", "z", "Z", "b", "B", "y", "Y": return assertion(text(from: start))
    case "1"..."9", "k", "g": throw unsupported("references to groups such as \\1")
    case "K", "G", "E", "C": throw unsupported("\\\(character)")
    case "Q":
      var characters: [PatternNode] = []
      while let character = current {
        position += 1
        if character == "\\", take("E") { break }
        characters.append(literal(character))
      }
      return .sequence(characters)
    case "0": skip(2) { "01234567".contains($0) }
    case "x": if !skipBraces() { skip(2, \.isHexDigit) }
    case "u": if !skipBraces() { skip(4, \.isHexDigit) }
    case "U": skip(8, \.isHexDigit)
    case "o", "N": _ = skipBraces()
    case "p", "P": if !skipBraces() { position += 1 }
    case "c": position += 1
    default: break
    }
    position = min(position, pattern.count)
    return test(.expression(text(from: start)))
  }

  private mutating func skip(_ count: Int, _ isPart: (Character) -> Bool) {
    var rest = count
    while rest > 0, let character = current, isPart(character) {
      position += 1
      rest -= 1
    }
  }

  private mutating func skipBraces() -> Bool {
    guard current == "{" else { return false }
    while let character = current {
      position += 1
      if character == "}" { break }
    }
    return true
  }

  // MARK: Tests

  private func text(from start: Int) -> String { String(pattern[start..<position]) }

  private mutating func literal(_ character: Character) -> PatternNode {
    guard ignoresCase || options.contains("i") else { return test(.character(character)) }
    let isWord = character.isLetter || character.isNumber || !character.isASCII
    return test(.expression(isWord ? String(character) : "\\\(character)"))
  }

  private mutating func test(_ test: Test) -> PatternNode {
    var test = test
    if case .expression(let text) = test { test = .expression(prefix + text) }
    if let known = tests.firstIndex(of: test) { return .test(known) }
    tests.append(test)
    return .test(tests.count - 1)
  }

  private mutating func assertion(_ text: String) -> PatternNode {
    let text = prefix + text
    if let known = assertions.firstIndex(of: text) { return .assertion(known) }
    assertions.append(text)
    return .assertion(assertions.count - 1)
  }

  private var prefix: String {
    let letters = options.union(ignoresCase ? ["i"] : []).sorted()
    return letters.isEmpty ? "" : "(?\(String(letters)))"
  }
}
