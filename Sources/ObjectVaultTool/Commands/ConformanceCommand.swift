internal import ArgumentParser
import Foundation
import ObjectVaultConformance
import ObjectVaultTerminal

struct ConformanceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Run the conformance fixtures against this library or another program.",
    discussion: """
      Fixtures describe as data what a vault must do; see Fixtures/README.md. An invalid fixture \
      is reported with its file and line, and then nothing is run.

      A --filter is a part of a case's path and name, a pattern of the whole with *, or a row of \
      Fixtures/acceptance.yaml, such as S45. A case is run if any filter matches.

      Formats: table, for people; json, one object {format, testee, engine, filtered, seconds, \
      totals {cases, passed, failed, notSupported, otherEngine}, cases [{file, name, covers, \
      verdict, seconds, and discrepancies [{file, line, subject, expected, actual}] or reason}]}; \
      junit, the XML that continuous integration servers read; tap, the Test Anything Protocol 14. \
      --coverage adds what covers each row of the list to table and json.

      Exit status: 0 all supported cases passed; 1 a case failed, or with --coverage a row that is \
      not declared open or not applicable is not covered; 64 the command line is wrong, or a \
      filter matches no case; 65 a fixture is invalid; 66 there are no fixtures; 129, 130 or 143 a \
      signal stopped the run, without a report.
      """)

  @Argument(
    help: ArgumentHelp("The folder of fixtures.", valueName: "dir"), completion: .directory)
  var folder = "Fixtures"

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run only the cases that match. Can be repeated.", valueName: "text"))
  var filter: [String] = []

  @Option(help: "The form of the report.")
  var format = ReportFormat.table

  @Flag(help: "Show what covers each row of acceptance.yaml.")
  var coverage = false

  @Option(
    help: ArgumentHelp(
      "Test the program that this shell command starts, instead of the library.",
      valueName: "command"))
  var testee: String?

  @Option(
    help: ArgumentHelp(
      """
      The program that stores the objects of each case before its first step: another such \
      command, or 'library'.
      """,
      valueName: "command"))
  var givenBy: String?

  @Option(help: "The cipher format of vaults of cases that name none.")
  var cipherFormat = CreateCommand.Format.native

  @Option(help: ArgumentHelp("The number of cases that run at the same time.", valueName: "number"))
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  func validate() throws {
    guard jobs > 0 else { throw ValidationError("--jobs must be 1 or more.") }
    guard !coverage || format == .table || format == .json else {
      throw ValidationError("--coverage requires --format table or json.")
    }
    guard !filter.contains("") else { throw ValidationError("A --filter needs some text.") }
    guard testee?.isEmpty != true, givenBy?.isEmpty != true else {
      throw ValidationError("--testee and --given-by need a command.")
    }
  }

  func run() throws {
    let source = FixtureSource(folder)
    let fixtures = try source.fixtures()
    let list = coverage ? try source.acceptanceList(for: fixtures) : nil
    let run = ConformanceRun(fixtures, settings(source.url), filter: CaseFilter(filter))
    guard run.count > 0 else {
      throw ToolError(.usage, "No case matches the filter. Omit --filter to see all names.")
    }
    StopSignals.watch()
    let progress = CaseProgress()
    let outcome = run.run { progress.show($0) }
    progress.finish()
    try StopSignals.check("Stopped before all cases were run.")
    let summary = RunSummary(outcome, isFiltered: !filter.isEmpty)
    let covered = list.map { Coverage(of: $0, in: summary) }
    let hasFinding = summary.totals.failed > 0 || covered?.hasGaps == true
    try CheckFinding.report(hasFinding ? .problem : nil) {
      try StandardOutput.shared.write(report(summary, covered))
    }
  }

  private func report(_ summary: RunSummary, _ coverage: Coverage?) -> String {
    if format == .json { return summary.json(coverage: coverage?.json()) }
    let text = summary.report(as: format, lineWidth: StandardOutput.terminalWidth)
    // The totals come last, at the end of the output.
    return coverage.map { $0.text() + "\n" + text } ?? text
  }

  private func settings(_ folder: URL) -> RunSettings {
    var settings = RunSettings(
      folder: folder, testees: testee.map(Self.program) ?? Self.library,
      givenBy: givenBy.map { ($0 == "library" ? Self.library : Self.program($0)).shared },
      cipherFormat: cipherFormat.rawValue, workers: jobs)
    settings.isStopped = { StopSignals.wasReceived }
    return settings
  }

  /// The factory for this library.
  ///
  /// A case that kills its testee gets this program as a separate process.
  private static var library: TesteeFactory {
    TesteeFactory(
      shared: { LibraryTestee() },
      separate: { try start(.program([thisProgram, "testee"])) })
  }

  private static func program(_ command: String) -> TesteeFactory {
    TesteeFactory { try start(.shell(command)) }
  }

  private static func start(_ command: ProcessTestee.Command) throws -> ProcessTestee {
    try ProcessTestee.start(command, isStopped: { StopSignals.wasReceived })
  }

  private static var thisProgram: String {
    #if os(Linux)
      // This path also works if the program file was replaced.
      "/proc/self/exe"
    #else
      Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
  }
}

extension ReportFormat: ExpressibleByArgument {}

extension RunSummary {
  fileprivate init(_ outcome: ConformanceRun.Outcome, isFiltered: Bool) {
    self.init(
      testee: outcome.testee?.name ?? "an unnamed testee",
      engine: outcome.testee?.engine ?? "an unnamed engine", results: outcome.results,
      seconds: outcome.seconds, isFiltered: isFiltered)
  }
}

/// The number of finished cases, shown on a terminal.
private final class CaseProgress: Sendable {
  private let isShown = StandardError.isTerminal

  func show(_ progress: ConformanceRun.Progress) {
    guard isShown else { return }
    StandardError.write("\r\(progress.done) of \(progress.total) cases\u{1B}[K")
  }

  func finish() {
    if isShown { StandardError.write("\r\u{1B}[K") }
  }
}
