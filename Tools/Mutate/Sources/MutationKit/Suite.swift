/// A group of tests that can be run by itself.
struct Suite: Sendable {
  /// A test suite of the package, or the fixtures in one folder.
  enum Kind: Sendable {
    case tests
    case fixtures
  }

  /// The kind.
  let kind: Kind
  /// The name: as `swift test list` prints it, such as `ObjectVaultCoreTests.InsertTests`, or the
  /// path of a folder, such as `Fixtures/batch`.
  let name: String
  /// The seconds that it takes with no mutant active.
  var seconds = 0.0
  /// The numbers of the mutants that it reaches.
  var reached: Set<Int> = []

  /// Parts of the names of suites that inject faults or run at random for a long time.
  static let slow = ["FaultTests", "StressTests"]

  /// Whether the suite runs only if that is requested, or for safety mutants.
  var isSlow: Bool { Self.slow.contains { name.contains($0) } }

  /// Returns the suites in batches of one kind, the fastest first.
  ///
  /// Each batch runs in one process. The first batches are short, because most mutants are noticed
  /// by any suite that reaches them; the later ones are long, because a survivor runs them all.
  ///
  /// - Parameter suites: The suites, with their times.
  /// - Returns: The batches, in the order to run them.
  static func batches(_ suites: [Suite]) -> [[Suite]] {
    var batches: [[Suite]] = []
    var level: [Suite] = []
    var limit = 2.0
    func close() {
      batches += [Kind.fixtures, .tests].map { kind in level.filter { $0.kind == kind } }
      level = []
      limit *= 4
    }
    for suite in suites.sorted(by: { $0.seconds < $1.seconds }) {
      level.append(suite)
      if level.reduce(0, { $0 + $1.seconds }) >= limit { close() }
    }
    close()
    return batches.filter { !$0.isEmpty }
  }
}
