import ObjectVaultCondition

/// What comparisons and orders of text overlook; texts that differ only in that are equal to them.
public struct TextComparison: OptionSet, Sendable, Hashable {
  /// The options as a number.
  public let rawValue: UInt8

  /// Options of a number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The case of letters, by Unicode simple case folding: `[c]` in text.
  public static let caseInsensitive = TextComparison(rawValue: TextOptions.caseBlind.rawValue)

  /// Marks such as accents: `[d]` in text.
  public static let diacriticInsensitive = TextComparison(
    rawValue: TextOptions.diacriticBlind.rawValue)

  var options: TextOptions { TextOptions(rawValue: rawValue) }
}
