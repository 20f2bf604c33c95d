import ObjectVaultConformanceFormat

/// A filter that selects the cases to run.
package struct CaseFilter: Sendable {
  private let patterns: [String]

  /// Creates a filter that selects the cases that match any of the patterns.
  ///
  /// Without a pattern, it selects every case. Letter case is ignored.
  ///
  /// - Parameter patterns: The patterns. Each is a part of a case's ID, a pattern of the whole ID
  ///   with `*` for any characters, or a row of the acceptance list such as `S45`.
  package init(_ patterns: [String] = []) {
    self.patterns = patterns.map { $0.lowercased() }
  }

  /// Returns whether the filter selects the case with this ID that covers these rows.
  package func chooses(_ id: String, covers rows: [String]) -> Bool {
    let id = id.lowercased()
    return patterns.isEmpty
      || patterns.contains { pattern in
        let row = pattern.uppercased()
        if FixtureCase.isRow(row) { return rows.contains(row) }
        return pattern.contains("*")
          ? Self.fits(Array(id.utf8), Array(pattern.utf8)) : id.contains(pattern)
      }
  }

  private static func fits(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    let star = UInt8(ascii: "*")
    var (t, p) = (0, 0)
    // The position to continue from if the text does not match the part after the last star.
    var retry: (text: Int, pattern: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == star {
        retry = (t, p + 1)
        p += 1
      } else if p < pattern.count, pattern[p] == text[t] {
        (t, p) = (t + 1, p + 1)
      } else if let last = retry {
        retry = (last.text + 1, last.pattern)
        (t, p) = (last.text + 1, last.pattern)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == star }
  }
}
