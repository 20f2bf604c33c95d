/// The context of a step.
struct StepContext {
  /// Whether the step is nested in a `transaction` or `read`.
  var isNested: Bool
  /// Whether the step is the last one of its list.
  var isLast: Bool
  /// The classes that the case reads from the file.
  ///
  /// The fixture need not declare their properties.
  var labelsFromFile: Set<String>
}

extension FixtureReader {
  private static let companions = ["returns", "fails", "thread", "process"]

  mutating func readStep(
    _ node: FixtureNode, in context: StepContext
  ) throws(FixtureError) -> Step {
    let (operation, argumentsNode) = try readOperation(node)
    let arguments = try values.arguments(of: operation, from: argumentsNode)
    // The 'to' of 'changeID' is an objectID, not a path.
    if operation != .changeID { try checkPaths(in: arguments, of: argumentsNode) }
    let expected = try readOutcome(of: operation, node)
    let thread = try node["thread"].map { (node) throws(FixtureError) in try values.text(node) }
    let process = try node["process"].map { (node) throws(FixtureError) in try values.text(node) }
    try checkPlace(of: operation, node, in: context)
    if operation == .removeVault, (arguments["path"] == nil) == (arguments["handle"] == nil) {
      throw values.error("'removeVault' needs either 'path' or 'handle'", argumentsNode)
    }
    if operation == .file { _ = try readExpectation(argumentsNode) }
    if !expected.isFailure { try checkKey(in: arguments, argumentsNode) }
    try checkClass(of: operation, arguments, expected, node, argumentsNode, in: context)
    var steps: [Step] = []
    if let stepsNode = argumentsNode["steps"], operation == .transaction || operation == .read {
      guard let elements = stepsNode.elements else {
        throw values.error("'steps' must be a list of steps, not \(stepsNode.kind)", stepsNode)
      }
      for (position, element) in elements.enumerated() {
        let inner = StepContext(
          isNested: true, isLast: position == elements.count - 1,
          labelsFromFile: context.labelsFromFile)
        let read = attempt { (reader) throws(FixtureError) in
          try reader.readStep(element, in: inner)
        }
        if let read { steps.append(read) }
      }
    }
    let step = Step(
      operation: operation, arguments: arguments, steps: steps, expected: expected, thread: thread,
      process: process, place: SourcePlace(path: values.path, line: node.line))
    if step.crashes, !context.isNested { reportExpectations(in: step) }
    return step
  }

  /// Reports each expectation of a step that ends its process, and of the steps in it.
  private mutating func reportExpectations(in step: Step) {
    let field: String? =
      switch step.expected {
      case .success: nil
      case .returns: "returns"
      case .fails: "fails"
      }
    if let field {
      report(
        "'\(field)' of '\(step.operation.rawValue)' is not compared, because 'crash' ends the "
          + "process without an answer", step.place.line)
    }
    for inner in step.steps { reportExpectations(in: inner) }
  }

  private func readOperation(
    _ node: FixtureNode
  ) throws(FixtureError) -> (FixtureOperation, FixtureNode) {
    guard let entries = node.entries else {
      throw values.error(
        "a step must be a mapping with the name of an operation, not \(node.kind)", node)
    }
    var found: (operation: FixtureOperation, arguments: FixtureNode)?
    for entry in entries where !Self.companions.contains(entry.key) {
      guard let operation = FixtureOperation(rawValue: entry.key) else {
        let names = FixtureOperation.allCases.map(\.rawValue) + Self.companions
        throw values.error(
          "there is no operation '\(entry.key)'"
            + ValueReader.suggestion(for: entry.key, among: names), entry.line)
      }
      if let found {
        throw values.error(
          "a step has one operation, not '\(found.operation.rawValue)' and '\(entry.key)'",
          entry.line)
      }
      found = (operation, entry.value)
    }
    guard let found else { throw values.error("the step has no operation", node) }
    return (found.operation, found.arguments)
  }

  private func readOutcome(
    of operation: FixtureOperation, _ node: FixtureNode
  ) throws(FixtureError) -> Outcome {
    let name = "'\(operation.rawValue)'"
    if let returns = node["returns"] {
      if let fails = node.entry("fails") {
        throw values.error("a step has either 'returns' or 'fails'", fails.line)
      }
      guard let form = operation.answer else {
        throw values.error("\(name) returns nothing to compare", returns)
      }
      return .returns(try values.read(returns, as: form))
    }
    guard let fails = node["fails"] else {
      guard operation.changesSomething else {
        throw values.error(
          "\(name) only reads, and the step compares nothing: add 'returns' or 'fails'", node)
      }
      return .success
    }
    guard operation.performer == .testee, operation != .crash else {
      throw values.error("\(name) is an operation of the runner and cannot have 'fails'", fails)
    }
    guard fails.entries != nil else {
      return .fails(code: try values.word(fails, among: FixtureErrorCode.all), offset: nil)
    }
    let value = try values.read(
      fails, fields: [.required("code", .text), .optional("offset", .integer)], of: "'fails'")
    guard let codeNode = fails["code"] else {
      throw values.error("'fails' lacks 'code'", fails)
    }
    let code = try values.word(codeNode, among: FixtureErrorCode.all)
    guard case .integer(let offset)? = value["offset"] else {
      return .fails(code: code, offset: nil)
    }
    guard let offset = Int(exactly: offset), offset >= 0 else {
      throw values.error("'offset' must be a number of bytes", fails["offset"] ?? fails)
    }
    return .fails(code: code, offset: offset)
  }

  private func checkPlace(
    of operation: FixtureOperation, _ node: FixtureNode, in context: StepContext
  ) throws(FixtureError) {
    let name = "'\(operation.rawValue)'"
    if context.isNested {
      if operation.performer == .runner {
        throw values.error("\(name) is an operation of the runner and cannot be in 'steps'", node)
      }
      if operation == .crash, !context.isLast {
        throw values.error("no step can follow 'crash' in a transaction", node)
      }
      if let process = node.entry("process") {
        throw values.error("a step in 'steps' cannot have 'process'", process.line)
      }
    }
    if operation.performer == .runner {
      for companion in ["thread", "process"] {
        if let entry = node.entry(companion) {
          throw values.error(
            "\(name) is an operation of the runner and cannot have '\(companion)'", entry.line)
        }
      }
    }
  }

  /// Throws an error if a raw key does not have 64 or 96 hexadecimal digits.
  ///
  /// Steps that expect a failure can use other lengths and are not checked.
  func checkKey(in arguments: FixtureValue, _ node: FixtureNode) throws(FixtureError) {
    guard case .text(let digits)? = arguments["key"]?["raw"] else { return }
    guard digits.wholeMatch(of: #/[0-9a-fA-F]+/#) != nil, [64, 96].contains(digits.utf8.count)
    else {
      throw values.error(
        "a raw key has 64 or 96 hexadecimal digits", node["key"] ?? node)
    }
  }
}

extension Outcome {
  fileprivate var isFailure: Bool { if case .fails = self { true } else { false } }
}
