import ObjectVaultDriver

/// A node of the tree that fixtures (YAML) and the protocol (JSON) are read from.
package struct FixtureNode: Sendable {
  package enum Content: Sendable {
    /// A scalar.
    ///
    /// In YAML it is plain if it is neither quoted nor a block; in JSON, if it is not a string.
    case scalar(String, isPlain: Bool)
    case sequence([FixtureNode])
    case mapping([Entry])
  }

  /// A key and its value.
  ///
  /// The keys of a mapping are unique.
  package struct Entry: Sendable {
    package var key: String
    package var line: Int
    package var value: FixtureNode
  }

  package var content: Content
  /// The line in which the node begins, counted from 1.
  package var line: Int

  package init(_ content: Content, line: Int) {
    self.content = content
    self.line = line
  }

  /// The maximum nesting depth of sequences and mappings.
  package static let depthLimit = 100

  /// The keys and values of a mapping; `nil` for other nodes.
  package var entries: [Entry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// The elements of a sequence; `nil` for other nodes.
  package var elements: [FixtureNode]? {
    if case .sequence(let elements) = content { elements } else { nil }
  }

  /// Returns the value of a mapping's key.
  package subscript(key: String) -> FixtureNode? { entry(key)?.value }

  /// Returns the entry of a mapping's key.
  package func entry(_ key: String) -> Entry? {
    entries?.first { $0.key.hasSameBytes(as: key) }
  }

  /// The name of the node's kind in error messages.
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
      case .ambiguous: "a value that YAML readers interpret differently"
      }
    }
  }
}
