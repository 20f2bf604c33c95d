/// The positions of the placeholders of a text, which are either all numbered or all in order.
struct PlaceholderNumbers {
  private var count = 0
  /// The offsets of the numbered placeholders by number, if the text has any.
  private var numbered: [Int: Int] = [:]

  /// Returns the position of the next placeholder without a number, or `nil` if others have one.
  mutating func next() -> Int? {
    guard numbered.isEmpty else { return nil }
    count += 1
    return count - 1
  }

  /// Returns the position of a placeholder with a number, or `nil` if others have none.
  mutating func use(_ number: Int, at offset: Int) -> Int? {
    guard count == 0 else { return nil }
    if numbered[number] == nil { numbered[number] = offset }
    return number
  }

  /// The error message about the first number that no placeholder has, and its position.
  var gap: (message: String, offset: Int)? {
    // As many numbers as the greatest and one more have no gap.
    guard let (last, offset) = numbered.max(by: { $0.key < $1.key }), last >= numbered.count,
      let missing = (0..<last).first(where: { numbered[$0] == nil })
    else { return nil }
    return (
      "The condition uses $\(last) but not $\(missing). Number the arguments from $0 without gaps.",
      offset
    )
  }
}
