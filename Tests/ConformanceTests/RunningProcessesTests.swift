import ObjectVaultConformance
import ObjectVaultConformanceFormat
import Testing

@Suite("Processes of a case begin, crash and end as the case says")
struct RunningProcessesTests {
  @Test("A crash that ends the process passes, and the next step finds a new one in the same case")
  func crash() throws {
    let script = ScriptedTestee.Script([.crash: [.isKilled]])
    let result = try Trial("- open: {}\n- crash: {}\n- open: {}").run(script)
    #expect(result.hasPassed)
    #expect(
      script.asked == [
        "own 1 begin", "own 1 open", "own 1 crash", "own 2 begin", "own 2 open", "own 2 end",
      ])
  }

  @Test("A crash at the end of a case leaves nobody to end it")
  func crashAtEnd() throws {
    let script = ScriptedTestee.Script([.crash: [.isKilled]])
    #expect(try Trial("- crash: {}").run(script).hasPassed)
    #expect(script.asked == ["own 1 begin", "own 1 crash"])
  }

  @Test("A crash that does not happen fails")
  func noCrash() throws {
    let trial = Trial("- crash: {}")
    expectFailure(
      try trial.run(.init([.crash: [.returns(nil)]])), at: trial.line(of: "crash:"), "crash",
      expected: "the process is killed", actual: "it is alive and answers")
  }

  @Test("An end of the testee that is not its being killed is no crash")
  func otherEnd() throws {
    let trial = Trial("- crash: {}")
    expectFailure(
      try trial.run(.init([.crash: [.dies]])), at: trial.line(of: "crash:"), "crash",
      expected: "the process is killed", actual: "the testee ended: its input ended")
  }

  private static let nested = Trial(
    """
    - transaction:
        steps:
          - insert: {class: Note, object: {text: a}}
          - crash: {}
    - open: {}
    """)

  @Test("A crash within a transaction has a process of its own")
  func crashWithin() throws {
    let script = ScriptedTestee.Script([.transaction: [.isKilled]])
    #expect(try Self.nested.run(script).hasPassed)
    #expect(
      script.asked == [
        "own 1 begin", "own 1 transaction", "own 2 begin", "own 2 open", "own 2 end",
      ]
    )
  }

  @Test("Where a step before a crash went wrong, that is told")
  func failureBeforeCrash() throws {
    let failure = Answer.Failure(code: "busy", message: "the testee's words")
    expectFailure(
      try Self.nested.run(
        .init([.transaction: [.success(.steps([.fails(failure)], failure: failure))]])),
      at: Self.nested.line(of: "insert:"), "insert Note", expected: "success",
      actual: "fails busy: the testee's words")
    expectFailure(
      try Self.nested.run(
        .init([
          .transaction: [
            .success(.steps([.returns(nil), .returns(nil)], failure: nil))
          ]
        ])),
      at: Self.nested.line(of: "transaction:"), "transaction", expected: "the process is killed",
      actual: "it is alive and answers")
  }

  @Test("A testee that dies where it may not fails the step, and another serves the next case")
  func unexpectedDeath() throws {
    let trial = Trial("- count: {class: Note}\n  returns: 1")
    let fixture = try trial.fixture()
    let script = ScriptedTestee.Script([.count: [.dies, .returns(.integer(1))]])
    let runner = CaseRunner(RunSettings(folder: FixtureFolder.url, testees: script.factory))
    let only = try #require(fixture.cases.first)
    expectFailure(
      runner.run(only, of: fixture), at: trial.line(of: "count:"), "count Note",
      expected: "returns 1", actual: "the testee ended: its input ended")
    #expect(runner.run(only, of: fixture).hasPassed)
    #expect(script.asked == ["1 begin", "1 count", "2 begin", "2 count", "2 end"])
  }

  @Test("A testee that lives serves case after case, except those with processes of their own")
  func reuse() throws {
    let script = ScriptedTestee.Script([.crash: [.isKilled]])
    let runner = CaseRunner(RunSettings(folder: FixtureFolder.url, testees: script.factory))
    for steps in ["- close: {}", "- crash: {}", "- close: {}"] {
      let fixture = try Trial(steps).fixture()
      #expect(runner.run(try #require(fixture.cases.first), of: fixture).hasPassed)
    }
    #expect(
      script.asked == [
        "1 begin", "1 close", "1 end", "own 2 begin", "own 2 crash", "1 begin", "1 close", "1 end",
      ])
  }

  @Test("Other processes are testees of their own, which begin once and end with the case")
  func otherProcess() throws {
    let script = ScriptedTestee.Script()
    let trial = Trial("- open: {}\n- open: {}\n  process: b\n- close: {}\n  process: b")
    #expect(try trial.run(script).hasPassed)
    #expect(
      script.asked == [
        "own 1 begin", "own 1 open", "own 2 begin", "own 2 open", "own 2 close", "own 1 end",
        "own 2 end",
      ])
  }

  @Test("A step of another process that fails is told with its process")
  func otherProcessFails() throws {
    let trial = Trial("- open: {}\n  process: b")
    expectFailure(
      try trial.run(.init([.open: [.fails("busy")]])), at: trial.line(of: "open:"),
      "open in process b", expected: "success", actual: "fails busy: the testee's words")
  }

  @Test("A testee that cannot be started fails the case")
  func noTestee() throws {
    let trial = Trial("- close: {}")
    let fixture = try trial.fixture()
    let factory = TesteeFactory { throw TesteeEnded(reason: "no such command") }
    let runner = CaseRunner(RunSettings(folder: FixtureFolder.url, testees: factory))
    expectFailure(
      runner.run(try #require(fixture.cases.first), of: fixture),
      at: trial.line(of: "- name: a trial"), "begin", expected: "success",
      actual: "the testee ended: no such command")
  }

  private static let stored = Trial(
    "- insert: {class: Note, object: {text: a}}", after: "{rows: {Note: [[1, a]]}}")

  @Test("A testee without files that cannot return its rows does not support the case")
  func rowsNotSupported() throws {
    for operation in [FixtureOperation.open, .rows, .close] {
      var answers: ScriptedTestee.Script.Answers = [
        .rows: [.returns(.list([.list([.integer(1), .text("a")])]))]
      ]
      answers[operation] = [.success(.unsupported("no \(operation.rawValue)"))]
      let script = ScriptedTestee.Script(answers, hasFiles: false)
      let result = try Self.stored.run(script)
      guard case .notSupported("no \(operation.rawValue)") = result.verdict else {
        Issue.record("\(operation): \(result.verdict)")
        continue
      }
      #expect(script.asked.last == "1 end")
    }
  }

  @Test("A testee without files that dies while its rows are read is told")
  func deathAtRows() throws {
    expectFailure(
      try Self.stored.run(.init([.rows: [.dies]], hasFiles: false)),
      at: Self.stored.line(of: "after:"), "the stored contents", expected: "success",
      actual: "the testee ended: its input ended")
  }

  @Test("A table that a testee without files cannot read is a difference")
  func rowsFail() throws {
    expectFailure(
      try Self.stored.run(.init([.rows: [.fails("engineRefused")]], hasFiles: false)),
      at: Self.stored.line(of: "after:"), "main.vault: rows.Note", expected: #"[[1, "a"]]"#,
      actual: "fails engineRefused: the testee's words")
  }
}
