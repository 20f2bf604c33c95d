/// The remaining size limit for the expansion of repetitions in one value.
struct ExpansionBudget {
  /// Prevents a mistyped number from exhausting the memory.
  var bytes: Int64 = 10_000_000
  var elements: Int64 = 1_000_000
}

extension ValueReader {
  /// The first fields of shorthands, which are expanded on reading.
  static let shorthands: Set<String> = ["repeat", "index"]

  /// Returns the expansion of a shorthand, or `nil` for any other node.
  ///
  /// The shorthands are `{repeat: TEXT, times: N}`, `{index: N}` and `{index: N, in: TEXT}`.
  func shorthand(
    _ node: FixtureNode, _ entries: [FixtureNode.Entry], index: Int64?,
    budget: inout ExpansionBudget
  ) throws(FixtureError) -> FixtureValue? {
    if node.entry("repeat") != nil {
      try checkAllowed(node)
      _ = try checkedEntries(
        node, [.required("repeat", .text), .required("times", .integer)], of: "a repeated text")
      guard let text = node["repeat"], let times = node["times"] else { return nil }
      let repeated = try plainText(text)
      let count = try number(times)
      let (size, overflows) = count.multipliedReportingOverflow(by: Int64(repeated.utf8.count))
      guard !overflows else { throw tooLarge(node) }
      try take(bytes: max(size, count), from: &budget, node)
      return .text(String(repeating: repeated, count: Int(count)))
    }
    if let from = node["index"] {
      try checkAllowed(node)
      _ = try checkedEntries(
        node, [.required("index", .integer), .optional("in", .text)], of: "an index")
      guard let index else {
        throw error("'index' is only allowed in the 'of' of {times: N, of: VALUE}", node)
      }
      let (number, overflows) = try number(from).addingReportingOverflow(index)
      guard !overflows else { throw tooLarge(node) }
      guard let pattern = node["in"] else { return .integer(number) }
      let parts = try plainText(pattern).split(separator: "%", omittingEmptySubsequences: false)
      guard parts.count > 1 else {
        throw error("the text of 'in' has no %, the placeholder for the number", pattern)
      }
      let text = parts.joined(separator: String(number))
      try take(bytes: Int64(text.utf8.count), from: &budget, node)
      return .text(text)
    }
    return nil
  }

  /// Returns the elements of a list, with `{times: N, of: ELEMENT}` expanded.
  func list(
    _ node: FixtureNode, of form: FixtureForm, index: Int64?, budget: inout ExpansionBudget
  ) throws(FixtureError) -> FixtureValue {
    guard let elements = node.elements else {
      throw error("expected a list, found \(node.kind)", node)
    }
    var values: [FixtureValue] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      guard let repetition = try repetition(element) else {
        values.append(try read(element, as: form, index: index, budget: &budget))
        continue
      }
      for index in 0..<repetition.times {
        budget.elements -= 1
        guard budget.elements >= 0 else { throw tooLarge(element) }
        values.append(try read(repetition.element, as: form, index: index, budget: &budget))
      }
    }
    return .list(values)
  }

  private func repetition(
    _ node: FixtureNode
  ) throws(FixtureError) -> (times: Int64, element: FixtureNode)? {
    guard let entries = node.entries, entries.count == 2, let times = node["times"],
      let element = node["of"]
    else { return nil }
    // In the protocol, such a mapping is an object with two properties, or an error.
    guard source == .file else { return nil }
    return (try number(times), element)
  }

  private func checkAllowed(_ node: FixtureNode) throws(FixtureError) {
    guard source == .file else {
      throw error("'repeat', 'index' and 'times' are for files only: expand them first", node)
    }
  }

  private func take(
    bytes: Int64, from budget: inout ExpansionBudget, _ node: FixtureNode
  ) throws(FixtureError) {
    guard bytes <= budget.bytes else { throw tooLarge(node) }
    budget.bytes -= bytes
  }

  private func tooLarge(_ node: FixtureNode) -> FixtureError {
    error("this expands to more than 10,000,000 bytes or 1,000,000 elements: make it smaller", node)
  }

  private func plainText(_ node: FixtureNode) throws(FixtureError) -> String {
    guard case .scalar(let text, let isPlain) = node.content, !isPlain || PlainScalar(text) == .text
    else { throw error("expected text, found \(node.kind)", node) }
    return text
  }

  private func number(_ node: FixtureNode) throws(FixtureError) -> Int64 {
    guard case .scalar(let text, isPlain: true) = node.content,
      case .integer(let value) = PlainScalar(text), value >= 0
    else { throw error("expected a whole number from 0, found \(node.kind)", node) }
    return value
  }
}
