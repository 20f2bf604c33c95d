/// What YAML and JSON have in common: the tree that one reader reads fixtures and the protocol from.
package struct FixtureNode: Sendable {
  package enum Content: Sendable {
    /// Text; plain is what is neither in quotes nor a block, in JSON everything but text.
    case scalar(String, isPlain: Bool)
    case sequence([FixtureNode])
    case mapping([Entry])
  }

  /// A key and its value; no two keys of a mapping are alike.
  package struct Entry: Sendable {
    package var key: String
    package var line: Int
    package var value: FixtureNode
  }

  package var content: Content
  /// The line that it begins in, counted from 1.
  package var line: Int

  package init(_ content: Content, line: Int) {
    self.content = content
    self.line = line
  }

  /// How deep sequences and mappings may lie in one another.
  package static let depthLimit = 100

  /// The keys and values of a mapping; `nil` for everything else.
  package var entries: [Entry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// The elements of a sequence; `nil` for everything else.
  package var elements: [FixtureNode]? {
    if case .sequence(let elements) = content { elements } else { nil }
  }

  /// The value of a mapping's key.
  package subscript(key: String) -> FixtureNode? { entry(key)?.value }

  /// A mapping's key with its value.
  package func entry(_ key: String) -> Entry? {
    entries?.first { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// What it is, in the words of an error.
  package var kind: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .scalar(_, isPlain: false): "text"
    case .scalar(let text, isPlain: true):
      switch PlainScalar(text) {
      case .text: "text"
      case .bool: "true or false"
      case .integer, .bigInteger: "a number"
      case .ambiguous: "something that readers of YAML understand differently"
      }
    }
  }
}
