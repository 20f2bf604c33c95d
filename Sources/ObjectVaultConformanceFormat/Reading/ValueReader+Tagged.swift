import Foundation

extension ValueReader {
  /// Returns a plain or a tagged value.
  func value(
    _ node: FixtureNode, index: Int64?, budget: inout ExpansionBudget
  ) throws(FixtureError) -> FixtureValue {
    switch node.content {
    case .scalar(let text, isPlain: false): return .text(text)
    case .scalar(let text, isPlain: true): return try plain(text, node)
    case .sequence:
      throw error("write a list as one value as {list: […]}", node)
    case .mapping(let entries):
      if let first = entries.first, Self.shorthands.contains(first.key) || entries.count == 2 {
        if let value = try shorthand(node, entries, index: index, budget: &budget) { return value }
      }
      guard entries.count == 1, let entry = entries.first else {
        throw error(
          "a tagged value must have one field: one of \(Self.tags.joined(separator: ", "))", node)
      }
      return try tagged(entry, index: index, budget: &budget)
    }
  }

  private static let tags = [
    "nil", "int", "double", "text", "data", "date", "decimal", "uuid", "url", "json", "list",
  ]

  private func plain(_ text: String, _ node: FixtureNode) throws(FixtureError) -> FixtureValue {
    switch PlainScalar(text) {
    case .text: return .text(text)
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .bigInteger:
      throw error("write a whole number beyond 2^53 as {int: \"\(text)\"}", node)
    case .ambiguous:
      if DoubleText.parse(text) != nil, text.contains(where: { ".eE".contains($0) }) {
        throw error(
          "readers interpret \(text) differently: write {double: \"\(text)\"}, or \"\(text)\" "
            + "for text",
          node)
      }
      let none = ["null", "~"].contains(text.lowercased()) ? "{nil: true} for no value, " : ""
      throw error(
        "readers interpret \(text) differently: write \(none)\"\(text)\" for text", node)
    }
  }

  private func tagged(
    _ entry: FixtureNode.Entry, index: Int64?, budget: inout ExpansionBudget
  ) throws(FixtureError) -> FixtureValue {
    let node = entry.value
    switch entry.key {
    case "nil":
      guard case .scalar("true", isPlain: true) = node.content else {
        throw error("write no value as {nil: true}", node)
      }
      return .null
    case "list": return try list(node, of: .value, index: index, budget: &budget)
    case "text": return .text(try quoted(node, tag: "text"))
    case "int":
      let text = try quoted(node, tag: "int")
      guard text.wholeMatch(of: #/-?(?:0|[1-9][0-9]*)/#) != nil, text != "-0",
        let value = Int64(text)
      else { throw error("'\(text)' is not a whole number of 64 bits", node) }
      return .integer(value)
    case "double": return .double(try double(node, tag: "double"))
    case "date": return .date(try double(node, tag: "date"))
    case "data":
      let text = try quoted(node, tag: "data")
      guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
        throw error("'\(text)' is not base64 with padding", node)
      }
      return .data([UInt8](data))
    case "decimal": return .decimal(try quoted(node, tag: "decimal"))
    case "uuid": return .uuid(try quoted(node, tag: "uuid"))
    case "url": return .url(try quoted(node, tag: "url"))
    case "json": return .json(try quoted(node, tag: "json"))
    default:
      throw error(
        "'\(entry.key)' is not a value tag\(Self.suggestion(for: entry.key, among: Self.tags))",
        entry.line)
    }
  }

  private func double(_ node: FixtureNode, tag: String) throws(FixtureError) -> Double {
    let text = try quoted(node, tag: tag)
    guard let value = DoubleText.parse(text) else {
      throw error(
        "'\(text)' is not a double: write C's hexadecimal form (0x1.8p1, which must be exact), "
          + "decimal digits, inf, -inf or nan", node)
    }
    return value
  }

  /// Returns the text of a tag, which every YAML parser must read as text.
  private func quoted(_ node: FixtureNode, tag: String) throws(FixtureError) -> String {
    guard case .scalar(let text, let isPlain) = node.content else {
      throw error("expected text after '\(tag)', found \(node.kind)", node)
    }
    guard !isPlain || PlainScalar(text) == .text else {
      throw error("the value of '\(tag)' must be text: write {\(tag): \"\(text)\"}", node)
    }
    return text
  }
}
