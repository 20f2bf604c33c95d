import Foundation

/// The test suites of the mutated build and the mutants that each of them reaches.
///
/// Every suite runs once with no mutant active. That shows that it passes, how long it takes, and
/// which mutants' code it runs: only such suites can notice a mutant, and the fastest goes first.
public struct TestSuites {
  /// A test suite, or the tests of a target that are in none.
  struct Suite {
    /// The name as `swift test list` prints it, such as `ObjectVaultCoreTests.InsertTests`.
    var name: String
    /// The seconds that it took with no mutant active.
    var seconds: Double
    /// The numbers of the mutants that it reaches.
    var reached: Set<Int>
  }

  /// The suites, the fastest first.
  private(set) var suites: [Suite] = []
  let program: String
  private let workshop: Workshop
  private let hits: String

  /// Runs every suite once.
  ///
  /// - Parameters:
  ///   - build: The build with the mutants.
  ///   - workshop: The folder that it is in.
  ///   - skipped: Parts of names of suites to leave out.
  ///   - report: Receives one line per step.
  /// - Throws: `MutationFailure` if a suite fails with no mutant active.
  public init(
    of build: MutatedBuild, in workshop: Workshop, skipping skipped: [String],
    report: (String) -> Void
  ) throws {
    self.workshop = workshop
    program = try workshop.testProgram()
    hits = workshop.folder + "/hits"
    let names = try Self.names(program: program, in: workshop)
      .filter { name in !skipped.contains { name.contains($0) } }
    report("running \(names.count) suites without a mutant")
    let size = (build.mutants.keys.max() ?? 0) + 1
    for name in names {
      try Data(count: size).write(to: URL(fileURLWithPath: hits))
      let outcome = try run(name, environment: ["OBJECTVAULT_MUTANT_HITS": hits], limit: 900)
      guard outcome.status == 0 else {
        throw MutationFailure(
          "Suite \(name) fails without a mutant. Correct it, or use --skip:\n"
            + "\(outcome.output.suffix(2_000))")
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: hits))
      suites.append(
        Suite(
          name: name, seconds: outcome.seconds,
          reached: Set(bytes.indices.filter { bytes[$0] == 1 })))
    }
    suites.sort { $0.seconds < $1.seconds }
  }

  /// Returns the first suite that fails with a mutant active; `nil` if all pass that reach it.
  func killer(of number: Int) throws -> (suite: String?, isReached: Bool) {
    let reaching = suites.filter { $0.reached.contains(number) }
    for suite in reaching {
      let outcome = try run(
        suite.name, environment: ["OBJECTVAULT_MUTANT": String(number)],
        limit: 30 + suite.seconds * 10)
      if outcome.status != 0 { return (suite.name, true) }
    }
    return (nil, !reaching.isEmpty)
  }

  private func run(
    _ suite: String, environment: [String: String], limit: Double
  ) throws -> Shell.Outcome {
    let pattern = "^" + suite.replacingOccurrences(of: ".", with: "\\.") + "[./]"
    return try Shell.run(
      [program, "--testing-library", "swift-testing", "--filter", pattern], in: workshop.copy,
      environment: environment, limit: limit)
  }

  private static func names(program: String, in workshop: Workshop) throws -> [String] {
    let listed = try Shell.run(
      [program, "--testing-library", "swift-testing", "--list-tests"], in: workshop.copy)
    guard listed.status == 0 else { throw MutationFailure(listed.output) }
    var names: [String] = []
    for line in listed.output.split(separator: "\n") {
      guard let slash = line.firstIndex(of: "/") else { continue }
      let name = String(line[..<slash])
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}
