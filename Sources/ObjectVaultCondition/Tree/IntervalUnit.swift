/// A unit of time with a constant length.
package enum IntervalUnit: String, Sendable, Hashable, CaseIterable {
  case seconds, minutes, hours, days, weeks

  /// Creates the unit that a word spells in any case, with or without its last `s`.
  init?(word: String) {
    guard word.utf8.count <= 8, word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let word = word.lowercased()
    self.init(rawValue: word.hasSuffix("s") ? word : word + "s")
  }

  /// The length of the unit in seconds.
  package var seconds: Double {
    switch self {
    case .seconds: 1
    case .minutes: 60
    case .hours: 3600
    case .days: 86_400
    case .weeks: 604_800
    }
  }
}
