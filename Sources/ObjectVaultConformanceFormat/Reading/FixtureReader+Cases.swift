/// The vault and the objects that exist before the first step of a case.
struct GivenState {
  var vault: GivenVault
  var objects: [GivenObjects]

  static let ofNothing = GivenState(vault: .open(arguments: .object([]), copying: nil), objects: [])
}

extension FixtureReader {
  /// Returns the initial state that `vault` and `objects` of a file or a case describe.
  mutating func readGiven(in node: FixtureNode, inherited: GivenState) -> GivenState {
    var given = inherited
    if let node = node["vault"] {
      let vault = attempt { (reader) throws(FixtureError) in try reader.readVault(node) }
      given.vault = vault ?? given.vault
    }
    if let node = node["objects"] { given.objects = readObjects(node) }
    if case .none = given.vault {
      if let objects = node["objects"], !given.objects.isEmpty {
        report("objects need a vault, but 'vault' is none", objects)
      }
      given.objects = []
    }
    return given
  }

  private func readVault(_ node: FixtureNode) throws(FixtureError) -> GivenVault {
    guard node.entries != nil else {
      _ = try values.word(node, among: ["none"])
      return .none
    }
    let fields = FixtureOperation.opening + [.optional("file", .text)]
    var value = try values.read(node, fields: fields, of: "'vault'")
    let file = value["file"]
    if case .object(let members) = value {
      value = .object(members.filter { $0.name != "file" })
    }
    try checkPaths(in: value, of: node)
    try checkKey(in: value, node)
    guard case .text(let name)? = file else { return .open(arguments: value, copying: nil) }
    guard name.hasPrefix("databases/"), name.split(separator: "/").count == 2,
      !name.contains("..")
    else {
      throw values.error(
        "'file' must be databases/NAME, a file of the fixtures, not '\(name)'",
        node["file"] ?? node)
    }
    return .open(arguments: value, copying: name)
  }

  private mutating func readObjects(_ node: FixtureNode) -> [GivenObjects] {
    guard let entries = node.entries else {
      report("'objects' must be a mapping of classes to lists of objects, not \(node.kind)", node)
      return []
    }
    var given: [GivenObjects] = []
    for entry in entries {
      let read = attempt { (reader) throws(FixtureError) -> GivenObjects in
        let declared = try reader.declaredClass(entry.key, line: entry.line)
        let value = try reader.values.read(entry.value, as: .list(.object))
        reader.checkObjects(value, of: declared, entry.value)
        guard case .list(let objects) = value else {
          return GivenObjects(label: entry.key, objects: [])
        }
        return GivenObjects(label: entry.key, objects: objects)
      }
      if let read { given.append(read) }
    }
    return given
  }

  mutating func readCase(
    _ node: FixtureNode, inherited: GivenState
  ) throws(FixtureError) -> FixtureCase {
    try checkFields(
      of: node, required: ["name", "steps"],
      optional: ["covers", "engine", "vault", "objects", "after"], subject: "a case")
    guard let nameNode = node["name"], let stepsNode = node["steps"] else {
      throw values.error("a case needs a name and steps", node)
    }
    let name = try values.text(nameNode)
    if name.isEmpty { report("the name of a case is empty: state what must hold", nameNode) }
    let given = readGiven(in: node, inherited: inherited)
    guard let stepNodes = stepsNode.elements, !stepNodes.isEmpty else {
      throw values.error("'steps' must be a list of one or more steps", stepsNode)
    }
    let fromFile = Self.labelsReadFromFile(stepNodes)
    var steps: [Step] = []
    for step in stepNodes {
      let context = StepContext(isNested: false, isLast: true, labelsFromFile: fromFile)
      let read = attempt { (reader) throws(FixtureError) in
        try reader.readStep(step, in: context)
      }
      if let read { steps.append(read) }
    }
    var after: [FileExpectation] = []
    if let node = node["after"] {
      for element in node.elements ?? [node] {
        let read = attempt { (reader) throws(FixtureError) in
          try reader.readExpectation(element)
        }
        if let read { after.append(read) }
      }
    }
    return FixtureCase(
      name: name, covers: readCovers(node["covers"]), engine: readEngine(node["engine"]),
      vault: given.vault, objects: given.objects, steps: steps, after: after,
      place: SourcePlace(path: values.path, line: nameNode.line))
  }

  private mutating func readCovers(_ node: FixtureNode?) -> [String] {
    guard let node else { return [] }
    let rows = attempt { (reader) throws(FixtureError) in try reader.values.texts(node) } ?? []
    for (position, row) in rows.enumerated() {
      let place = node.elements?[position] ?? node
      if !FixtureCase.isRow(row) {
        report("'\(row)' is not a row of acceptance.yaml: a row is a letter and a number", place)
      }
      if rows[..<position].contains(row) { report("'\(row)' occurs twice", place) }
    }
    return rows
  }

  private mutating func readEngine(_ node: FixtureNode?) -> Int? {
    guard let node else { return nil }
    let value = attempt { (reader) throws(FixtureError) in
      try reader.values.read(node, as: .integer)
    }
    switch value {
    case .integer(3)?: return 3
    case .integer(4)?: return 4
    case nil: return nil
    default:
      report("'engine' must be 3 or 4, the major version of SQLCipher", node)
      return nil
    }
  }

  func readExpectation(_ node: FixtureNode) throws(FixtureError) -> FileExpectation {
    let value = try values.read(
      node, fields: FileExpectation.fields, of: "the expectation of a file")
    try checkPaths(in: value, of: node)
    try checkNotEmpty(value, node)
    if value["exists"] == .bool(false), case .object(let members) = value,
      let other = members.first(where: { !["exists", "path", "files"].contains($0.name) })
    {
      throw values.error(
        "'\(other.name)' cannot be compared in a file that must not exist",
        node.entry(other.name)?.line ?? node.line)
    }
    let comparable = ["path", "exists", "files", "withPlaintext", "withoutPlaintext"]
    if value["withPlaintext"] != nil, case .object(let members) = value,
      let other = members.first(where: { !comparable.contains($0.name) })
    {
      throw values.error(
        "'\(other.name)' cannot be compared next to 'withPlaintext', because the file is not opened",
        node.entry(other.name)?.line ?? node.line)
    }
    return FileExpectation(value, at: SourcePlace(path: values.path, line: node.line))
  }

  /// Throws an error if a field of an expectation is an empty list or mapping, with which nothing is
  /// compared.
  ///
  /// `tables` and `files` can be empty, and the lists of a table, because a file can have none.
  private func checkNotEmpty(
    _ expectation: FixtureValue, _ node: FixtureNode
  ) throws(FixtureError) {
    guard case .object(let fields) = expectation else { return }
    for field in fields where !["tables", "files"].contains(field.name) {
      guard field.value == .list([]) || field.value == .object([]) else { continue }
      throw values.error(
        "'\(field.name)' is empty and compares nothing",
        node.entry(field.name)?.line ?? node.line)
    }
  }

  /// Throws an error if a path leads out of the folder of the case.
  func checkPaths(in value: FixtureValue, of node: FixtureNode) throws(FixtureError) {
    guard case .object(let members) = value else { return }
    for member in members where ["path", "from", "to", "at", "key", "newKey"].contains(member.name)
    {
      if let inner = node[member.name] { try checkPaths(in: member.value, of: inner) }
      guard case .text(let path) = member.value else { continue }
      if path.hasPrefix("/") || path.split(separator: "/").contains("..") {
        throw values.error(
          "'\(path)' leaves the folder of the case: use a path relative to it",
          node[member.name] ?? node)
      }
    }
  }
}
