/// The positions of a list, some of which are missing or in the wrong order.
package struct ListGaps {
  /// The distance of neighbours in a new list.
  static let step: Int64 = 1 << 32
  /// The least distance of neighbours after positions were made room for.
  static let leastRoom: Int64 = 1 << 16

  /// The positions, each greater than the one before after ``fill()``.
  package private(set) var positions: [Int64?]
  /// Whether an element has its final position.
  private var isSettled: [Bool]
  private var isChanged: [Bool]

  /// The indices of the elements with a new position.
  package var changed: [Int] { isChanged.indices.filter { isChanged[$0] } }

  /// Creates the positions of a list in the order that it shall have.
  package init(_ positions: [Int64?]) {
    self.positions = positions
    isSettled = Self.increasing(positions)
    isChanged = positions.map { _ in false }
  }

  /// Gives positions to all elements that do not continue the longest increasing sequence.
  ///
  /// If the neighbours leave no room, further elements around the gap move too: as few as
  /// leave room for the next insertions at the same place.
  package mutating func fill() {
    var start = 0
    while let first = isSettled[start...].firstIndex(of: false) {
      start = fill(from: first)
    }
  }

  /// Fills a gap.
  ///
  /// - Parameter first: The first element without a position.
  /// - Returns: The index behind the last element that got a position.
  private mutating func fill(from first: Int) -> Int {
    let last = isSettled[first...].firstIndex(of: true) ?? positions.count
    var gap = first..<last
    var widening = 1
    while true {
      let lower = gap.lowerBound > 0 ? positions[gap.lowerBound - 1] : nil
      let upper = gap.upperBound < positions.count ? positions[gap.upperBound] : nil
      let least = gap == first..<last ? 1 : Self.leastRoom
      if let room = Self.room(gap.count, lower, upper, least) {
        for (offset, index) in gap.enumerated() {
          positions[index] = room.first + room.distance * Int64(offset)
          (isSettled[index], isChanged[index]) = (true, true)
        }
        return gap.upperBound
      }
      var end = min(positions.count, gap.upperBound + widening)
      while end < positions.count, !isSettled[end] { end += 1 }
      gap = max(0, gap.lowerBound - widening)..<end
      widening *= 2
    }
  }

  /// Returns equally distant positions between two neighbours, or `nil` if they leave no room.
  ///
  /// - Parameters:
  ///   - count: The number of positions.
  ///   - lower: The position before, or `nil` at the start of the list.
  ///   - upper: The position behind, or `nil` at the end of the list.
  ///   - least: The least distance.
  /// - Returns: The first position and the distance of the others.
  private static func room(
    _ count: Int, _ lower: Int64?, _ upper: Int64?, _ least: Int64
  ) -> (first: Int64, distance: Int64)? {
    let length = step * Int64(count)
    switch (lower, upper) {
    case (nil, nil): return (0, step)
    case (let lower?, nil):
      let (end, overflows) = lower.addingReportingOverflow(length)
      return overflows ? nil : (end - length + step, step)
    case (nil, let upper?):
      let (start, overflows) = upper.subtractingReportingOverflow(length)
      return overflows ? nil : (start, step)
    case (let lower?, let upper?):
      let (span, overflows) = upper.subtractingReportingOverflow(lower)
      let distance = (overflows ? .max : span) / Int64(count + 1)
      return distance < least ? nil : (lower + distance, distance)
    }
  }

  /// Returns which elements belong to a longest sequence of increasing positions.
  private static func increasing(_ positions: [Int64?]) -> [Bool] {
    /// The index of the least last element of a sequence, by the length of the sequence less 1.
    var lasts: [Int] = []
    var previous: [Int?] = positions.map { _ in nil }
    for (index, position) in positions.enumerated() {
      guard let position else { continue }
      var (low, high) = (0, lasts.count)
      while low < high {
        let middle = (low + high) / 2
        if let other = positions[lasts[middle]], other < position {
          low = middle + 1
        } else {
          high = middle
        }
      }
      previous[index] = low > 0 ? lasts[low - 1] : nil
      if low < lasts.count { lasts[low] = index } else { lasts.append(index) }
    }
    var isIncreasing = positions.map { _ in false }
    var next = lasts.last
    while let index = next {
      isIncreasing[index] = true
      next = previous[index]
    }
    return isIncreasing
  }
}
