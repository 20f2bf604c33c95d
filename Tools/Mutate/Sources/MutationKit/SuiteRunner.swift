import Foundation

/// Runs suites of the mutated build.
struct SuiteRunner: Sendable {
  private let workshop: Workshop
  private let programs: String

  private var tests: String { programs + "/ObjectVaultPackageTests.xctest" }
  private var tool: String { programs + "/objectvault" }

  /// Creates a runner for the workshop's build.
  init(_ workshop: Workshop) throws {
    self.workshop = workshop
    programs = try workshop.programFolder()
  }

  /// Returns all suites: those of the tests, and the folders of fixtures.
  func suites() throws -> [Suite] {
    let listed = try Shell.run(
      [tests, "--testing-library", "swift-testing", "--list-tests"], in: workshop.copy)
    guard listed.status == 0 else { throw MutationFailure(listed.output) }
    var names: [String] = []
    for line in listed.output.split(separator: "\n") {
      guard let slash = line.firstIndex(of: "/") else { continue }
      let name = String(line[..<slash])
      if !names.contains(name) { names.append(name) }
    }
    return names.map { Suite(kind: .tests, name: $0) }
      + fixtureFolders().map { Suite(kind: .fixtures, name: $0) }
  }

  private func fixtureFolders() -> [String] {
    let manager = FileManager.default
    let folders = (try? manager.contentsOfDirectory(atPath: workshop.copy + "/Fixtures")) ?? []
    return folders.sorted().map { "Fixtures/\($0)" }.filter { folder in
      let files = (try? manager.contentsOfDirectory(atPath: "\(workshop.copy)/\(folder)")) ?? []
      return files.contains { $0.hasSuffix(".yaml") }
    }
  }

  /// Runs suites of one kind in one process, until the first failure.
  ///
  /// - Parameters:
  ///   - suites: The suites.
  ///   - mutant: The number of the active mutant; 0 for none.
  ///   - hits: The number of mutants to report as reached or not; 0 to report none.
  ///   - limit: The seconds after which the run is killed.
  /// - Returns: The outcome of the run.
  /// - Throws: An error if the program cannot be started.
  func run(_ suites: [Suite], mutant: Int, hits: Int = 0, limit: Double) throws -> SuiteRun {
    // A killed run leaves its files behind.
    let folder = Shell.temporaryPath()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: folder) }
    var environment = ["TMPDIR": folder, "OBJECTVAULT_MUTANT": "\(mutant)"]
    let hitsFile = folder + ".hits"
    if hits > 0 {
      try Data(count: hits).write(to: URL(fileURLWithPath: hitsFile))
      environment["OBJECTVAULT_MUTANT_HITS"] = hitsFile
    }
    defer { try? manager.removeItem(atPath: hitsFile) }
    let outcome = try Shell.run(
      arguments(suites), in: workshop.copy, environment: environment, limit: limit,
      until: SuiteRun.failureText)
    let bytes = hits > 0 ? try Data(contentsOf: URL(fileURLWithPath: hitsFile)) : Data()
    return SuiteRun(
      failure: SuiteRun.failure(in: outcome, of: suites), output: outcome.output,
      seconds: outcome.seconds, reached: Set(bytes.indices.filter { bytes[$0] == 1 }))
  }

  private func arguments(_ suites: [Suite]) -> [String] {
    guard suites.first?.kind == .tests else {
      let filters = suites.flatMap { ["--filter", $0.name.dropFirst("Fixtures/".count) + "/"] }
      return [tool, "conformance", "Fixtures", "--format", "tap", "--jobs", "1"] + filters
    }
    let filters = suites.flatMap { suite in
      ["--filter", "^" + suite.name.replacingOccurrences(of: ".", with: "\\.") + "[./]"]
    }
    return [tests, "--testing-library", "swift-testing"] + filters
  }
}

/// The result of a run of suites.
struct SuiteRun {
  /// The text that the tests print when one of them fails.
  static let failureText = " recorded an issue"

  /// The test that failed, or the way in which the run ended; `nil` if all tests passed.
  let failure: String?
  let output: String
  let seconds: Double
  /// The numbers of the mutants that were reached.
  let reached: Set<Int>

  /// Returns the test that failed, or the way in which the run ended; `nil` if all tests passed.
  static func failure(in outcome: Shell.Outcome, of suites: [Suite]) -> String? {
    if outcome.status == 0, outcome.kill == nil { return nil }
    let place =
      suites.count == 1 ? suites[0].name : "\(suites.count) suites from \(suites[0].name) on"
    if outcome.kill == .timeLimit { return "the time limit of \(place)" }
    for line in outcome.output.split(separator: "\n") {
      if let end = line.range(of: failureText), let start = line.range(of: "Test ") {
        if start.upperBound <= end.lowerBound {
          return String(line[start.upperBound..<end.lowerBound])
        }
      }
      if line.hasPrefix("not ok "), !line.contains("# SKIP"), let dash = line.range(of: " - ") {
        return String(line[dash.upperBound...])
      }
    }
    return "exit status \(outcome.status) of \(place)"
  }
}
