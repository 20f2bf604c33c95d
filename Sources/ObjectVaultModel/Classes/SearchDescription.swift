/// The searched properties of a class and the module of its full-text index.
///
/// ```swift
/// let search = SearchDescription(["title", "text"], module: .fts5)
/// ```
public struct SearchDescription: Sendable, Hashable {
  /// A full-text module of the engine.
  public enum Module: String, Sendable, Hashable, CaseIterable {
    /// FTS4, which every engine has.
    case fts4
    /// FTS5, which most builds from SQLCipher 4 on have. SQLCipher 3.4 of Debian 12 lacks it.
    case fts5
  }

  /// The names of the properties, which are texts.
  public var properties: [String]
  /// The module of the index.
  public var module: Module

  /// Creates a description of a full-text index over one or more properties, named as in Swift.
  public init(_ properties: [String], module: Module = .fts4) {
    self.properties = properties
    self.module = module
  }
}
