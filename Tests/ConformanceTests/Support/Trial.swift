import Foundation
import ObjectVaultConformance
import ObjectVaultConformanceFormat
import TestSupport
import Testing

/// A fixture of one case, written in a test, that is run to see how the runner judges it.
struct Trial {
  let text: String

  /// - Parameters:
  ///   - steps: Lines of the list of steps, not indented.
  ///   - after: What `after` is, on one line.
  ///   - given: Further fields of the case, each a line.
  init(_ steps: String, after: String? = nil, given: String = "vault: none") {
    var lines = [
      "format: 1", "description: A trial.", "classes:",
      "  Note: {properties: {text: String, stars: \"Int?\"}}", "cases:", "  - name: a trial",
      "    covers: [S1]",
    ]
    lines += given.split(separator: "\n").map { "    \($0)" }
    lines.append("    steps:")
    lines += steps.split(separator: "\n").map { "      \($0)" }
    if let after { lines.append("    after: \(after)") }
    text = lines.joined(separator: "\n") + "\n"
  }

  /// The line, counted from 1, in which a text stands first.
  func line(of part: String) -> Int? {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .firstIndex { $0.contains(part) }.map { $0 + 1 }
  }

  /// Runs the case.
  func run(
    _ script: ScriptedTestee.Script = .init(), givenBy giver: ScriptedTestee.Script? = nil,
    cipherFormat: String? = nil
  ) throws -> CaseResult {
    let fixture = try fixture()
    var settings = RunSettings(
      folder: FixtureFolder.url, testees: script.factory, cipherFormat: cipherFormat)
    if let giver { settings.givenBy = { giver.testee("giver ") } }
    return CaseRunner(settings).run(try #require(fixture.cases.first), of: fixture)
  }

  func fixture() throws -> Fixture {
    try readTrial(text, path: "trials/trial.yaml")
  }
}

/// Reads a fixture written in a test, which must have no errors.
func readTrial(_ text: String, path: String) throws -> Fixture {
  let (fixture, errors) = FixtureReader.read(text, path: path)
  #expect(errors.isEmpty)
  return try #require(fixture)
}

extension CaseResult {
  /// What differs, where the case failed.
  var discrepancies: [Discrepancy] {
    if case .failed(let discrepancies) = verdict { discrepancies } else { [] }
  }

  var hasPassed: Bool { if case .passed = verdict { true } else { false } }
}

/// Expects that the case failed in one thing.
func expectFailure(
  _ result: CaseResult, at line: Int?, _ subject: String, expected: String, actual: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let found = result.discrepancies
  guard found.count == 1, let only = found.first else {
    Issue.record(
      "one discrepancy was expected, not: \(result.verdict)", sourceLocation: sourceLocation)
    return
  }
  #expect(only.place.path == "trials/trial.yaml", sourceLocation: sourceLocation)
  #expect(only.place.line == line, sourceLocation: sourceLocation)
  #expect(only.subject == subject, sourceLocation: sourceLocation)
  #expect(only.expected == expected, sourceLocation: sourceLocation)
  // What the engine and the system say differs between their versions.
  #expect(
    only.actual == actual || (actual.hasSuffix("…") && only.actual.hasPrefix(actual.dropLast())),
    "actual is \(only.actual)", sourceLocation: sourceLocation)
}
