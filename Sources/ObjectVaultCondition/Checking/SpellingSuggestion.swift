/// Finds the name that was probably intended.
package enum SpellingSuggestion {
  /// Returns the candidate nearest to `name`, or `nil` if none is near enough to be a typing error.
  package static func closest(to name: String, among candidates: [String]) -> String? {
    // Names come from user text, and the time grows with the square of their length.
    let target = Array(name.lowercased().unicodeScalars.prefix(64))
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let scalars = Array(candidate.lowercased().unicodeScalars.prefix(64))
      let limit = min(max(1, min(target.count, scalars.count) / 3), target.count - 1)
      // At least as many scalars as the lengths differ must be inserted or removed.
      guard abs(target.count - scalars.count) <= limit else { continue }
      let distance = distance(target, scalars)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// Returns the number of scalars to change, insert, remove or swap with their neighbor.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for row in 0..<a.count {
      var current = [row + 1]
      for column in 0..<b.count {
        let cost = a[row] == b[column] ? 0 : 1
        var least = min(
          previous[column + 1] + 1, current[column] + 1, previous[column] + cost)
        if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
          least = min(least, beforePrevious[column - 1] + 1)
        }
        current.append(least)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[b.count]
  }
}
