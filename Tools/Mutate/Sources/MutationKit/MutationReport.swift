/// The results of a mutation run.
public struct MutationReport {
  /// A mutant and how it ended.
  public struct Row {
    /// The mutant.
    public let mutant: Mutant
    /// The suite that failed; `nil` if the mutant survived.
    public let killer: String?
    /// Whether any test runs the mutant's code.
    public let isReached: Bool
  }

  /// The results, in the order of the mutants' numbers.
  public private(set) var rows: [Row] = []

  /// The mutants that no test noticed.
  public var survivors: [Row] { rows.filter { $0.killer == nil } }

  /// The killed mutants in percent of all that compiled.
  public var score: Double {
    rows.isEmpty ? 100 : 100 * Double(rows.count - survivors.count) / Double(rows.count)
  }

  /// Tries every mutant of a build.
  ///
  /// - Parameters:
  ///   - build: The build with the mutants.
  ///   - suites: The suites that may notice them.
  ///   - report: Receives one line per mutant.
  /// - Throws: An error of running the suites.
  public init(of build: MutatedBuild, suites: TestSuites, report: (String) -> Void) throws {
    for (number, mutant) in build.mutants.sorted(by: { $0.key < $1.key }) {
      let (killer, isReached) = try suites.killer(of: number)
      rows.append(Row(mutant: mutant, killer: killer, isReached: isReached))
      let verdict = killer.map { "killed by \($0)" } ?? (isReached ? "SURVIVES" : "NOT REACHED")
      report(
        "\(number) \(mutant.kind) \(mutant.file):\(mutant.line) \(mutant.declaration): "
          + "\(mutant.summary): \(verdict)")
    }
  }
}
