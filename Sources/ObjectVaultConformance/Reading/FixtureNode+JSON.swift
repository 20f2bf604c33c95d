package import ObjectVaultCore

extension FixtureNode {
  /// The tree of a line of the protocol; everything in it is on line 1.
  ///
  /// - Parameter name: What the line is called in errors, in place of a file's path.
  package init(json text: some Sequence<UInt8>, name: String) throws(FixtureError) {
    do throws(JSONError) {
      self.init(try JSONParser.parse(Array(text)))
    } catch {
      throw FixtureError(
        "not JSON at column \(error.column): \(error.message)",
        at: SourcePlace(path: name, line: error.line))
    }
  }

  /// The tree of a JSON value.
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
