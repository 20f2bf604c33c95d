/// The searched properties of a class, and the module and tokenizer of its full-text index.
///
/// ```swift
/// let search = SearchDescription(["title", "text"], module: .fts5, tokenizer: .trigram)
/// ```
public struct SearchDescription: Sendable, Hashable {
  /// A full-text module of the engine.
  public enum Module: String, Sendable, Hashable, CaseIterable {
    /// FTS4, which every engine has.
    case fts4
    /// FTS5, which most builds from SQLCipher 4 on have. SQLCipher 3.4 of Debian 12 lacks it.
    case fts5
  }

  /// The division of texts into the units that a search finds.
  public enum Tokenizer: String, Sendable, Hashable, CaseIterable {
    /// Whole words: a search finds a word, or its beginning with a star.
    case words
    /// Three characters from every position: a search finds any part of a word, also in languages
    /// without spaces between words.
    ///
    /// The index is several times larger than one of words.
    case trigram
  }

  /// The names of the properties, which are texts.
  public var properties: [String]
  /// The module of the index.
  public var module: Module
  /// The tokenizer of the index.
  public var tokenizer: Tokenizer

  /// Creates a description of a full-text index over one or more properties, named as in Swift.
  public init(
    _ properties: [String], module: Module = .fts4, tokenizer: Tokenizer = .words
  ) {
    self.properties = properties
    self.module = module
    self.tokenizer = tokenizer
  }
}
