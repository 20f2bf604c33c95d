import Foundation
import ObjectVaultConformance
import ObjectVaultConformanceFormat
import TestSupport
import Testing

@Suite("Programs as testees") struct ProcessTesteeTests {
  /// What asking a shell's program for `begin` throws.
  private func ended(
    _ script: String, timeLimit: Double = 600
  ) throws -> (error: TesteeEnded, testee: ProcessTestee) {
    let testee = try ProcessTestee.start(.shell(script), timeLimit: timeLimit)
    let error = try #require(throws: TesteeEnded.self) {
      try testee.answer(.begin(folder: "/", classes: []))
    }
    // It goes on saying so.
    #expect(throws: TesteeEnded.self) { try testee.answer(.end) }
    return (error, testee)
  }

  @Test("The end of a program is reported with its status or signal")
  func deaths() throws {
    let (exit, exited) = try ended("exit 3")
    #expect(exit.reason.contains("ended with exit status 3 before it answered 'begin'"))
    #expect(!exit.wasKilled)
    #expect(exited.end == .exited(3))
    let (kill, killed) = try ended("kill -9 $$")
    #expect(kill.wasKilled)
    #expect(killed.end == .signalled(SIGKILL))
    let (inner, _) = try ended("sh -c 'kill -9 $$'; exit $?")
    #expect(inner.wasKilled)
    let (other, _) = try ended("kill -11 $$")
    #expect(!other.wasKilled)
  }

  @Test("A program that does not answer in time is killed, with all that it started")
  func hanging() throws {
    let folder = try TemporaryFolder()
    let fifo = folder.file("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    // The inner one holds the end of the pipe open that this test reads.
    let (error, testee) = try ended(
      "cat 3>'\(fifo)' >/dev/null & cat >/dev/null; wait; :", timeLimit: 0.3)
    #expect(error.reason.contains("did not answer 'begin' within 0.3 seconds, and was killed"))
    #expect(!error.wasKilled)
    #expect(testee.end == .signalled(SIGKILL))
  }

  @Test("A program that closes its output is of no use")
  func closedOutput() throws {
    let (error, _) = try ended("exec >&-; cat >/dev/null")
    #expect(error.reason.contains("before it answered 'begin'"))
  }

  @Test(
    "What is not the protocol ends the program",
    arguments: [
      "nonsense", "", "[]", "{}", #"{"id":2}"#, #"{"id":1}"#, #"{"id":1,"returns":7}"#,
      #"{"id":1,"returns":{"name":"a","engine":"b","more":1}}"#,
      #"{"id":1,"fails":{"code":"busy"}}"#, #"{"id":1,"fails":{"message":"no code"}}"#,
      #"{"id":1,"unsupported":"x","returns":1}"#, #"{"id":1,"answer":1}"#,
      #"{"id":1,"returns":{"name":"a","engine":"b"},"fails":{"code":"a","message":"b"}}"#,
    ])
  func nonsense(_ line: String) throws {
    let (error, testee) = try ended("read line; echo '\(line)'; cat >/dev/null")
    #expect(error.reason.contains("answered 'begin' with '\(line)': "))
    #expect(testee.end == .signalled(SIGKILL))
  }

  @Test("The answers of steps must fit the steps")
  func answersOfSteps() throws {
    let request = try Exchange.request(
      "transaction", #"{"steps":[{"operation":"close","arguments":{}}]}"#)
    func answer(_ line: String) throws -> Answer {
      try ProtocolCoder.answer(Array(line.utf8), to: request, id: 1)
    }
    #expect(try answer(#"{"id":1,"returns":[{}]}"#) == .steps([.returns(nil)], failure: nil))
    let failure = #""fails":{"code":"busy","message":"m"}"#
    #expect(
      try answer(#"{"id":1,\#(failure)}"#)
        == .steps([], failure: .init(code: "busy", message: "m")))
    for line in [
      #"{"id":1}"#, #"{"id":1,"returns":[]}"#, #"{"id":1,"returns":[{},{}]}"#,
      #"{"id":1,"returns":{}}"#, #"{"id":1,"returns":[{"returns":1}]}"#,
      #"{"id":1,"returns":[{"id":2}]}"#,
    ] {
      #expect(throws: ProtocolCoder.Problem.self) { try answer(line) }
    }
  }

  @Test("What cannot be started is said")
  func notStarted() throws {
    let error = try #require(throws: TesteeEnded.self) {
      try ProcessTestee.start(.program(["/no/such/program"]))
    }
    #expect(error.reason.hasPrefix("'/no/such/program' cannot be started: "))
    #expect(throws: TesteeEnded.self) { try ProcessTestee.start(.program([])) }
  }

  @Test("Writing to a program that has ended is an error, and no signal")
  func brokenPipe() throws {
    let testee = try ProcessTestee.start(.shell(#"read line; echo '{"id":1}'; exec <&-; exit 4"#))
    #expect(try testee.answer(.end) == .returns(nil))
    let long = FixtureValue.list((0..<40_000).map { .integer($0) })
    let request = Request(
      .perform(.removeByIDs), arguments: .object([.init("class", .text("A")), .init("ids", long)]))
    let error = try #require(throws: TesteeEnded.self) { try testee.answer(request) }
    #expect(error.reason.contains("exit status 4"))
  }

  @Test("Closing ends the input, and a program whose input ended may end by itself")
  func closing() throws {
    let first = try ProcessTestee.start(.shell("cat >/dev/null; exit 7"))
    // Another, started later, must not hold the first one's input open.
    let second = try ProcessTestee.start(.shell("cat >/dev/null; exit 8"))
    first.close()
    #expect(first.end == .exited(7))
    let error = try #require(throws: TesteeEnded.self) { try first.answer(.end) }
    #expect(error.reason.contains("was closed"))
    second.close()
    second.close()
    #expect(second.end == .exited(8))
  }

  @Test("Requests and answers may be longer than a pipe holds")
  func longLines() throws {
    let exchange = try Exchange(.program, classes: TesteeOperationTests.person)
    try exchange.expect("open")
    let text = String(repeating: "abc", count: 200)
    let objects = (1...1500).map { #"{"name":"n\#($0)","age":\#($0),"note":"\#(text)"}"# }
    let ids = (1...1500).map(String.init).joined(separator: ",")
    try exchange.expect(
      "insertMany", #"{"class":"Person","objects":[\#(objects.joined(separator: ","))]}"#,
      #"{"returns":[\#(ids)]}"#)
    guard case .returns(.list(let found)?) = try exchange.ask("query", #"{"class":"Person"}"#)
    else {
      Issue.record("The objects are not answered.")
      return
    }
    #expect(found.count == 1500)
    #expect(found.last?["note"] == .text(text))
  }

  @Test("Several run at once")
  func several() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          let exchange = try Exchange(.program, classes: TesteeOperationTests.person)
          try exchange.expect("open")
          for id in 1...20 {
            let note = #""name":"\#(id)","age":\#(number),"note":{"nil":true}"#
            try exchange.expect(
              "insert", #"{"class":"Person","object":{\#(note)}}"#,
              #"{"returns":{"objectID":\#(id),\#(note)}}"#)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
