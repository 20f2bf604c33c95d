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
      one at a time and runs the tests that reach the faulty code, the fastest first. The working \
      tree is never touched; the copy and its build stay in .build-mutate, which git ignores.

      Faults are: another comparison, && for ||, an inverted condition, + for -, a number one \
      larger, true for false, a call left out, a deferred block left out, the value after ?? used \
      always. The same seed makes the same choice.

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

  @Option(help: "Leave out suites whose names contain this text. May be repeated.")
  var skip: [String] = []

  @Flag(help: "Also make the faults of Tests/SafetyMutants.yaml.")
  var safety = false

  @Flag(help: "Print the faults that would be made, and stop.")
  var list = false

  @Option(help: ArgumentHelp("The package to break.", visibility: .hidden))
  var package = FileManager.default.currentDirectoryPath

  private static let library = [
    "Sources/ObjectVaultCondition", "Sources/ObjectVaultEngine", "Sources/ObjectVaultKeys",
    "Sources/ObjectVaultNames", "Sources/ObjectVaultCore", "Sources/ObjectVaultRecords",
  ]

  func validate() throws {
    guard count >= 0 else { throw ValidationError("--count takes a number from 0.") }
    guard (0...100).contains(minimum) else {
      throw ValidationError("--minimum takes a percentage from 0 to 100.")
    }
  }

  func run() throws {
    let workshop = Workshop(repository: package)
    var chosen = try MutantSelection.choose(from: candidates(workshop), count: count, seed: seed)
    if safety { chosen = try withSafety(chosen, workshop) }
    guard !chosen.isEmpty else { throw MutationFailure("there is nothing to break here") }
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
      "\n\(killed) of \(report.rows.count) faults were noticed: "
        + "\(String(format: "%.1f", report.score)) % (seed \(seed)); \(rejected) did not compile")
  }

  private func say(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
