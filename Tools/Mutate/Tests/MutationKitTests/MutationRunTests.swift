import Foundation
import Testing

@testable import MutationKit

@Suite("Results of a run") struct MutationRunTests {
  private let mutants = MutantFinder.mutants(
    in: "let x = a < b && c < d || !e && f == 1", file: "File.swift")

  private func row(_ mutant: Mutant, _ verdict: MutationReport.Verdict) -> MutationReport.Row {
    MutationReport.Row(
      mutant: mutant, verdict: verdict, killer: verdict == .killed ? "A test" : nil, seconds: 2)
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "/results-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test("The score counts the mutants that compile")
  func score() {
    var report = MutationReport(seed: 1)
    #expect(report.score == 100)
    for (mutant, verdict) in zip(
      mutants, [MutationReport.Verdict.killed, .survived, .rejected, .notReached, .killed])
    {
      report.add(row(mutant, verdict))
    }
    #expect(report.tried == 4)
    #expect(report.killed == 2)
    #expect(report.score == 50)
    #expect(report.survivors.map(\.mutant) == [mutants[1], mutants[3]])
    #expect(report.rejected == [mutants[2]])
  }

  @Test("A run goes on with the mutants that have no result in the file")
  func resume() throws {
    try withFile { path in
      let run = MutationRun(MutationReport(seed: 7), output: path)
      try run.reject([mutants[1]])
      var report = try MutationReport(file: path)
      report.add(row(mutants[0], .killed))
      try report.write(to: path)

      let chosen = Dictionary(uniqueKeysWithValues: zip(1..., mutants))
      let resumed = try MutationRun(MutationReport(file: path), output: path)
      #expect(resumed.report.seed == 7)
      #expect(resumed.report.rows.map(\.killer) == [nil, "A test"])
      #expect(resumed.open(chosen).keys.sorted() == Array(3...mutants.count))
    }
  }

  @Test("Results of mutants that are not chosen any more do not count")
  func limited() {
    var report = MutationReport(seed: 7)
    report.add(row(mutants[0], .killed))
    report.add(row(mutants[1], .survived))
    let limited = report.limited(to: [mutants[0], mutants[2]])
    #expect(limited.rows.map(\.mutant) == [mutants[0]])
    #expect(limited.score == 100)
  }

  @Test("A file of another form is rejected")
  func otherFile() throws {
    try withFile { path in
      try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: MutationFailure.self) { try MutationReport(file: path) }
    }
  }
}
