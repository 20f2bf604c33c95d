import Yams

extension FixtureNode {
  /// Creates the tree of a file.
  ///
  /// Rejects everything that only some YAML parsers support or that is an indirection: anchors,
  /// aliases, tags, merge keys, several documents, duplicate keys, and characters that end a line
  /// in YAML 1.1 but not in 1.2.
  package init(yaml text: String, path: String) throws(FixtureError) {
    let source = YAMLSource(text, path: path)
    try source.checkCharacters()
    // The nodes lose their anchors when the parser is deallocated.
    let parser: Parser
    let root: Node?
    do {
      parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      root = try parser.singleRoot()
    } catch {
      throw source.error(for: error)
    }
    guard let root else {
      throw FixtureError("the file is empty", at: SourcePlace(path: path, line: 1))
    }
    self = try withExtendedLifetime(parser) { () throws(FixtureError) in
      try FixtureNode(root, from: source, depth: 0)
    }
  }

  private init(_ node: Node, from source: YAMLSource, depth: Int) throws(FixtureError) {
    let line = node.mark?.line ?? 1
    guard depth <= Self.depthLimit else {
      throw source.error("lists and mappings are nested more than \(Self.depthLimit) deep", line)
    }
    switch node {
    case .alias:
      throw source.error("aliases (*NAME) are not allowed: write out the value", line)
    case .scalar(let scalar):
      let isPlain = scalar.style == .plain || scalar.style == .any
      guard !(isPlain && scalar.string.isEmpty) else {
        throw source.error(
          "an empty value is null in YAML: write {nil: true}, or \"\" for empty text", line)
      }
      try source.checkStart(of: node)
      self.init(.scalar(scalar.string, isPlain: isPlain), line: line)
    case .sequence(let sequence):
      try source.checkStart(of: node)
      var elements: [FixtureNode] = []
      for element in sequence {
        elements.append(try FixtureNode(element, from: source, depth: depth + 1))
      }
      self.init(.sequence(elements), line: line)
    case .mapping(let mapping):
      try source.checkStart(of: node)
      var entries: [Entry] = []
      for (key, value) in mapping {
        let name = try source.key(key)
        let keyLine = key.mark?.line ?? line
        entries.append(
          Entry(
            key: name, line: keyLine,
            value: try FixtureNode(value, from: source, depth: depth + 1)))
      }
      self.init(.mapping(entries), line: line)
    }
  }
}
