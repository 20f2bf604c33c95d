/// The rules for the names of tables and columns.
enum NameRules {
  /// Prefixes that are reserved for SQLite and ObjectVault.
  static let reservedPrefixes = ["sqlite_", "objectvault_", "ov_"]

  /// Returns the reason why a table or column cannot have the name, or `nil` if it can.
  static func problem(with name: String) -> String? {
    if name.isEmpty { return "a name needs at least one character" }
    if name.contains("\0") { return "a name cannot contain the character NUL" }
    let folded = folded(name)
    return reservedPrefixes.first { folded.hasPrefix($0) }
      .map { "names that begin with '\($0)' are reserved" }
  }

  /// Returns the name as SQLite compares it, with ASCII letters (only) in lower case.
  static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// Returns the candidate that is most similar to a misspelled name, or `nil` if none is similar.
  static func nearest(to name: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { ($0, distance(name, $0)) }.min { $0.1 < $1.1 }
    guard let (best, distance) = ranked, distance * 2 < max(name.count, best.count)
    else { return nil }
    return best
  }

  /// Returns the Levenshtein distance of two names: the number of letters to change, add or drop.
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(folded(a)), Array(folded(b)))
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let substituted = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
