package import Foundation
package import ObjectVaultConformanceFormat

extension AcceptanceList {
  /// Creates the list from the file next to the fixtures.
  ///
  /// - Throws: ``FixtureError`` with the location of the error.
  package init(in folder: URL) throws {
    let file = folder.appendingPathComponent(Self.fileName)
    guard let bytes = FileManager.default.contents(atPath: file.path) else {
      throw FixtureError(
        "the file is missing or cannot be read",
        at: SourcePlace(path: Self.fileName, line: 1))
    }
    try self.init(yaml: String(decoding: bytes, as: UTF8.self))
  }

  /// Creates the list from the text of the file.
  package init(yaml text: String) throws(FixtureError) {
    let reader = Reader()
    let root = try FixtureNode(yaml: text, path: Self.fileName)
    try reader.check(root, fields: ["format", "features", "groups", "rows"])
    guard let format = root["format"], case .scalar("1", isPlain: true) = format.content else {
      throw reader.error("the list's format must be 1", at: root["format"] ?? root)
    }
    features = try reader.named("features", of: root).map { entry throws(FixtureError) in
      (name: entry.key, description: try reader.text(entry.value))
    }
    groups = try reader.named("groups", of: root).map { entry throws(FixtureError) in
      guard entry.key.count == 1 else {
        throw reader.error("'\(entry.key)' is not one letter", at: entry.value)
      }
      return Group(letter: entry.key, title: try reader.text(entry.value))
    }
    rows = try reader.named("rows", of: root).map { entry throws(FixtureError) in
      try reader.row(entry)
    }
    try check()
  }

  /// Throws an error if rows contradict each other, the groups or the features.
  private func check() throws(FixtureError) {
    let features = Set(features.map(\.name))
    var numbers: [String: Int] = [:]
    for row in rows {
      func fail(_ message: String) -> FixtureError {
        FixtureError("row \(row.id) \(message)", at: row.place)
      }
      let expected = "\(row.letter)\(numbers[row.letter, default: 0] + 1)"
      guard groups.contains(where: { $0.letter == row.letter }) else {
        throw fail("belongs to no group")
      }
      guard row.id == expected else {
        throw fail("is in the place of \(expected): number the rows in order")
      }
      numbers[row.letter, default: 0] += 1
      if let open = row.open, !features.contains(open) {
        throw fail("is open for '\(open)', which is not among the features")
      }
      if row.notApplicable != nil, row.open != nil || row.isHeldByTests || row.note != nil {
        throw fail("is not applicable, so it cannot have 'heldBy', 'open' or a note")
      }
      if row.note != nil, row.open == nil {
        throw fail("has a note and is not open: add 'open' or remove the note")
      }
    }
    for feature in features.sorted() where !rows.contains(where: { $0.open == feature }) {
      throw FixtureError(
        "no row is open for the feature '\(feature)'",
        at: SourcePlace(path: Self.fileName, line: 1))
    }
  }

  private struct Reader {
    func error(_ message: String, at node: FixtureNode) -> FixtureError {
      FixtureError(message, at: SourcePlace(path: AcceptanceList.fileName, line: node.line))
    }

    func check(_ node: FixtureNode, fields: [String]) throws(FixtureError) {
      guard let entries = node.entries else {
        throw error("expected a mapping, found \(node.kind)", at: node)
      }
      for entry in entries where !fields.contains(entry.key) {
        throw FixtureError(
          "unknown field '\(entry.key)'; the fields are \(fields.joined(separator: ", "))",
          at: SourcePlace(path: AcceptanceList.fileName, line: entry.line))
      }
    }

    func named(_ field: String, of root: FixtureNode) throws(FixtureError) -> [FixtureNode.Entry] {
      guard let node = root[field] else {
        throw error("the field '\(field)' is missing", at: root)
      }
      guard let entries = node.entries else {
        throw error("'\(field)' must be a mapping, not \(node.kind)", at: node)
      }
      return entries
    }

    func text(_ node: FixtureNode) throws(FixtureError) -> String {
      guard case .scalar(let text, _) = node.content, !text.isEmpty else {
        throw error("expected text, found \(node.kind)", at: node)
      }
      return text
    }

    func row(_ entry: FixtureNode.Entry) throws(FixtureError) -> Row {
      let node = entry.value
      try check(node, fields: ["must", "heldBy", "open", "note", "notApplicable"])
      guard let must = node["must"] else {
        throw error("row \(entry.key) lacks 'must'", at: node)
      }
      func optional(_ field: String) throws(FixtureError) -> String? {
        guard let node = node[field] else { return nil }
        return try text(node)
      }
      let holder = try optional("heldBy")
      guard holder == nil || holder == "tests" else {
        throw error("'heldBy' must be 'tests'", at: node["heldBy"] ?? node)
      }
      return Row(
        id: entry.key, must: try text(must), isHeldByTests: holder != nil,
        open: try optional("open"), note: try optional("note"),
        notApplicable: try optional("notApplicable"),
        place: SourcePlace(path: AcceptanceList.fileName, line: entry.line))
    }
  }
}
