/// Finds the name that was probably meant.
package enum SpellingSuggestion {
  /// The candidate that is nearest to `name`, if one is near enough to be a slip.
  package static func closest(to name: String, among candidates: [String]) -> String? {
    // Names come from users' text, and the work grows with the square of their length.
    let target = Array(name.lowercased().unicodeScalars.prefix(64))
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let scalars = Array(candidate.lowercased().unicodeScalars.prefix(64))
      let limit = min(max(1, min(target.count, scalars.count) / 3), target.count - 1)
      // As many scalars as the lengths differ by must be put in or left out.
      guard abs(target.count - scalars.count) <= limit else { continue }
      let distance = distance(target, scalars)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// How many scalars must be changed, put in, left out or swapped with their neighbour.
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
