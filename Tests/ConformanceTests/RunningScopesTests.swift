import ObjectVaultConformance
import Testing

import ObjectVaultConformanceFormat

@Suite("The steps of a transaction are each compared")
struct RunningScopesTests {
  private typealias Answers = [Result<Answer, TesteeEnded>]

  private static let failure = Answer.Failure(code: "busy", message: "the testee's words")

  private static let trial = Trial(
    """
    - transaction:
        steps:
          - count: {class: Note}
            returns: 1
          - insert: {class: Note, object: {text: a}}
            fails: duplicate
          - removeAll: {class: Note}
    """)

  private static let duplicate = Answer.fails(.init(code: "duplicate", message: ""))

  private func run(_ trial: Trial, _ answers: [Answer], _ failure: Answer.Failure?) throws
    -> CaseResult
  {
    try trial.run(.init([.transaction: [.success(.steps(answers, failure: failure))]]))
  }

  @Test("One whose steps all answer as expected passes")
  func passes() throws {
    let answers = [Answer.returns(.integer(1)), Self.duplicate, .returns(.integer(1))]
    #expect(try run(Self.trial, answers, nil).hasPassed)
  }

  @Test("A value that differs is found where its step stands")
  func value() throws {
    let answers = [Answer.returns(.integer(2)), Self.duplicate, .returns(.integer(1))]
    expectFailure(
      try run(Self.trial, answers, nil), at: Self.trial.line(of: "count:"), "count Note",
      expected: "1", actual: "2")
  }

  @Test("A success where a failure is expected is found where its step stands")
  func success() throws {
    let answers = [Answer.returns(.integer(1)), .returns(nil), .returns(.integer(1))]
    expectFailure(
      try run(Self.trial, answers, nil), at: Self.trial.line(of: "insert:"), "insert Note",
      expected: "fails duplicate", actual: "success")
  }

  @Test("An unexpected failure, after which answers are missing, is found where its step stands")
  func unexpectedFailure() throws {
    let trial = Self.trial
    expectFailure(
      try run(trial, [.fails(Self.failure)], Self.failure), at: trial.line(of: "count:"),
      "count Note", expected: "returns 1", actual: "fails busy: the testee's words")
    expectFailure(
      try run(trial, [.returns(.integer(1)), Self.duplicate, .fails(Self.failure)], Self.failure),
      at: trial.line(of: "removeAll:"), "removeAll Note", expected: "success",
      actual: "fails busy: the testee's words")
  }

  @Test("An answer that is missing without a failure is found where its step stands")
  func missing() throws {
    expectFailure(
      try run(Self.trial, [.returns(.integer(1))], nil), at: Self.trial.line(of: "insert:"),
      "insert Note", expected: "fails duplicate", actual: "no answer")
    expectFailure(
      try Self.trial.run(.init([.transaction: [.returns(nil)]])),
      at: Self.trial.line(of: "transaction:"), "transaction",
      expected: "the answers of 3 steps", actual: "none of them")
  }

  @Test("More answers than steps are refused")
  func tooMany() throws {
    let answers = [
      Answer.returns(.integer(1)), Self.duplicate, .returns(nil), .returns(nil),
    ]
    expectFailure(
      try run(Self.trial, answers, nil), at: Self.trial.line(of: "transaction:"), "transaction",
      expected: "the answers of 3 steps", actual: "4 answers")
  }

  @Test("A commit that fails is a failure of the transaction")
  func commit() throws {
    let answers = [Answer.returns(.integer(1)), Self.duplicate, .returns(.integer(1))]
    expectFailure(
      try run(Self.trial, answers, Self.failure), at: Self.trial.line(of: "transaction:"),
      "transaction", expected: "success", actual: "fails busy: the testee's words")
  }

  @Test("A transaction that is expected to fail takes the failure of a step that expects nothing")
  func expectedFailure() throws {
    let trial = Trial(
      """
      - transaction:
          steps:
            - count: {class: Note}
              returns: 1
            - removeAll: {class: Note}
        fails: busy
      """)
    let counted = Answer.returns(.integer(1))
    #expect(try run(trial, [counted, .fails(Self.failure)], Self.failure).hasPassed)
    let other = Answer.Failure(code: "diskFull", message: "full")
    expectFailure(
      try run(trial, [counted, .fails(other)], other), at: trial.line(of: "transaction:"),
      "transaction", expected: "fails busy", actual: "fails diskFull: full")
    expectFailure(
      try run(trial, [counted, .returns(nil)], nil), at: trial.line(of: "transaction:"),
      "transaction", expected: "fails busy", actual: "success")
    // A step that says what it returns must return that all the same.
    expectFailure(
      try run(trial, [.fails(Self.failure)], Self.failure), at: trial.line(of: "count:"),
      "count Note", expected: "returns 1", actual: "fails busy: the testee's words")
  }

  @Test("Answers that end before the failure of the transaction are refused")
  func endsEarly() throws {
    let trial = Trial(
      """
      - transaction:
          steps:
            - count: {class: Note}
              returns: 1
            - insert: {class: Note, object: {text: a}}
            - removeAll: {class: Note}
        fails: busy
      """)
    let counted = Answer.returns(.integer(1))
    expectFailure(
      try run(trial, [], Self.failure), at: trial.line(of: "count:"), "count Note",
      expected: "returns 1", actual: "no answer")
    expectFailure(
      try run(trial, [counted], Self.failure), at: trial.line(of: "insert:"), "insert Note",
      expected: "success", actual: "no answer")
    expectFailure(
      try run(trial, [counted, Self.duplicate], Self.failure), at: trial.line(of: "insert:"),
      "insert Note", expected: "success", actual: "fails duplicate: ")
    #expect(try run(trial, [counted, .fails(Self.failure)], Self.failure).hasPassed)
    // The transaction did not begin, for another reason than the expected one.
    expectFailure(
      try run(trial, [], .init(code: "closed", message: "")),
      at: trial.line(of: "transaction:"), "transaction", expected: "fails busy",
      actual: "fails closed: ")
  }

  @Test("A transaction that does not begin has no answers")
  func doesNotBegin() throws {
    let trial = Trial(
      """
      - transaction:
          steps:
            - removeAll: {class: Note}
        fails: busy
      """)
    #expect(try run(trial, [], Self.failure).hasPassed)
  }

  @Test("A step that is not supported makes the case not supported")
  func unsupported() throws {
    let result = try run(Self.trial, [.unsupported("no counting")], nil)
    guard case .notSupported("no counting") = result.verdict else {
      Issue.record("not supported was expected, not: \(result.verdict)")
      return
    }
  }

  @Test("Steps of steps are compared too")
  func nested() throws {
    let trial = Trial(
      """
      - read:
          steps:
            - transaction:
                steps:
                  - exists: {class: Note}
                    returns: true
      """)
    func run(_ value: Bool) throws -> CaseResult {
      let inner = Answer.steps([.returns(.bool(value))], failure: nil)
      return try trial.run(.init([.read: [.success(.steps([inner], failure: nil))]]))
    }
    #expect(try run(true).hasPassed)
    expectFailure(
      try run(false), at: trial.line(of: "exists:"), "exists Note", expected: "true",
      actual: "false")
  }
}
