import Foundation

/// The results of a mutation run, complete or not.
public struct MutationReport: Sendable, Codable {
  /// The end of a mutant.
  public enum Verdict: String, Sendable, Codable {
    /// A test failed.
    case killed
    /// Tests ran the mutant's code, and all passed.
    case survived
    /// No test runs the mutant's code.
    case notReached
    /// The compiler rejected the mutant.
    case rejected
  }

  /// A mutant and how it ended.
  public struct Row: Sendable, Codable {
    /// The mutant.
    public let mutant: Mutant
    /// The end of the mutant.
    public let verdict: Verdict
    /// The test that failed; `nil` unless the mutant was killed.
    public let killer: String?
    /// The seconds that it took.
    public let seconds: Double

    /// The line to print about the mutant.
    public var text: String {
      let end =
        switch verdict {
        case .killed: "killed by \(killer ?? "")"
        case .survived: "SURVIVES"
        case .notReached: "NOT REACHED"
        case .rejected: "does not compile"
        }
      return "\(mutant.kind) \(mutant.file):\(mutant.line) \(mutant.declaration): "
        + "\(mutant.summary): \(end)"
    }
  }

  /// The start of the random choice.
  public let seed: UInt64
  /// The number of mutants that compile and were tried.
  public private(set) var tried = 0
  /// The number of killed mutants.
  public private(set) var killed = 0
  /// The killed mutants in percent of those that were tried.
  public private(set) var score = 100.0
  /// The results, in the order in which they came.
  public private(set) var rows: [Row] = []

  /// The mutants that compile and that no test noticed.
  public var survivors: [Row] {
    rows.filter { $0.verdict == .survived || $0.verdict == .notReached }
  }

  /// The mutants that the compiler rejected.
  public var rejected: [Mutant] { rows.filter { $0.verdict == .rejected }.map(\.mutant) }

  /// Creates an empty report.
  public init(seed: UInt64) { self.seed = seed }

  /// Reads a report from a file.
  ///
  /// - Parameter path: The path.
  /// - Throws: `MutationFailure` if the file is no report.
  public init(file path: String) throws {
    guard let data = FileManager.default.contents(atPath: path),
      let report = try? JSONDecoder().decode(Self.self, from: data)
    else { throw MutationFailure("'\(path)' is no result file of this tool") }
    self = report
  }

  /// Writes the report to a file, which is replaced as a whole.
  ///
  /// - Parameter path: The path.
  /// - Throws: An error if the file cannot be written.
  public func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(self) + Data("\n".utf8)).write(
      to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Returns the report with the rows of these mutants only.
  public func limited(to mutants: [Mutant]) -> MutationReport {
    var result = MutationReport(seed: seed)
    for row in rows where mutants.contains(row.mutant) { result.add(row) }
    return result
  }

  /// Adds a result.
  public mutating func add(_ row: Row) {
    rows.append(row)
    tried = rows.count { $0.verdict != .rejected }
    killed = rows.count { $0.verdict == .killed }
    score = tried == 0 ? 100 : 100 * Double(killed) / Double(tried)
  }
}
