/// The first thing in which two values differ, in the words of a report.
struct Difference {
  /// Where in the value, such as `[2].name`; empty for all of it.
  var path = ""
  var expected: String
  var actual: String

  /// - Returns: `nil` where the values are equal.
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

  /// Where both fit on a line or two they are shown whole, which shows an order best; of longer
  /// ones only the first part that differs.
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
    // Swift takes canonically equivalent texts for equal, as eyes do.
    guard a == b else { return (a, b) }
    return (expected.notation(escaping: true), actual.notation(escaping: true))
  }

  private static let limit = 240

  /// Long texts lose their middle: both ends are where they differ most often.
  static func shortened(_ text: String) -> String {
    guard text.utf8.count > 2 * limit else { return text }
    let count = text.unicodeScalars.count
    guard count > 2 * limit else { return text }
    let (start, end) = (text.unicodeScalars.prefix(limit), text.unicodeScalars.suffix(limit / 2))
    return "\(String(start))… (\(count) characters) …\(String(end))"
  }
}

extension FixtureValue {
  /// The value as it stands in a fixture, a long one without its middle.
  var shortNotation: String { Difference.shortened(notation) }
}
