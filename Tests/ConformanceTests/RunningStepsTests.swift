import ObjectVaultConformance
import ObjectVaultConformanceFormat
import Testing

@Suite("The outcome of a step is compared with the one expected")
struct RunningStepsTests {
  private static let members: [FixtureValue.Member] = [
    .init("objectID", .integer(1)), .init("text", .text("a")), .init("stars", .null),
  ]

  // MARK: returns

  private static let find = """
    - find: {class: Note, id: 1}
      returns: {objectID: 1, text: a, stars: {nil: true}}
    """

  @Test("An object with the properties expected passes, in whatever order")
  func equalObject() throws {
    let answer = FixtureValue.object([
      .init("stars", .null), .init("text", .text("a")), .init("objectID", .integer(1)),
    ])
    #expect(try Trial(Self.find).run(.init([.find: [.returns(answer)]])).hasPassed)
  }

  struct OtherObject: CustomTestStringConvertible {
    let testDescription: String
    let members: [FixtureValue.Member]
    let shown: String
  }

  static let otherObjects = [
    OtherObject(
      testDescription: "a missing property",
      members: [.init("objectID", .integer(1)), .init("text", .text("a"))],
      shown: "{objectID: 1, text: \"a\"}"),
    OtherObject(
      testDescription: "a property too many",
      members: members + [.init("more", .bool(true))],
      shown: "{objectID: 1, text: \"a\", stars: {nil: true}, more: true}"),
    OtherObject(
      testDescription: "empty text in place of nil",
      members: [
        .init("objectID", .integer(1)), .init("text", .text("a")), .init("stars", .text("")),
      ], shown: "{objectID: 1, text: \"a\", stars: \"\"}"),
    OtherObject(
      testDescription: "a double in place of a whole number",
      members: [
        .init("objectID", .double(1)), .init("text", .text("a")), .init("stars", .null),
      ], shown: "{objectID: {double: \"1.0\"}, text: \"a\", stars: {nil: true}}"),
    OtherObject(
      testDescription: "0 in place of nil",
      members: [
        .init("objectID", .integer(1)), .init("text", .text("a")), .init("stars", .integer(0)),
      ], shown: "{objectID: 1, text: \"a\", stars: 0}"),
    OtherObject(
      testDescription: "data in place of text",
      members: [
        .init("objectID", .integer(1)), .init("text", .data([0x61])), .init("stars", .null),
      ], shown: "{objectID: 1, text: {data: \"YQ==\"}, stars: {nil: true}}"),
  ]

  @Test("An object fails that has", arguments: otherObjects)
  func otherObject(_ other: OtherObject) throws {
    let trial = Trial(Self.find)
    expectFailure(
      try trial.run(.init([.find: [.returns(.object(other.members))]])),
      at: trial.line(of: "find:"), "find Note",
      expected: "{objectID: 1, text: \"a\", stars: {nil: true}}", actual: other.shown)
  }

  @Test("Texts that only look alike fail, and are told apart")
  func equivalentTexts() throws {
    let trial = Trial("- find: {class: Note, id: 1}\n  returns: {text: \"\\u00E9\"}")
    let answer = FixtureValue.object([.init("text", .text("e\u{301}"))])
    expectFailure(
      try trial.run(.init([.find: [.returns(answer)]])), at: trial.line(of: "find:"), "find Note",
      expected: "{text: \"\\u00E9\"}", actual: "{text: \"e\\u0301\"}")
  }

  @Test("An object in place of nothing fails, and nothing in place of an object")
  func nothing() throws {
    let none = Trial("- find: {class: Note, id: 1}\n  returns: {nil: true}")
    #expect(try none.run(.init([.find: [.returns(.null)]])).hasPassed)
    expectFailure(
      try none.run(.init([.find: [.returns(.object(Self.members))]])), at: none.line(of: "find:"),
      "find Note",
      expected: "{nil: true}", actual: "{objectID: 1, text: \"a\", stars: {nil: true}}")
    let some = Trial(Self.find)
    for (answer, words) in [(FixtureValue?.some(.null), "{nil: true}"), (nil, "nothing")] {
      expectFailure(
        try some.run(.init([.find: [.returns(answer)]])), at: some.line(of: "find:"), "find Note",
        expected: "{objectID: 1, text: \"a\", stars: {nil: true}}", actual: words)
    }
  }

  @Test("A list in another order fails, as do one too long and one too short")
  func listOrder() throws {
    let trial = Trial("- ids: {class: Note}\n  returns: [1, 2, 3]")
    func run(_ numbers: [Int64]) throws -> CaseResult {
      try trial.run(.init([.ids: [.returns(.list(numbers.map { .integer($0) }))]]))
    }
    #expect(try run([1, 2, 3]).hasPassed)
    for numbers: [Int64] in [[1, 3, 2], [1, 2], [1, 2, 3, 4], []] {
      expectFailure(
        try run(numbers), at: trial.line(of: "ids:"), "ids Note", expected: "[1, 2, 3]",
        actual: "[\(numbers.map { "\($0)" }.joined(separator: ", "))]")
    }
  }

  @Test("Of a long answer the part is shown that differs")
  func longAnswer() throws {
    let written = (1...500).map { "\($0)" }.joined(separator: ", ")
    let trial = Trial("- ids: {class: Note}\n  returns: [\(written)]")
    var numbers = (1...500).map { FixtureValue.integer($0) }
    #expect(try trial.run(.init([.ids: [.returns(.list(numbers))]])).hasPassed)
    numbers[321] = .integer(-1)
    expectFailure(
      try trial.run(.init([.ids: [.returns(.list(numbers))]])), at: trial.line(of: "ids:"),
      "ids Note[321]", expected: "322", actual: "-1")
    numbers[321] = .integer(322)
    expectFailure(
      try trial.run(.init([.ids: [.returns(.list(numbers.dropLast()))]])),
      at: trial.line(of: "ids:"), "ids Note", expected: "500 elements", actual: "499 elements")
  }

  @Test("A failure in place of a value fails with what the testee said")
  func failureForValue() throws {
    let trial = Trial("- count: {class: Note}\n  returns: 2")
    expectFailure(
      try trial.run(.init([.count: [.fails("busy")]])), at: trial.line(of: "count:"),
      "count Note", expected: "returns 2", actual: "fails busy: the testee's words")
  }

  // MARK: success and fails

  @Test("A step without returns and fails must succeed")
  func unexpectedFailure() throws {
    let trial = Trial("- removeAll: {class: Note}")
    #expect(try trial.run(.init([.removeAll: [.returns(.integer(3))]])).hasPassed)
    expectFailure(
      try trial.run(.init([.removeAll: [.fails("readOnly")]])),
      at: trial.line(of: "removeAll:"), "removeAll Note", expected: "success",
      actual: "fails readOnly: the testee's words")
  }

  @Test("A failure passes with its code alone, and fails with another or with success")
  func code() throws {
    let trial = Trial("- insert: {class: Note, object: {text: a}}\n  fails: duplicate")
    #expect(try trial.run(.init([.insert: [.fails("duplicate")]])).hasPassed)
    #expect(try trial.run(.init([.insert: [.fails("duplicate", offset: 3)]])).hasPassed)
    expectFailure(
      try trial.run(.init([.insert: [.fails("constraint")]])), at: trial.line(of: "insert:"),
      "insert Note", expected: "fails duplicate", actual: "fails constraint: the testee's words")
    expectFailure(
      try trial.run(.init([.insert: [.returns(.object([]))]])), at: trial.line(of: "insert:"),
      "insert Note", expected: "fails duplicate", actual: "returns {}")
    expectFailure(
      try trial.run(.init([.insert: [.returns(nil)]])), at: trial.line(of: "insert:"),
      "insert Note", expected: "fails duplicate", actual: "success")
  }

  @Test("Where an offset is expected it must be that one")
  func offset() throws {
    let trial = Trial(
      """
      - ids: {class: Note, where: "a = = 1"}
        fails: {code: invalidCondition, offset: 4}
      """)
    #expect(try trial.run(.init([.ids: [.fails("invalidCondition", offset: 4)]])).hasPassed)
    expectFailure(
      try trial.run(.init([.ids: [.fails("invalidCondition", offset: 5)]])),
      at: trial.line(of: "ids:"), "ids Note", expected: "fails invalidCondition at offset 4",
      actual: "fails invalidCondition at offset 5: the testee's words")
    expectFailure(
      try trial.run(.init([.ids: [.fails("invalidCondition")]])), at: trial.line(of: "ids:"),
      "ids Note", expected: "fails invalidCondition at offset 4",
      actual: "fails invalidCondition: the testee's words")
  }

  @Test("The first failing step ends the case, and files are not compared then")
  func firstFailureEnds() throws {
    let script = ScriptedTestee.Script([.close: [.fails("closed")]])
    let trial = Trial(
      "- close: {}\n- removeStore: {class: Note}", after: "{exists: true}")
    expectFailure(
      try trial.run(script), at: trial.line(of: "close:"), "close", expected: "success",
      actual: "fails closed: the testee's words")
    #expect(script.asked == ["1 begin", "1 close", "1 end"])
  }

  @Test("A report names the thread of a step, and the testee is told of it")
  func thread() throws {
    let script = ScriptedTestee.Script([.close: [.fails("closed")]])
    let trial = Trial("- close: {}\n  thread: second")
    expectFailure(
      try trial.run(script), at: trial.line(of: "close:"), "close on thread second",
      expected: "success", actual: "fails closed: the testee's words")
    #expect(script.asked == ["1 begin", "1 close on second", "1 end"])
  }

  // MARK: not supported, other engines

  @Test("What the testee does not do makes the case not supported, and ends it")
  func unsupported() throws {
    let script = ScriptedTestee.Script([.rekey: [.success(.unsupported("no rekey here"))]])
    let result = try Trial("- rekey: {key: {passphrase: b}}\n- close: {}").run(script)
    guard case .notSupported("no rekey here") = result.verdict else {
      Issue.record("not supported was expected, not: \(result.verdict)")
      return
    }
    #expect(script.asked == ["1 begin", "1 rekey", "1 end"])
  }

  @Test("A failure before what is not supported is a failure")
  func failureBeforeUnsupported() throws {
    let trial = Trial("- close: {}\n- rekey: {key: {passphrase: b}}")
    expectFailure(
      try trial.run(
        .init([.close: [.fails("closed")], .rekey: [.success(.unsupported("no rekey here"))]])),
      at: trial.line(of: "close:"), "close", expected: "success",
      actual: "fails closed: the testee's words")
  }

  @Test("A case for another engine is not run", arguments: [("3", true), ("4", false)])
  func otherEngine(_ major: String, _ runs: Bool) throws {
    let script = ScriptedTestee.Script([.close: [.fails("closed")]])
    let result = try Trial("- close: {}", given: "engine: \(major)\nvault: none").run(script)
    if runs {
      #expect(result.discrepancies.count == 1)
    } else {
      guard case .otherEngine = result.verdict else {
        Issue.record("another engine was expected, not: \(result.verdict)")
        return
      }
      #expect(script.asked == ["1 begin", "1 end"])
    }
  }
}
