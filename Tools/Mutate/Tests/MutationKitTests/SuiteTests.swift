import Foundation
import Testing

@testable import MutationKit

@Suite("Suites and their runs") struct SuiteTests {
  private func suite(
    _ name: String, _ seconds: Double, _ kind: Suite.Kind = .tests
  ) -> Suite {
    Suite(kind: kind, name: name, seconds: seconds)
  }

  @Test("The fastest suites run first, and each batch holds more than the last")
  func batches() {
    let suites =
      [suite("last", 90), suite("a", 1), suite("Fixtures/b", 0.5, .fixtures)]
      + (1...10).map { suite("\($0)", 1.5 + Double($0) / 10) }
    let batches = Suite.batches(suites).map { $0.map(\.name) }
    #expect(
      batches == [
        ["Fixtures/b"], ["a", "1"], ["2", "3", "4", "5", "6"], ["7", "8", "9", "10", "last"],
      ])
  }

  @Test("Suites are filtered by parts of their names, and slow ones are known")
  func filter() {
    let filter = SuiteFilter(only: ["Core", "Fixtures/"], skip: ["Log"], includesSlow: false)
    #expect(filter.includes("ObjectVaultCoreTests.InsertTests"))
    #expect(filter.includes("Fixtures/batch"))
    #expect(!filter.includes("ObjectVaultCoreTests.LogTests"))
    #expect(!filter.includes("ToolTests.GuideTests"))
    #expect(SuiteFilter(only: [], skip: [], includesSlow: false).includes("ToolTests.GuideTests"))
    #expect(suite("ObjectVaultCoreTests.FaultTests", 1).isSlow)
    #expect(suite("StressTests.TransferTests", 1).isSlow)
    #expect(!suite("ObjectVaultCoreTests.InsertTests", 1).isSlow)
  }

  @Test(
    "A failure is named after its test, its case, or the end of the process",
    arguments: [
      (0, "Test run with 3 tests passed", nil),
      (1, "✔ Test a() passed\n✘ Test \"A key\" recorded an issue at A.swift:3:1: no", "\"A key\""),
      (1, "ok 1 - a\nnot ok 2 - b # SKIP\nnot ok 3 - c.yaml: a name", "c.yaml: a name"),
      (139, "", "exit status 139 of One"),
    ])
  func failure(status: Int32, output: String, expected: String?) {
    let outcome = Shell.Outcome(status: status, output: output, kill: nil, seconds: 1)
    #expect(SuiteRun.failure(in: outcome, of: [suite("One", 1)]) == expected)
  }

  @Test("A run beyond its time limit is a failure")
  func timeLimit() {
    let outcome = Shell.Outcome(status: 137, output: "", kill: .timeLimit, seconds: 1)
    #expect(
      SuiteRun.failure(in: outcome, of: [suite("One", 1), suite("Two", 2)])
        == "the time limit of 2 suites from One on")
  }
}

@Suite("Running programs") struct ShellTests {
  @Test("Output, status, folder and environment of a program")
  func result() throws {
    let outcome = try Shell.run(
      ["sh", "-c", "pwd; echo \"$MUTATE_TEST\" >&2; exit 3"], in: "/",
      environment: ["MUTATE_TEST": "value"])
    #expect(outcome.output == "/\nvalue\n")
    #expect(outcome.status == 3)
    #expect(outcome.kill == nil)
  }

  @Test("A program beyond its time limit is killed with its children")
  func timeLimit() throws {
    let outcome = try Shell.run(
      ["sh", "-c", "sleep 60 & echo $!; wait"], in: "/", limit: 0.5)
    #expect(outcome.kill == .timeLimit)
    #expect(outcome.status == 128 + SIGKILL)
    #expect(outcome.seconds < 30)
    let child = try #require(pid_t(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    try #require(hasEnded(child))
  }

  @Test("A program is killed when it prints the text to wait for")
  func text() throws {
    let outcome = try Shell.run(
      ["sh", "-c", "printf 'it fail'; sleep 0.2; printf 'ed'; sleep 60"], in: "/",
      until: "failed")
    #expect(outcome.kill == .text)
    #expect(outcome.output == "it failed")
    #expect(outcome.seconds < 30)
  }

  /// Waits until a process has ended, for 10 seconds at most; nothing may have waited for it yet.
  private func hasEnded(_ process: pid_t) -> Bool {
    for _ in 0..<500 {
      let isZombie =
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?
        .contains(") Z ") == true
      if isZombie || kill(process, 0) != 0 { return true }
      usleep(20_000)
    }
    return false
  }

  @Test("Elements are handled once each, and none is begun after an error")
  func inParallelOnce() throws {
    let seen = Counter()
    try inParallel(Array(1...50), jobs: 2) { seen.add($0) }
    #expect(seen.values.sorted() == Array(1...50))
    let begun = Counter()
    #expect(throws: MutationFailure.self) {
      try inParallel(Array(1...50), jobs: 1) { number in
        begun.add(number)
        if number == 3 { throw MutationFailure("three") }
      }
    }
    #expect(begun.values == [1, 2, 3])
  }
}

private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var numbers: [Int] = []

  var values: [Int] { lock.withLock { numbers } }

  func add(_ number: Int) { lock.withLock { numbers.append(number) } }
}
