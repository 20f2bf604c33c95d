import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultStores

// The formula is Okapi BM25 (Robertson and Zaragoza 2009), with the constants and the form in the
// FTS5 documentation of `bm25`. FTS4 counts the rows with a phrase by column. If several columns
// are searched, the greatest count is used as the number of rows with the phrase in any column.

extension SearchScore {
  private static let (k, b) = (1.2, 0.75)

  /// Registers the functions on a connection.
  ///
  /// The arguments of `ov_bm25` are the result of `matchinfo` and the position of the only searched
  /// column, or -1.
  static func install(on connection: Connection) throws(DriverError) {
    try connection.register(function: functionName, arguments: 2, deterministic: true) {
      arguments, result in
      let column = Int(truncatingIfNeeded: arguments.integer(at: 1))
      let score = arguments.withBytes(at: 0) { Self.score(Counts($0), column: column) }
      result.set(score)
    }
    try connection.register(function: checkName, arguments: -1, deterministic: true) {
      arguments, result in
      let term = FoldedText(arguments.count > 0 ? arguments.text(at: 0) ?? "" : "")
      result.set(
        (0..<arguments.count).dropFirst().contains { position in
          arguments.text(at: position).map { !FoldedText($0).ranges(of: term).isEmpty } ?? false
        })
    }
  }

  /// The counts of `matchinfo`: 32-bit integers in native byte order.
  struct Counts {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count / 4 }

    /// Returns the count at a position; 0 beyond the end.
    subscript(_ index: Int) -> Double {
      guard index >= 0, index < count else { return 0 }
      return Double(bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
  }

  static func score(_ counts: Counts, column: Int) -> Double {
    let (phrases, columns) = (Int(counts[0]), Int(counts[1]))
    // Any other input has a score of 0. SQL can call the function with any arguments, so the first
    // two numbers are compared with the count before they are multiplied.
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
      // A term that most rows contain still has a small weight.
      let others = max(rows - rowsWithIt, 0)
      let weight = max(log((others + 0.5) / (rowsWithIt + 0.5)), 1e-6)
      let relative = average > 0 ? length / average : 1
      score += weight * hits * (k + 1) / (hits + k * (1 - b + b * relative))
    }
    return score
  }
}
