import ConditionReference
import ObjectVaultCondition
import TestSupport
import Testing

@Suite("Whatever the text") struct FuzzTests {
  private static let pieces = [
    "a", "int", "oint", "string", "bool", "json", "date", "nope", "(", ")", "{", "}", "[", "]",
    "[c]",
    "[cd]", "==", "=", "<", ">", "!", "!=", "&&", "||", "&", "|", "AND", "or", "NOT", "IN",
    "BETWEEN", "LIKE",
    "MATCHES", "CONTAINS", "ANY", "ALL", "NONE", "TRUEPREDICATE", "nil", "TRUE", "'x'", "\"y\"",
    "'", "\"",
    "`", "#", "#in", "x'0A'", "x'", "%@", "%K", "%d", "%", "$n", "$", "?", ".", ",", "@count", "@",
    "@min", "@sum", "@avg", "SOME", "room", "friend", "admirers", "age", "room.floor",
    "admirers.age",
    "1", "-", "+", "*", "/", "IS", "NULL", "NOT NULL", "$0", "$1", ".5", "now()", "now(", "7 days",
    "1.5 hours", "month", "lowercase(", "uppercase(string)", ".length", "['a']", "json.a",
    "-5", "1.5", "1e5", "9223372036854775807", "99999999999999999999", "1e999", "é", "e\u{301}",
    "😀", "\u{0}",
    "\n", "\u{85}", "\u{A0}", "\u{FEFF}", "\\", "'2024-01-01T00:00:00Z'", "'.*'", "'('", "'a\\'",
  ]

  private static let seeds = [
    "int == 1 && !(string LIKE 'a%' || oint IN {1, nil})", "int == %@", "bool || !obool",
    "int IN %@",
    "string ==[cd] \"a\"", "data == x'00'", "date > '2024-01-01T00:00:00Z'", "5 <= double",
    "string MATCHES 'a.*' && int BETWEEN {1, 2}", "%K != nil", "odecimal NOT IN {1.5, 'x'}",
    "room.floor >= 2 || friend.room.name == 'a'", "ANY admirers.age < 7 && admirers.@count > 3",
    "NONE room.students.name LIKE 'a%'", "room.students.@sum.age IN {1, 2.5}",
    "ALL admirers.friend.age BETWEEN {1, age}", "admirers.fee.@max > 1.5",
    "int + 1 > 2 * double", "(int - -1) / (2 + double) == nil", "5 - (int + 2) IN {1, int * 2}",
    "ANY admirers (admirers.age < 7 && admirers.age + 1 > age)", "-int % 3 == -$0 || oint IS NULL",
    "date > now() - 7 days && odate NOT BETWEEN {'2024-01-01', now() + -1.5 hours}",
    "lowercase(string) NOT LIKE 'a%' && -(string.length * 2) < .5", "oint IS NOT NIL",
    "json CONTAINS 'a' || ANY json['a'].b > 1", "json.@count > 2 && 'x' NOT IN ojson",
    "SUBQUERY(admirers, $s, $s.age > 7 && age < $s.age).@count > 2",
    "ANY admirers (SUBQUERY(admirers.room.students, $s, $s.age < admirers.age).@count == 1)",
    "ojson['a b'] ==[c] 'x' || json.a.c BETWEEN {1, 2}",
  ]

  @Test("reading and checking answer, and what was read prints and reads back")
  func readingAndCheckingAnswer() throws {
    var random = SeededGenerator(for: "fuzz of condition text")
    let arguments: [ConditionArgument] = [
      .value(.integer(1), .int), .value(.text("int"), .string), .null,
      .composite(members: [.value(.integer(1), .int), .null], json: { "[1,null]" }),
    ]
    var accepted = 0
    var resolved = 0
    var resolvedPaths = 0
    let schoolChecker = ConditionChecker(schema: SchoolSchema(kind: .student), folding: testFolding)
    let student = SchoolObject(.student, ["age": .integer(7)])
    func resolve(
      _ tree: Condition, _ text: String, by checker: ConditionChecker
    ) -> ResolvedCondition? {
      let count = min(tree.argumentCount, arguments.count)
      return try? checker.resolve(
        tree, arguments: Array(arguments.prefix(count)), named: ["n": arguments[0]], text: text)
    }
    var sample: [[UInt8]] = Self.seeds.map { Array($0.utf8) }
    // Only changed texts of these are likely to be conditions of the second class.
    var paths = Self.seeds.filter { text in
      (try? Condition.parse(text)).flatMap { resolve($0, text, by: schoolChecker) } != nil
    }.map { Array($0.utf8) }
    let total = randomRounds(100_000)
    for round in 0..<total {
      let text = Self.text(
        &random, round % 8 == 1 ? paths : sample, mutated: round % 2 == 1)
      guard let tree = try? Condition.parse(text) else { continue }
      accepted += 1
      let printed = tree.text
      let again = try? Condition.parse(printed)
      #expect(again == tree, "\(text.debugDescription) printed as \(printed.debugDescription)")
      if let condition = resolve(tree, text, by: schoolChecker) {
        resolvedPaths += 1
        Self.add(text, to: &paths)
        _ = condition.holds(folding: testFolding, of: student)
      }
      guard let condition = resolve(tree, text, by: sampleChecker) else { continue }
      resolved += 1
      Self.add(text, to: &sample)
      _ = condition.holds(folding: testFolding) { $0 % 3 == 0 ? .null : .text("a") }
    }
    #expect(accepted > total / 20)
    #expect(resolved > total / 50)
    #expect(resolvedPaths > total / 500)
  }

  /// Adds a text to the texts that are changed, once: short ones occur often, and most of their
  /// changes are no conditions.
  private static func add(_ text: String, to sample: inout [[UInt8]]) {
    let bytes = Array(text.utf8)
    if sample.count < 500, !sample.contains(bytes) { sample.append(bytes) }
  }

  private static func text(
    _ random: inout SeededGenerator, _ sample: [[UInt8]], mutated: Bool
  ) -> String {
    guard mutated else {
      return (0..<Int.random(in: 1...8, using: &random)).map { _ in random.pick(pieces) }
        .joined(separator: random.oneIn(3) ? "" : " ")
    }
    var bytes = random.pick(sample)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      switch random.pick([0, 1, 2, 3]) {
      case 0 where place < bytes.count: bytes.remove(at: place)
      case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: place)
      default:
        bytes.insert(
          contentsOf: bytes.prefix(min(place, 20)),
          at: Int.random(in: 0...bytes.count, using: &random))
      }
    }
    return String(decoding: bytes.prefix(120), as: UTF8.self)
  }
}
