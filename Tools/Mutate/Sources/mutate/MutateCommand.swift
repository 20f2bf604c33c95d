internal import ArgumentParser
import Foundation
import MutationKit

/// The command `mutate`.
@main
struct MutateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate",
    abstract: "Measure how many mutants the tests kill.",
    discussion: """
      A mutant is a small fault in a copy of the sources. All mutants are built at once; then one \
      at a time is activated, and the tests that reach it are run, the fastest first. The working \
      tree is not changed; the copy and its build are stored in .build-mutate, which git ignores.

      Mutants change a comparison, && and ||, + and -, or a number (by 1), invert a condition or a \
      Boolean, remove a call or a deferred block, or always use the value after ??. The same seed \
      selects the same mutants.

      Exit status: 0 if the score reaches --minimum and every safety mutant is killed; 1 otherwise.
      """)

  @Argument(help: "The source files or folders to mutate. Default: the library.")
  var paths: [String] = []

  @Option(help: "Mutate only lines that differ from this commit.")
  var changedSince: String?

  @Option(help: "The number of mutants.")
  var count = 40

  @Option(help: "The seed of the random selection.")
  var seed: UInt64 = 1

  @Option(help: "The lowest mutation score, in percent, that passes.")
  var minimum = 0.0

  @Option(help: "Skip the suites whose names contain this text. Can be repeated.")
  var skip: [String] = []

  @Flag(help: "Also use the mutants of Tests/SafetyMutants.yaml.")
  var safety = false

  @Flag(help: "List the mutants without building them.")
  var list = false

  @Option(help: ArgumentHelp("The package to mutate.", visibility: .hidden))
  var package = FileManager.default.currentDirectoryPath

  private static let library = [
    "Sources/ObjectVaultCondition", "Sources/ObjectVaultEngine", "Sources/ObjectVaultKeys",
    "Sources/ObjectVaultNames", "Sources/ObjectVaultCore", "Sources/ObjectVaultRecords",
  ]

  func validate() throws {
    guard count >= 0 else { throw ValidationError("--count must be 0 or more, not \(count).") }
    guard (0...100).contains(minimum) else {
      throw ValidationError("--minimum must be from 0 to 100, not \(minimum).")
    }
  }

  func run() throws {
    let workshop = Workshop(repository: package)
    var chosen = try MutantSelection.choose(from: candidates(workshop), count: count, seed: seed)
    if safety { chosen = try withSafety(chosen, workshop) }
    guard !chosen.isEmpty else {
      throw MutationFailure("There is nothing to mutate. Use other paths or options.")
    }
    if list {
      for mutant in chosen { print("\(mutant.file):\(mutant.line) \(mutant.summary)") }
      return
    }
    let build = try MutatedBuild(chosen, in: workshop, report: say)
    let suites = try TestSuites(of: build, in: workshop, skipping: skip, report: say)
    let report = try MutationReport(of: build, suites: suites) { print($0) }
    printSummary(report, rejected: build.rejected.count)
    let isSafe = !report.survivors.contains { $0.mutant.kind == .safety }
    let isSafeBuilt = !build.rejected.contains { $0.kind == .safety }
    if report.score < minimum || !isSafe || !isSafeBuilt { throw ExitCode(1) }
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
        throw MutationFailure(
          "'\(path)' is not a source file or folder of the package. Check the path.")
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

  private func printSummary(_ report: MutationReport, rejected: Int) {
    if !report.survivors.isEmpty { print("\nSurvivors:") }
    for row in report.survivors {
      let mutant = row.mutant
      print(
        "  \(mutant.file):\(mutant.line) \(mutant.declaration)\n    \(mutant.summary)"
          + (row.isReached ? "" : "\n    no test runs this code"))
    }
    let killed = report.rows.count - report.survivors.count
    print(
      "\n\(killed) of \(report.rows.count) mutants were killed: "
        + "\(String(format: "%.1f", report.score)) % (seed \(seed)); \(rejected) did not compile")
  }

  private func say(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
