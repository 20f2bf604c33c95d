/// Which properties of a class are searched for words, and by what.
public struct SearchDescription: Sendable, Hashable {
  /// What keeps the index of words: a module of the engine.
  public enum Module: String, Sendable, Hashable, CaseIterable {
    /// Every engine has it.
    case fts4
    /// Engines from SQLCipher 4 on mostly have it; SQLCipher 3.4 as Debian 12 has it does not.
    case fts5
  }

  /// The names of the properties, which are texts.
  public var properties: [String]
  /// What keeps the index.
  public var module: Module

  /// Describes an index of the words in one or more properties, named as in Swift.
  public init(_ properties: [String], module: Module = .fts4) {
    self.properties = properties
    self.module = module
  }
}
