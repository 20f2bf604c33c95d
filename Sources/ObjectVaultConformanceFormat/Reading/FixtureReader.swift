import ObjectVaultModel

/// A reader of a file of fixtures that collects all errors in it.
package struct FixtureReader {
  let values: ValueReader
  var classes: [FixtureClass] = []
  var errors: [FixtureError] = []

  private init(path: String) {
    values = ValueReader(path: path, source: .file)
  }

  /// Reads a fixture from the text of a file and collects the errors in it.
  ///
  /// Do not run the fixture if there are errors.
  ///
  /// - Parameters:
  ///   - text: The content of the file.
  ///   - path: The path of the file below the folder of fixtures.
  /// - Returns: The fixture, and the errors. The fixture is `nil` if the text does not have the
  ///   structure of one.
  package static func read(_ text: String, path: String) -> (Fixture?, [FixtureError]) {
    var reader = FixtureReader(path: path)
    let fixture: Fixture?
    do throws(FixtureError) {
      fixture = try reader.file(try FixtureNode(yaml: text, path: path))
    } catch {
      reader.errors.append(error)
      fixture = nil
    }
    return (fixture, reader.errors.sorted { $0.place.line < $1.place.line })
  }

  /// Returns the result of `part`, or records its error and returns `nil`.
  mutating func attempt<Part>(
    _ part: (inout FixtureReader) throws(FixtureError) -> Part
  ) -> Part? {
    do throws(FixtureError) {
      return try part(&self)
    } catch {
      errors.append(error)
      return nil
    }
  }

  mutating func report(_ message: String, _ node: FixtureNode) { report(message, node.line) }

  mutating func report(_ message: String, _ line: Int) {
    errors.append(values.error(message, line))
  }

  /// Reports unknown fields and missing required fields.
  mutating func checkFields(
    of node: FixtureNode, required: [String], optional: [String], subject: String
  ) throws(FixtureError) {
    guard let entries = node.entries else {
      throw values.error(
        "\(subject) must be a mapping of \((required + optional).joined(separator: ", ")), not "
          + node.kind, node)
    }
    for entry in entries where !(required + optional).contains(entry.key) {
      let suggestion = ValueReader.suggestion(for: entry.key, among: required + optional)
      errors.append(
        values.error("\(subject) has no field '\(entry.key)'\(suggestion)", entry.line))
    }
    for name in required where node[name] == nil { report("\(subject) lacks '\(name)'", node) }
  }

  private mutating func file(_ node: FixtureNode) throws(FixtureError) -> Fixture {
    try checkFields(
      of: node, required: ["format", "description", "cases"],
      optional: ["classes", "vault", "objects"], subject: "a file of fixtures")
    if let format = node["format"] {
      let version = try values.read(format, as: .integer)
      guard version == .integer(1) else {
        throw values.error("the format is \(version.notation); this program reads 1", format)
      }
    }
    var description = ""
    if let node = node["description"] {
      description = attempt { (reader) throws(FixtureError) in try reader.values.text(node) } ?? ""
    }
    if let node = node["classes"] { readClasses(node) }
    let given = readGiven(in: node, inherited: .ofNothing)
    var cases: [FixtureCase] = []
    if let node = node["cases"] {
      guard let elements = node.elements, !elements.isEmpty else {
        throw values.error("'cases' must be a list of one or more cases", node)
      }
      var names: [String: Int] = [:]
      for element in elements {
        let read = attempt { (reader) throws(FixtureError) in
          try reader.readCase(element, inherited: given)
        }
        guard let read else { continue }
        if let line = names.updateValue(read.place.line, forKey: read.name) {
          report("the name '\(read.name)' is already that of the case in line \(line)", element)
        }
        cases.append(read)
      }
    }
    return Fixture(
      path: values.path, description: description, classes: classes, cases: cases)
  }

  private mutating func readClasses(_ node: FixtureNode) {
    guard let entries = node.entries else {
      return report("'classes' must be a mapping of labels to classes, not \(node.kind)", node)
    }
    for entry in entries {
      let read = attempt { (reader) throws(FixtureError) in
        try FixtureClass(label: entry.key, from: entry.value, by: reader.values)
      }
      // A class with an error counts as declared, so that its uses are not reported as well.
      classes.append(
        read
          ?? FixtureClass(
            label: entry.key, description: ClassDescription(entry.key, properties: []),
            objectID: []))
      if read == nil { unreadable.insert(entry.key) }
    }
  }

  /// The labels of classes that could not be read.
  var unreadable: Set<String> = []
}
