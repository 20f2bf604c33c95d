package import ObjectVaultModel

extension FixtureNode {
  /// Creates the tree of a line of the protocol.
  ///
  /// All of its nodes are on line 1.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - name: The name of the line in errors, in place of a file's path.
  /// - Throws: ``FixtureError`` if the text is not JSON.
  package init(json text: some Sequence<UInt8>, name: String) throws(FixtureError) {
    do throws(JSONError) {
      self.init(try JSONParser.parse(Array(text)))
    } catch {
      throw FixtureError(
        "not JSON at column \(error.column): \(error.message)",
        at: SourcePlace(path: name, line: error.line))
    }
  }

  /// Creates the tree of a JSON value.
  package init(_ json: JSONValue) {
    let content: Content =
      switch json {
      case .null: .scalar("null", isPlain: true)
      case .bool(let value): .scalar(value ? "true" : "false", isPlain: true)
      case .number(let digits): .scalar(digits, isPlain: true)
      case .string(let text): .scalar(text, isPlain: false)
      case .array(let elements): .sequence(elements.map(FixtureNode.init))
      case .object(let members):
        .mapping(
          members.map { Entry(key: $0.key, line: 1, value: FixtureNode($0.value)) })
      }
    self.init(content, line: 1)
  }
}
