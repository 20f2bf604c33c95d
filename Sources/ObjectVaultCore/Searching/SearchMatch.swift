/// An object that a search found, how well it fits, and a part of its text.
public struct SearchMatch<T: VaultObject> {
  /// The object.
  public let object: T
  /// How well it fits: more is better. The numbers of one search can be compared with one another
  /// only.
  public let score: Double
  /// A part of the text with the words that were found, as the ``SnippetForm`` says; empty where
  /// none was asked for.
  public let snippet: String
}

extension SearchMatch: Sendable where T: Sendable {}

/// How a part of a text is shown with the words that a search found.
public struct SnippetForm: Sendable, Hashable {
  /// What stands before each word or phrase that was found.
  public var start: String
  /// What stands after it.
  public var end: String
  /// What stands where the text goes on.
  public var ellipsis: String
  /// How many words are shown, about: 1 to 64.
  public var words: Int

  /// Describes a form.
  ///
  /// - Parameters:
  ///   - start: What stands before each word that was found.
  ///   - end: What stands after it.
  ///   - ellipsis: What stands where the text goes on.
  ///   - words: How many words are shown, about: 1 to 64.
  public init(start: String = "[", end: String = "]", ellipsis: String = "…", words: Int = 16) {
    self.start = start
    self.end = end
    self.ellipsis = ellipsis
    self.words = words
  }
}
