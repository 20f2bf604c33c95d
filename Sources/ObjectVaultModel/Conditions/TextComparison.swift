import ObjectVaultCondition

/// The differences to ignore in comparisons and orders of text.
///
/// Texts with no other differences are equal.
///
/// ```swift
/// try students.sorted(by: .ascending("name", [.caseInsensitive, .diacriticInsensitive])).all()
/// ```
public struct TextComparison: OptionSet, Sendable, Hashable {
  /// The options as a bit mask.
  public let rawValue: UInt8

  /// Creates options from a bit mask.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Ignores the case of letters, by Unicode simple case folding: `[c]` in text.
  public static let caseInsensitive = TextComparison(rawValue: TextOptions.caseBlind.rawValue)

  /// Ignores diacritics such as accents: `[d]` in text.
  public static let diacriticInsensitive = TextComparison(
    rawValue: TextOptions.diacriticBlind.rawValue)

  var options: TextOptions { TextOptions(rawValue: rawValue) }
}
