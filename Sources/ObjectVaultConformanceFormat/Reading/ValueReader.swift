import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

/// A strict reader of values of a given form.
///
/// It rejects unknown input and reports its location.
package struct ValueReader: Sendable {
  /// The source of the values.
  package enum Source: Sendable {
    /// A file, which can use the shorthands `{repeat}`, `{times}` and `{index}`.
    case file
    /// A request or an answer.
    case exchange
  }

  /// The path of the file, or the name of the protocol line in errors.
  package var path: String
  package var source: Source

  package init(path: String, source: Source) {
    self.path = path
    self.source = source
  }

  /// Returns the value of a node.
  package func read(_ node: FixtureNode, as form: FixtureForm) throws(FixtureError) -> FixtureValue
  {
    var budget = ExpansionBudget()
    return try read(node, as: form, index: nil, budget: &budget)
  }

  /// Returns the fields of a mapping, each read in its form.
  ///
  /// Fields with the form ``FixtureForm/steps`` are left out.
  package func read(
    _ node: FixtureNode, fields: [FixtureForm.Field], of subject: String
  ) throws(FixtureError) -> FixtureValue {
    var budget = ExpansionBudget()
    return try record(node, fields, of: subject, index: nil, budget: &budget)
  }

  /// Returns the arguments of an operation without its nested steps.
  package func arguments(
    of operation: FixtureOperation, from node: FixtureNode
  ) throws(FixtureError) -> FixtureValue {
    try read(node, fields: operation.arguments, of: "'\(operation.rawValue)'")
  }

  package func error(_ message: String, _ node: FixtureNode) -> FixtureError {
    error(message, node.line)
  }

  func error(_ message: String, _ line: Int) -> FixtureError {
    FixtureError(message, at: SourcePlace(path: path, line: line))
  }

  /// Returns " did you mean 'x'?", or a list of all valid names.
  static func suggestion(for name: String, among candidates: [String]) -> String {
    if let close = SpellingSuggestion.closest(to: name, among: candidates) {
      return "; did you mean '\(close)'?"
    }
    if candidates.isEmpty { return "; no field is allowed" }
    return "; allowed are: \(candidates.joined(separator: ", "))"
  }
}

extension ValueReader {
  func read(
    _ node: FixtureNode, as form: FixtureForm, index: Int64?, budget: inout ExpansionBudget
  ) throws(FixtureError) -> FixtureValue {
    switch form {
    case .value: return try value(node, index: index, budget: &budget)
    case .text:
      return try expecting("text", node, try value(node, index: index, budget: &budget)) {
        if case .text = $0 { true } else { false }
      }
    case .bytes:
      return try expecting(
        "text or {data: BASE64}", node, try value(node, index: index, budget: &budget)
      ) {
        switch $0 {
        case .text, .data: true
        default: false
        }
      }
    case .bool:
      return try expecting("true or false", node, try value(node, index: index, budget: &budget)) {
        if case .bool = $0 { true } else { false }
      }
    case .integer:
      return try expecting("a whole number", node, try value(node, index: index, budget: &budget)) {
        if case .integer = $0 { true } else { false }
      }
    case .number:
      return try expecting(
        "a whole number or {double: …}", node, try value(node, index: index, budget: &budget)
      ) {
        switch $0 {
        case .integer, .double: true
        default: false
        }
      }
    case .word(let words): return .text(try word(node, among: words))
    case .object: return try named(node, as: .value, index: index, budget: &budget)
    case .named(let form): return try named(node, as: form, index: index, budget: &budget)
    case .objectOrNil:
      if let entries = node.entries, entries.count == 1, entries[0].key == "nil" {
        return try value(node, index: index, budget: &budget)
      }
      return try named(node, as: .value, index: index, budget: &budget)
    case .record(let fields):
      return try record(node, fields, of: "the mapping", index: index, budget: &budget)
    case .list(let form): return try list(node, of: form, index: index, budget: &budget)
    case .objectID:
      guard node.elements != nil else { return try value(node, index: index, budget: &budget) }
      return try list(node, of: .value, index: index, budget: &budget)
    case .key: return try key(node, index: index, budget: &budget)
    case .slotKey: return try slotKey(node, index: index, budget: &budget)
    case .steps: throw error("steps are only allowed in 'transaction' and 'read'", node)
    }
  }

  private func expecting(
    _ expected: String, _ node: FixtureNode, _ value: FixtureValue,
    where isRight: (FixtureValue) -> Bool
  ) throws(FixtureError) -> FixtureValue {
    guard isRight(value) else {
      let remedy =
        if case .scalar(_, isPlain: true) = node.content, expected.hasPrefix("text") {
          ": put it in quotes if it is text"
        } else {
          ""
        }
      throw error("expected \(expected), found \(value.kind)\(remedy)", node)
    }
    return value
  }

  /// Returns one of some words.
  func word(_ node: FixtureNode, among words: [String]) throws(FixtureError) -> String {
    guard case .scalar(let text, _) = node.content else {
      throw error(
        "expected one of \(words.joined(separator: ", ")), found \(node.kind)", node)
    }
    guard words.contains(where: { $0.hasSameBytes(as: text) }) else {
      throw error(
        "'\(text)' is not allowed here\(Self.suggestion(for: text, among: words))", node)
    }
    return text
  }

  private func named(
    _ node: FixtureNode, as form: FixtureForm, index: Int64?, budget: inout ExpansionBudget
  ) throws(FixtureError) -> FixtureValue {
    guard let entries = node.entries else {
      throw error("expected a mapping of names to values, found \(node.kind)", node)
    }
    var members: [FixtureValue.Member] = []
    members.reserveCapacity(entries.count)
    for entry in entries {
      members.append(
        .init(entry.key, try read(entry.value, as: form, index: index, budget: &budget)))
    }
    return .object(members)
  }

  func record(
    _ node: FixtureNode, _ fields: [FixtureForm.Field], of subject: String, index: Int64?,
    budget: inout ExpansionBudget
  ) throws(FixtureError) -> FixtureValue {
    let entries = try checkedEntries(node, fields, of: subject)
    var members: [FixtureValue.Member] = []
    for entry in entries {
      guard let field = fields.first(where: { $0.name == entry.key }), field.form != .steps else {
        continue
      }
      members.append(
        .init(entry.key, try read(entry.value, as: field.form, index: index, budget: &budget)))
    }
    return .object(members)
  }

  /// Returns the entries of a mapping after checking that it has all required and no unknown
  /// fields.
  package func checkedEntries(
    _ node: FixtureNode, _ fields: [FixtureForm.Field], of subject: String
  ) throws(FixtureError) -> [FixtureNode.Entry] {
    let names = fields.map(\.name)
    guard let entries = node.entries else {
      throw error(
        "\(subject) must be a mapping of \(names.joined(separator: ", ")), not \(node.kind)", node
      )
    }
    for entry in entries where !names.contains(entry.key) {
      throw error(
        "\(subject) has no field '\(entry.key)'\(Self.suggestion(for: entry.key, among: names))",
        entry.line)
    }
    for field in fields where field.isRequired && node.entry(field.name) == nil {
      throw error("\(subject) lacks '\(field.name)'", node)
    }
    return entries
  }
}
