import Foundation

/// One build that holds many mutants, each switched on by its number.
public struct MutatedBuild: Sendable {
  /// The mutants that compile, by number from 1.
  public private(set) var mutants: [Int: Mutant]
  /// The mutants that the compiler rejected in this build: faults that no test needs to find.
  public private(set) var rejected: [Mutant] = []

  private let workshop: Workshop

  /// Writes the mutants into the copy and builds it, leaving out those that do not compile.
  ///
  /// - Parameters:
  ///   - chosen: The mutants; their ranges must not overlap.
  ///   - known: Mutants that the compiler rejected before. They are left out.
  ///   - workshop: The folder to build in.
  ///   - report: Receives one line per step.
  /// - Throws: `MutationFailure` if the sources do not build without mutants either.
  public init(
    _ chosen: [Mutant], rejected known: [Mutant] = [], in workshop: Workshop,
    report: (String) -> Void
  ) throws {
    self.workshop = workshop
    mutants = Dictionary(uniqueKeysWithValues: zip(1..., chosen)).filter {
      !known.contains($0.value)
    }
    while true {
      report("building \(mutants.count) mutants")
      let located = try write()
      let output = try workshop.build()
      if output.isEmpty { return }
      let culprits = Self.culprits(in: output, located: located)
      guard !culprits.isEmpty, !mutants.isEmpty else {
        let errors = output.split(separator: "\n").filter { $0.contains("error:") }.prefix(20)
        throw MutationFailure(
          "the mutated copy does not build, and no mutant is the cause:\n"
            + errors.joined(separator: "\n"))
      }
      for number in culprits.sorted() {
        if let mutant = mutants.removeValue(forKey: number) { rejected.append(mutant) }
      }
      report("the compiler rejects \(culprits.count) of them")
    }
  }

  /// The lines of the copy that hold each mutant, by file.
  private typealias Located = [String: [(number: Int, lines: ClosedRange<Int>)]]

  private func write() throws -> Located {
    var texts: [String: String] = [:]
    var located: Located = [:]
    for (file, numbered) in Dictionary(grouping: mutants, by: { $0.value.file }) {
      let source = try workshop.source(file)
      texts[file] = MutatedSource.text(
        of: source, with: Dictionary(uniqueKeysWithValues: numbered.map { ($0.key, $0.value) }))
      located[file] = Self.lines(of: numbered.map { ($0.key, $0.value) }, in: source)
      let target = file.split(separator: "/").prefix(2).joined(separator: "/")
      texts["\(target)/\(MutatedSource.switchFileName)"] = MutatedSource.switchText
    }
    try workshop.renew(replacing: texts)
    return located
  }

  /// Each mutant's lines once all of them are written: each shifts those behind it by the lines that
  /// its text has more.
  private static func lines(
    of numbered: [(Int, Mutant)], in source: String
  ) -> [(number: Int, lines: ClosedRange<Int>)] {
    var shift = 0
    func breaks(_ text: String) -> Int { text.utf8.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }
    return numbered.sorted { $0.1.range.lowerBound < $1.1.range.lowerBound }.map { number, mutant in
      let count = breaks(mutant.guarded(number: number))
      let first = mutant.line + shift
      shift += count - breaks(mutant.original)
      return (number, first...(first + count))
    }
  }

  /// Returns the mutants that hold, or are nearest to, a place where the compiler reports an error.
  private static func culprits(in output: String, located: Located) -> Set<Int> {
    var found: Set<Int> = []
    for line in output.split(separator: "\n") where line.contains(": error:") {
      let parts = line.split(separator: ":", maxSplits: 2)
      guard parts.count == 3, let number = Int(parts[1]),
        let file = located.keys.first(where: { parts[0].hasSuffix("/" + $0) }),
        let mutants = located[file]
      else { continue }
      // An error may be reported at the start of the statement that a mutant is inside of.
      func distance(_ lines: ClosedRange<Int>) -> Int {
        if lines.contains(number) { return 0 }
        return min(abs(lines.lowerBound - number), abs(lines.upperBound - number))
      }
      let nearest = mutants.map { distance($0.lines) }.min() ?? 0
      found.formUnion(mutants.filter { distance($0.lines) == nearest }.map(\.number))
    }
    return found
  }
}
