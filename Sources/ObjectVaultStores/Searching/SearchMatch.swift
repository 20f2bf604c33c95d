public import ObjectVaultModel

/// An object that matches a search, with its relevance and a snippet of its text.
///
/// ```swift
/// for match in try notes.search("plan*").matches() { print(match.score, match.snippet) }
/// ```
public struct SearchMatch<T: VaultObject> {
  /// The object.
  public let object: T
  /// The relevance; greater is better.
  ///
  /// Compare scores only within the results of one search.
  public let score: Double
  /// A part of the text with the matched terms, in the requested ``SnippetForm``.
  ///
  /// Empty if no snippet was requested.
  public let snippet: String
}

extension SearchMatch: Sendable where T: Sendable {}

/// The format of a snippet.
///
/// ```swift
/// let form = SnippetForm(start: "<b>", end: "</b>", words: 8)
/// ```
public struct SnippetForm: Sendable, Hashable {
  /// The text before each matched word or phrase.
  public var start: String
  /// The text after each matched word or phrase.
  public var end: String
  /// The text at each end of the snippet that omits some of the text.
  public var ellipsis: String
  /// The approximate number of words: 1 to 64.
  public var words: Int

  /// Creates a snippet format.
  ///
  /// - Parameters:
  ///   - start: The text before each matched word or phrase.
  ///   - end: The text after each matched word or phrase.
  ///   - ellipsis: The text at each end of the snippet that omits some of the text.
  ///   - words: The approximate number of words: 1 to 64.
  public init(start: String = "[", end: String = "]", ellipsis: String = "…", words: Int = 16) {
    self.start = start
    self.end = end
    self.ellipsis = ellipsis
    self.words = words
  }
}
