import Foundation
import ObjectVaultEngine

/// How well a row fits a search, from what FTS4's `matchinfo` counts: Okapi BM25 (Robertson and
/// Zaragoza 2009), with the constants and the form that FTS5's documentation gives for its `bm25`.
///
/// FTS4 counts the rows with a phrase by column: where several columns are searched, the greatest of
/// these stands for the number of rows with it in any.
enum SearchScore {
  /// What is asked of `matchinfo`: phrases, columns, rows, average lengths, lengths, hits.
  static let format = "pcnalx"
  static let functionName = "ov_bm25"
  private static let (k, b) = (1.2, 0.75)

  /// Makes the function known to a connection: what `matchinfo` answers, and the number of the one
  /// column that is searched, or -1.
  static func install(on connection: Connection) throws(EngineError) {
    try connection.register(function: functionName, arguments: 2, deterministic: true) {
      arguments, result in
      let column = Int(truncatingIfNeeded: arguments.integer(at: 1))
      let score = arguments.withBytes(at: 0) { Self.score(Counts($0), column: column) }
      result.set(score)
    }
  }

  /// What `matchinfo` counts: 32-bit numbers in the machine's order of bytes.
  struct Counts {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count / 4 }

    /// 0 beyond the end.
    subscript(_ index: Int) -> Double {
      guard index >= 0, index < count else { return 0 }
      return Double(bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
  }

  static func score(_ counts: Counts, column: Int) -> Double {
    let (phrases, columns) = (Int(counts[0]), Int(counts[1]))
    // What is no answer of `matchinfo` fits nothing. Any text of SQL may call this with anything: the
    // first two numbers are held against the count before they are multiplied.
    guard phrases > 0, columns > 0, phrases < counts.count, columns < counts.count,
      counts.count == 3 + 2 * columns + 3 * columns * phrases
    else { return 0 }
    let rows = counts[2]
    let average = (0..<columns).reduce(0) { $0 + counts[3 + $1] }
    let length = (0..<columns).reduce(0) { $0 + counts[3 + columns + $1] }
    var score = 0.0
    for phrase in 0..<phrases {
      var (hits, rowsWithIt) = (0.0, 0.0)
      for place in 0..<columns where column < 0 || column == place {
        let start = 3 + 2 * columns + 3 * (place + phrase * columns)
        hits += counts[start]
        rowsWithIt = max(rowsWithIt, counts[start + 2])
      }
      // A word that most rows have still counts for a little.
      let others = max(rows - rowsWithIt, 0)
      let weight = max(log((others + 0.5) / (rowsWithIt + 0.5)), 1e-6)
      let relative = average > 0 ? length / average : 1
      score += weight * hits * (k + 1) / (hits + k * (1 - b + b * relative))
    }
    return score
  }
}
