import ObjectVaultDriver
import ObjectVaultModel

extension FixtureReader {
  /// Returns the class with a label, which the file must declare.
  func declaredClass(_ label: String, line: Int) throws(FixtureError) -> FixtureClass {
    guard let declared = classes.first(where: { $0.label.hasSameBytes(as: label) }) else {
      throw values.error(
        "the class '\(label)' is not declared in 'classes'"
          + ValueReader.suggestion(for: label, among: classes.map(\.label)), line)
    }
    return declared
  }

  /// Returns the labels of the classes that `store` reads from the file, in these and nested steps.
  static func labelsReadFromFile(_ steps: [FixtureNode]) -> Set<String> {
    var labels: Set<String> = []
    for step in steps {
      for entry in step.entries ?? [] {
        if entry.key == "store", case .scalar("file", _)? = entry.value["from"]?.content,
          case .scalar(let label, _)? = entry.value["class"]?.content
        {
          labels.insert(label)
        }
        if let inner = entry.value["steps"]?.elements {
          labels.formUnion(labelsReadFromFile(inner))
        }
      }
    }
    return labels
  }

  /// Checks that the class is declared and that the objects have only its properties.
  mutating func checkClass(
    of operation: FixtureOperation, _ arguments: FixtureValue, _ expected: Outcome,
    _ node: FixtureNode,
    _ argumentsNode: FixtureNode, in context: StepContext
  ) throws(FixtureError) {
    guard case .text(let label)? = arguments["class"] else { return }
    let declared = try declaredClass(label, line: (argumentsNode["class"] ?? argumentsNode).line)
    if context.labelsFromFile.contains(label) || expected.isFailure("noSuchProperty") { return }
    for name in ["object", "objects"] {
      guard let value = arguments[name], let node = argumentsNode[name] else { continue }
      checkObjects(value, of: declared, node)
    }
    guard case .returns(let value) = expected, let node = node["returns"] else { return }
    switch operation.answer {
    case .object, .objectOrNil, .list(.object): checkObjects(value, of: declared, node)
    default: break
    }
  }

  /// Checks the property names of an object or a list of objects.
  mutating func checkObjects(_ value: FixtureValue, of declared: FixtureClass, _ node: FixtureNode)
  {
    if unreadable.contains(declared.label) { return }
    var names = declared.description.properties.map(\.name)
    if declared.description.objectID == .generated {
      names.append(ClassDescription.generatedIDColumn)
    }
    check(value, names, declared.label, node)
  }

  private mutating func check(
    _ value: FixtureValue, _ names: [String], _ label: String, _ node: FixtureNode
  ) {
    switch value {
    case .list(let elements):
      for (position, element) in elements.enumerated() {
        let count = errors.count
        // After a repetition, values and nodes have different positions.
        let isAligned = node.elements?.count == elements.count
        check(element, names, label, isAligned ? node.elements?[position] ?? node : node)
        if !isAligned, errors.count > count { return }
      }
    case .object(let members):
      for member in members
      where !names.contains(where: { $0.hasSameBytes(as: member.name) }) {
        errors.append(
          values.error(
            "the class '\(label)' has no property '\(member.name)'"
              + ValueReader.suggestion(for: member.name, among: names),
            node.entry(member.name)?.line ?? node.line))
      }
    default: return
    }
  }
}

extension Outcome {
  fileprivate func isFailure(_ name: String) -> Bool {
    if case .fails(name, _) = self { true } else { false }
  }
}
