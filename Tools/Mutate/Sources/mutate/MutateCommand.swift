internal import ArgumentParser
import Foundation
import MutationKit

/// The command `mutate`.
@main
struct MutateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate",
    abstract: "Measure how many small faults the tests notice.",
    discussion: """
      Makes small faults in a copy of the sources, builds all of them at once, switches them on \
      one at a time and runs the tests and fixtures that reach the faulty code, the fastest first, \
      until one fails. The working tree is never touched; the copy and its build stay in \
      .build-mutate, which git ignores.

      Faults are: another comparison, && for ||, an inverted condition, + for -, a number one \
      larger, true for false, a call left out, a deferred block left out, the value after ?? used \
      always. The same seed makes the same choice.

      Suites that inject faults or run at random for a long time are left out, except for the \
      faults of Tests/SafetyMutants.yaml; --slow runs them for all faults.

      Exit status: 0 if the score reaches --minimum and every safety fault is noticed, else 1.
      """)

  @Argument(help: "Source files or folders to break. Default: the library.")
  var paths: [String] = []

  @Option(help: "Break only lines that differ from this commit.")
  var changedSince: String?

  @Option(help: "The number of faults.")
  var count = 40

  @Option(help: "The start of the random choice.")
  var seed: UInt64 = 1

  @Option(help: "The lowest score in percent that passes.")
  var minimum = 0.0

  @Option(help: "Run only suites whose names contain this text. May be repeated.")
  var only: [String] = []

  @Option(help: "Leave out suites whose names contain this text. May be repeated.")
  var skip: [String] = []

  @Flag(help: "Run the slow suites for all faults.")
  var slow = false

  @Option(help: "The number of processes that run tests at a time. Default: one per core.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: "Write the results to this file, as JSON, after each fault.")
  var output: String?

  @Option(help: "Go on with the interrupted run that wrote this file, with the same arguments.")
  var resume: String?

  @Flag(help: "Also make the faults of Tests/SafetyMutants.yaml.")
  var safety = false

  @Flag(help: "Print the faults that would be made, and stop.")
  var list = false

  @Option(help: ArgumentHelp("The package to break.", visibility: .hidden))
  var package = FileManager.default.currentDirectoryPath

  @Option(help: ArgumentHelp("The options of 'swift build' for the copy.", visibility: .hidden))
  var buildOptions = ""

  private static let library = [
    "Sources/ObjectVaultCondition", "Sources/ObjectVaultDriver", "Sources/ObjectVaultEngine",
    "Sources/ObjectVaultKeys", "Sources/ObjectVaultNames", "Sources/ObjectVaultPlatform",
    "Sources/ObjectVaultSession", "Sources/ObjectVaultModel", "Sources/ObjectVaultSchema",
    "Sources/ObjectVaultStores",
    "Sources/ObjectVaultSQL", "Sources/ObjectVaultFile", "Sources/ObjectVaultMaintenance",
    "Sources/ObjectVaultRecords",
  ]

  func validate() throws {
    guard count >= 0 else { throw ValidationError("--count takes a number from 0.") }
    guard (0...100).contains(minimum) else {
      throw ValidationError("--minimum takes a percentage from 0 to 100.")
    }
    guard jobs > 0 else { throw ValidationError("--jobs takes a number from 1.") }
  }

  func run() throws {
    let workshop = Workshop(
      repository: package, buildOptions: buildOptions.split(separator: " ").map(String.init))
    var chosen =
      count == 0
      ? [] : MutantSelection.choose(from: try candidates(workshop), count: count, seed: seed)
    if safety { chosen = try withSafety(chosen, workshop) }
    guard !chosen.isEmpty else { throw MutationFailure("there is nothing to break here") }
    if list {
      for mutant in chosen { print("\(mutant.file):\(mutant.line) \(mutant.summary)") }
      return
    }
    let run = MutationRun(try earlierReport(chosen), output: output ?? resume)
    try tryOut(chosen, run, workshop)
    let report = run.report
    printSummary(report)
    let isSafe = !(report.survivors.map(\.mutant) + report.rejected).contains { $0.kind == .safety }
    if report.score < minimum || !isSafe { throw ExitCode(1) }
  }

  /// Returns the results of the run to go on with; none for a new run.
  private func earlierReport(_ chosen: [Mutant]) throws -> MutationReport {
    guard let resume else { return MutationReport(seed: seed) }
    let report = try MutationReport(file: resume)
    guard report.seed == seed else {
      throw MutationFailure("'\(resume)' has the results of --seed \(report.seed)")
    }
    return report.limited(to: chosen)
  }

  private func tryOut(_ chosen: [Mutant], _ run: MutationRun, _ workshop: Workshop) throws {
    let open = run.open(Dictionary(uniqueKeysWithValues: zip(1..., chosen)))
    if resume != nil { say("\(chosen.count - open.count) faults have a result already") }
    guard !open.isEmpty else { return }
    let clock = ContinuousClock()
    func timed<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
      let start = clock.now
      defer { say("\(name): \(start.duration(to: clock.now).components.seconds) s") }
      return try body()
    }
    let build = try timed("build") {
      try MutatedBuild(chosen, rejected: run.report.rejected, in: workshop, report: Self.say)
    }
    try run.reject(build.rejected)
    let filter = SuiteFilter(only: only, skip: skip, includesSlow: slow)
    let suites = try timed("suites with no mutant active") {
      try TestSuites(of: build, in: workshop, filter: filter, jobs: jobs, report: Self.say)
    }
    try timed("faults") {
      try run.run(build, suites: suites, jobs: jobs) { print($0) }
    }
  }

  private func candidates(_ workshop: Workshop) throws -> [Mutant] {
    let changed = try changedSince.map { try ChangedLines.since($0, in: package) }
    var found: [Mutant] = []
    for file in try files() {
      if let changed, changed[file] == nil { continue }
      let mutants = MutantFinder.mutants(in: try workshop.source(file), file: file)
      found += mutants.filter { mutant in
        changed?[file]?.contains { $0.contains(mutant.line) } ?? true
      }
    }
    return found
  }

  private func files() throws -> [String] {
    let manager = FileManager.default
    return try (paths.isEmpty ? Self.library : paths).flatMap { path -> [String] in
      if path.hasSuffix(".swift") { return [path] }
      guard let inside = manager.enumerator(atPath: "\(package)/\(path)") else {
        throw MutationFailure("'\(path)' is neither a source file nor a folder of the package")
      }
      return inside.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
        .map { "\(path)/\($0)" }
    }
  }

  /// Returns the safety mutants and those random ones that do not overlap them.
  private func withSafety(_ random: [Mutant], _ workshop: Workshop) throws -> [Mutant] {
    let entries = try SafetyMutants(yaml: workshop.source("Tests/SafetyMutants.yaml")).entries
    let safety = try entries.map {
      try SafetyMutants.mutant($0, in: try workshop.source($0.file))
    }
    return safety
      + random.filter { mutant in
        !safety.contains { $0.file == mutant.file && $0.range.overlaps(mutant.range) }
      }
  }

  private func printSummary(_ report: MutationReport) {
    if !report.survivors.isEmpty { print("\nSurvivors:") }
    for row in report.survivors {
      let mutant = row.mutant
      print(
        "  \(mutant.file):\(mutant.line) \(mutant.declaration)\n    \(mutant.summary)"
          + (row.verdict == .notReached ? "\n    no test runs this code" : ""))
    }
    print(
      "\n\(report.killed) of \(report.tried) faults were noticed: "
        + "\(String(format: "%.1f", report.score)) % (seed \(seed)); "
        + "\(report.rejected.count) did not compile")
  }

  private func say(_ line: String) { Self.say(line) }

  @Sendable private static func say(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
