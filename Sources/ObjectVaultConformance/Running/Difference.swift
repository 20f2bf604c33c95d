import ObjectVaultConformanceFormat

/// The first difference between two values, in the words of a report.
struct Difference {
  /// The location in the value, such as `[2].name`; empty for the whole value.
  var path = ""
  var expected: String
  var actual: String

  /// Creates the difference, or returns `nil` if the values are equal.
  init?(expected: FixtureValue, actual: FixtureValue?) {
    guard expected != actual else { return nil }
    guard let actual else {
      self.init(expected: Self.shortened(expected.notation), actual: "nothing")
      return
    }
    self = Self.between(expected, actual)
  }

  private init(path: String = "", expected: String, actual: String) {
    self.path = path
    self.expected = expected
    self.actual = actual
  }

  /// Returns the whole values if they fit on a line or two, which shows a wrong order best.
  ///
  /// Returns only the first differing part of longer ones.
  private static func between(_ expected: FixtureValue, _ actual: FixtureValue) -> Difference {
    let whole = shown(expected, actual)
    let isShort = whole.expected.utf8.count <= limit && whole.actual.utf8.count <= limit
    if !isShort, let part = firstPart(expected, actual) { return part }
    return Difference(expected: shortened(whole.expected), actual: shortened(whole.actual))
  }

  private static func firstPart(_ expected: FixtureValue, _ actual: FixtureValue) -> Difference? {
    switch (expected, actual) {
    case (.list(let a), .list(let b)):
      for (index, pair) in zip(a, b).enumerated() where pair.0 != pair.1 {
        return between(pair.0, pair.1).at("[\(index)]")
      }
      return Difference(expected: "\(a.count) elements", actual: "\(b.count) elements")
    case (.object(let a), .object(let b)):
      for member in a {
        guard let other = actual[member.name] else {
          return Difference(
            path: ".\(member.name)", expected: shortened(member.value.notation),
            actual: "no such property")
        }
        if member.value != other { return between(member.value, other).at(".\(member.name)") }
      }
      guard let other = b.first(where: { expected[$0.name] == nil }) else { return nil }
      return Difference(
        path: ".\(other.name)", expected: "no such property",
        actual: shortened(other.value.notation))
    default:
      return nil
    }
  }

  private func at(_ place: String) -> Difference {
    Difference(path: place + path, expected: expected, actual: actual)
  }

  private static func shown(
    _ expected: FixtureValue, _ actual: FixtureValue
  ) -> (expected: String, actual: String) {
    let (a, b) = (expected.notation, actual.notation)
    // Swift treats canonically equivalent strings as equal, and they look the same.
    guard a == b else { return (a, b) }
    return (expected.notation(escaping: true), actual.notation(escaping: true))
  }

  private static let limit = 240

  /// Returns the text with the middle of a long one left out, since most differences are near the
  /// ends.
  static func shortened(_ text: String) -> String {
    guard text.utf8.count > 2 * limit else { return text }
    let count = text.unicodeScalars.count
    guard count > 2 * limit else { return text }
    let (start, end) = (text.unicodeScalars.prefix(limit), text.unicodeScalars.suffix(limit / 2))
    return "\(String(start))… (\(count) characters) …\(String(end))"
  }
}

extension FixtureValue {
  /// The value in fixture notation, with the middle of a long one left out.
  var shortNotation: String { Difference.shortened(notation) }
}
