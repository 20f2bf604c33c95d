/// A compiled regular expression with a limited number of steps per match.
///
/// All possible matches are followed at the same time, so that none is tried twice at the same
/// position (Thompson, 1968). Swift's engine backtracks, and for patterns such as `(a+)+` its time
/// grows exponentially with the text. Here a match takes at most (length of the text) x (size of
/// the pattern) steps.
struct PatternProgram {
  /// The maximum number of instructions of a pattern; counted repetitions are expanded.
  static let maximumSize = 5_000
  /// The default maximum number of steps of one match, which corresponds to some seconds.
  static let maximumSteps = 50_000_000

  private enum Instruction {
    case test(Int, next: Int)
    case assertion(Int, next: Int)
    case either(Int, Int)
    case accept
  }

  private var instructions: [Instruction] = [.accept]
  private var start = 0
  private var tests: [CharacterTest]
  private let assertions: [Regex<AnyRegexOutput>]
  private var moves = PatternMoves()
  /// The time at which each instruction was last reached.
  private var enteredAt: [Int] = []
  private var time = 0
  private let maximumSteps: Int

  /// Creates a compiled pattern.
  ///
  /// - Parameters:
  ///   - pattern: The regular expression.
  ///   - ignoresCase: Whether the case of letters is ignored.
  ///   - maximumSteps: The maximum number of steps of one match.
  /// - Throws: ``ConditionError`` with code `.pattern`.
  init(
    _ pattern: String, ignoresCase: Bool, maximumSteps: Int = Self.maximumSteps
  ) throws(ConditionError) {
    self.maximumSteps = maximumSteps
    var syntax = PatternSyntax(pattern, ignoresCase: ignoresCase)
    let node: PatternNode
    do {
      // Swift determines whether the text is a regular expression at all.
      _ = try Regex(pattern)
      node = try syntax.parse()
      tests = try syntax.tests.map { try CharacterTest($0) }
      assertions = try syntax.assertions.map { try Regex($0) }
    } catch let error as ConditionError {
      throw error
    } catch {
      throw ConditionError(
        .pattern, "The pattern of MATCHES is not a valid regular expression. Check its syntax.")
    }
    start = try add(node, next: 0)
  }

  // MARK: Compiling

  private mutating func append(_ instruction: Instruction) throws(ConditionError) -> Int {
    guard instructions.count < Self.maximumSize else {
      throw ConditionError(
        .pattern,
        "The pattern of MATCHES repeats too much: it expands to more than \(Self.maximumSize) "
          + "steps. Use smaller repetitions.")
    }
    instructions.append(instruction)
    return instructions.count - 1
  }

  /// Appends a node that continues at `next`, and returns its start.
  private mutating func add(_ node: PatternNode, next: Int) throws(ConditionError) -> Int {
    switch node {
    case .test(let test): return try append(.test(test, next: next))
    case .assertion(let assertion): return try append(.assertion(assertion, next: next))
    case .sequence(let nodes):
      var next = next
      for node in nodes.reversed() { next = try add(node, next: next) }
      return next
    case .choice(let nodes):
      var start = try add(nodes[nodes.count - 1], next: next)
      for node in nodes.dropLast().reversed() {
        start = try append(.either(try add(node, next: next), start))
      }
      return start
    case .repeated(let node, let least, let most):
      var start = next
      if let most {
        guard most >= least else { return try append(.either(0, 0)) }
        for _ in least..<most { start = try append(.either(try add(node, next: start), next)) }
      } else {
        start = try append(.either(next, next))
        instructions[start] = .either(try add(node, next: start), next)
      }
      for _ in 0..<least {
        let count = instructions.count
        start = try add(node, next: start)
        // A node without instructions, such as (), matches nothing however often it is repeated.
        if instructions.count == count { break }
      }
      return start
    }
  }

  // MARK: Matching

  /// Returns whether the complete text matches.
  ///
  /// - Parameter text: The text to test.
  /// - Returns: `true` if the complete text matches; otherwise, `false`.
  /// - Throws: ``ConditionError`` with code `.pattern` if the match takes too many steps.
  mutating func matches(_ text: String) throws(ConditionError) -> Bool {
    var steps = 0
    guard assertions.isEmpty else { return try matchesByPlaces(text, &steps) }
    if moves.isFull { moves = PatternMoves() }
    var state = moves.number(of: reached(from: [start], &steps) { _ in false })
    let utf8 = text.utf8
    // In ASCII, only CR followed by LF forms a character of two bytes.
    if utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) {
      for byte in utf8 {
        state = try moved(from: state, by: Character(Unicode.Scalar(byte)), ascii: byte, &steps)
      }
    } else {
      for character in text {
        let ascii = character.utf8.count == 1 ? character.utf8.first : nil
        state = try moved(from: state, by: character, ascii: ascii, &steps)
      }
    }
    return moves.sets[state].accepts
  }

  /// Returns the state after a character; results for ASCII are computed once for every state.
  private mutating func moved(
    from state: Int, by character: @autoclosure () -> Character, ascii: UInt8?, _ steps: inout Int
  ) throws(ConditionError) -> Int {
    if let ascii, let known = moves.known(from: state, by: ascii) { return known }
    let set = try after(moves.sets[state], by: character(), &steps) { _ in false }
    if moves.isFull {
      moves.reset(to: set)
      return 0
    }
    let next = moves.number(of: set)
    if let ascii { moves.record(next, from: state, by: ascii) }
    return next
  }

  /// Returns whether the text matches a pattern with assertions, which depend on the position.
  private mutating func matchesByPlaces(
    _ text: String, _ steps: inout Int
  ) throws(ConditionError) -> Bool {
    let places = assertions.map { Set(text.matches(of: $0).map(\.range.lowerBound)) }
    var index = text.startIndex
    var set = reached(from: [start], &steps) { places[$0].contains(index) }
    while index < text.endIndex {
      let character = text[index]
      text.formIndex(after: &index)
      set = try after(set, by: character, &steps) { places[$0].contains(index) }
    }
    return set.accepts
  }

  /// Returns the states after a character.
  private mutating func after(
    _ set: PatternStates, by character: Character, _ steps: inout Int, _ holds: (Int) -> Bool
  ) throws(ConditionError) -> PatternStates {
    var entered: [Int] = []
    for state in set.waiting {
      guard case .test(let test, let next) = instructions[state] else { continue }
      if tests[test].holds(character) { entered.append(next) }
    }
    steps += set.waiting.count
    guard steps < maximumSteps else {
      throw ConditionError(
        .pattern,
        "The pattern of MATCHES needs too many steps on a long text. Use a shorter pattern, or "
          + "LIKE.")
    }
    return reached(from: entered, &steps, holds)
  }

  /// Returns the states that are reached without reading a character.
  ///
  /// - Parameters:
  ///   - first: The states to start from.
  ///   - steps: The number of steps so far, which is increased.
  ///   - holds: A closure that returns whether an assertion is true at the present position.
  /// - Returns: The reached states.
  private mutating func reached(
    from first: [Int], _ steps: inout Int, _ holds: (Int) -> Bool
  ) -> PatternStates {
    var set = PatternStates()
    var open = first
    time += 1
    if enteredAt.count < instructions.count {
      enteredAt = [Int](repeating: 0, count: instructions.count)
    }
    while let state = open.popLast() {
      steps += 1
      if enteredAt[state] == time { continue }
      enteredAt[state] = time
      switch instructions[state] {
      case .test: set.waiting.append(state)
      case .accept: set.accepts = true
      case .either(let one, let other): open += [other, one]
      case .assertion(let assertion, let next): if holds(assertion) { open.append(next) }
      }
    }
    set.waiting.sort()
    return set
  }
}

/// The states of a pattern at one position of a text.
private struct PatternStates: Hashable {
  /// The states that wait for a character.
  var waiting: [Int] = []
  /// Whether the text that was read so far matches.
  var accepts = false
}

/// A cache of state sets and of the transitions between them.
private struct PatternMoves {
  private static let capacity = 500

  private(set) var sets: [PatternStates] = []
  private var numbers: [PatternStates: Int] = [:]
  /// The next set for each set and each ASCII character; -1 if not computed yet.
  private var next: [Int32] = []

  var isFull: Bool { sets.count >= Self.capacity }

  /// Removes all sets except one, which gets the number 0.
  mutating func reset(to set: PatternStates) {
    self = PatternMoves()
    _ = number(of: set)
  }

  mutating func number(of set: PatternStates) -> Int {
    if let known = numbers[set] { return known }
    numbers[set] = sets.count
    sets.append(set)
    next += [Int32](repeating: -1, count: 128)
    return sets.count - 1
  }

  func known(from set: Int, by byte: UInt8) -> Int? {
    let known = next[set << 7 | Int(byte)]
    return known < 0 ? nil : Int(known)
  }

  mutating func record(_ number: Int, from set: Int, by byte: UInt8) {
    next[set << 7 | Int(byte)] = Int32(number)
  }
}

/// A test of one character, with cached results.
private struct CharacterTest {
  private static let capacity = 4096

  private let character: Character?
  private let isASCII: Bool
  private let expression: Regex<AnyRegexOutput>?
  /// The cached results for ASCII: 0 for unknown, 1 for false, 2 for true.
  private var ascii: [UInt8]
  private var others: [Character: Bool] = [:]

  init(_ test: PatternSyntax.Test) throws {
    isASCII = if case .character(let character) = test { character.isASCII } else { false }
    switch test {
    case .character(let character): (self.character, expression, ascii) = (character, nil, [])
    case .expression(let text):
      character = nil
      expression = try Regex(text)
      ascii = [UInt8](repeating: 0, count: 128)
    }
  }

  mutating func holds(_ character: Character) -> Bool {
    guard let expression else {
      // For Swift's engine an ASCII character matches only itself, not an equivalent one (U+212A).
      return self.character == character && (character.isASCII || !isASCII)
    }
    // "\r\n" counts as ASCII too.
    if character.utf8.count == 1, let byte = character.utf8.first {
      if ascii[Int(byte)] != 0 { return ascii[Int(byte)] == 2 }
      let holds = Self.matches(expression, character)
      ascii[Int(byte)] = holds ? 2 : 1
      return holds
    }
    if let known = others[character] { return known }
    if others.count >= Self.capacity { others.removeAll() }
    let holds = Self.matches(expression, character)
    others[character] = holds
    return holds
  }

  private static func matches(_ expression: Regex<AnyRegexOutput>, _ character: Character) -> Bool {
    (try? expression.wholeMatch(in: String(character))) != nil
  }
}
