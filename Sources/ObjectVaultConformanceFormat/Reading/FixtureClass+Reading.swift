import ObjectVaultCondition
import ObjectVaultModel

extension FixtureClass {
  /// Creates a class from its description in a fixture or in `begin`.
  package init(
    label: String, from node: FixtureNode, by reader: ValueReader
  ) throws(FixtureError) {
    let fields: [FixtureForm.Field] =
      [
        .required("properties", .named(.value)), .optional("objectID", .list(.text)),
        .optional("indexes", .list(.value)), .optional("references", .named(.value)),
        .optional("owned", .named(.value)), .optional("table", .text), .optional("name", .text),
        .optional("version", .integer), .optional("renamedFrom", .list(.text)),
        .optional("search", .value),
      ] + TableOptions.fields
    _ = try reader.checkedEntries(node, fields, of: "the class '\(label)'")
    let name = try node["name"].map { (node) throws(FixtureError) in try reader.text(node) }
    let table = try node["table"].map { (node) throws(FixtureError) in try reader.text(node) }
    guard let propertiesNode = node["properties"], let entries = propertiesNode.entries else {
      throw reader.error("'properties' must be a mapping of names to types", node)
    }
    var properties: [PropertyDescription] = []
    for entry in entries {
      properties.append(try PropertyDescription(entry, by: reader))
    }
    var objectID: [String] = []
    if let node = node["objectID"] {
      objectID = node.elements == nil ? [try reader.text(node)] : try reader.texts(node)
      guard !objectID.isEmpty else {
        throw reader.error("'objectID' names no property: omit it", node)
      }
    }
    var indexes: [IndexDescription] = []
    if let node = node["indexes"] {
      guard let elements = node.elements else {
        throw reader.error("'indexes' must be a list of {properties, unique?}", node)
      }
      for element in elements { indexes.append(try IndexDescription(element, by: reader)) }
    }
    var description = ClassDescription(
      name ?? label, table: table, properties: properties, objectID: objectID,
      indexes: indexes, references: try ReferenceDescription.all(node["references"], by: reader),
      owned: try OwnedDescription.all(node["owned"], by: reader))
    if let node = node["version"], case .integer(let version) = try reader.read(node, as: .integer)
    {
      description.version = Int(version)
    }
    if let node = node["renamedFrom"] { description.renamedFrom = try reader.texts(node) }
    if let node = node["search"] { description.search = try SearchDescription(node, by: reader) }
    description.options = try TableOptions(of: node, by: reader)
    self.init(label: label, description: description, objectID: objectID)
  }
}

extension PropertyDescription {
  fileprivate init(_ entry: FixtureNode.Entry, by reader: ValueReader) throws(FixtureError) {
    let node = entry.value
    guard node.entries != nil else {
      let (type, isOptional) = try Self.type(node, by: reader)
      self.init(entry.key, type: type, isOptional: isOptional)
      return
    }
    let fields: [FixtureForm.Field] =
      [
        .required("type", .text), .optional("column", .text), .optional("default", .value),
        .optional("renamedFrom", .list(.text)), .optional("shared", .bool),
        .optional("sealed", .word(["hidden", "findable", "findableByFrequency"])),
      ] + ColumnDefinition.fields
    _ = try reader.checkedEntries(node, fields, of: "the property '\(entry.key)'")
    guard let typeNode = node["type"] else {
      throw reader.error("the property '\(entry.key)' lacks 'type'", node)
    }
    let (type, isOptional) = try Self.type(typeNode, by: reader)
    var defaultValue: StoredValue?
    if let node = node["default"] {
      guard let stored = try reader.read(node, as: .value).storedValue() else {
        throw reader.error("a list cannot be the default of a property", node)
      }
      defaultValue = stored
    }
    self.init(
      entry.key,
      column: try node["column"].map { (node) throws(FixtureError) in try reader.text(node) },
      type: type, isOptional: isOptional, defaultValue: defaultValue,
      renamedFrom: try node["renamedFrom"].map { (node) throws(FixtureError) in
        try reader.texts(node)
      } ?? [])
    definition = try ColumnDefinition(of: node, by: reader)
    isShared = try node.isTrue("shared", by: reader)
    sealing = try node["sealed"].flatMap { (node) throws(FixtureError) in
      Sealing(named: try reader.text(node))
    }
  }

  private static func type(
    _ node: FixtureNode, by reader: ValueReader
  ) throws(FixtureError) -> (PropertyType, isOptional: Bool) {
    let text = try reader.text(node)
    let isOptional = text.hasSuffix("?")
    let name = isOptional ? String(text.dropLast()) : text
    guard let type = PropertyType(rawValue: name) else {
      throw reader.error(
        "'\(text)' is not a property type"
          + ValueReader.suggestion(for: name, among: PropertyType.allCases.map(\.rawValue)), node)
    }
    return (type, isOptional)
  }
}

extension IndexDescription {
  fileprivate init(_ node: FixtureNode, by reader: ValueReader) throws(FixtureError) {
    let value = try reader.read(
      node, fields: [.required("properties", .list(.text)), .optional("unique", .bool)],
      of: "an index")
    guard let properties = node["properties"] else {
      throw reader.error("an index lacks 'properties'", node)
    }
    self.init(try reader.texts(properties), unique: value["unique"] == .bool(true))
  }
}

extension SearchDescription {
  fileprivate init(_ node: FixtureNode, by reader: ValueReader) throws(FixtureError) {
    _ = try reader.read(
      node,
      fields: [
        .required("properties", .list(.text)),
        .optional("module", .word(Module.allCases.map(\.rawValue))),
        .optional("tokenizer", .word(Tokenizer.allCases.map(\.rawValue))),
      ], of: "a search")
    guard let properties = node["properties"] else {
      throw reader.error("a search lacks 'properties'", node)
    }
    self.init(try reader.texts(properties))
    if let node = node["module"], let module = Module(rawValue: try reader.text(node)) {
      self.module = module
    }
    if let node = node["tokenizer"], let tokenizer = Tokenizer(rawValue: try reader.text(node)) {
      self.tokenizer = tokenizer
    }
  }
}

extension ValueReader {
  /// Returns the text of a node that allows only text.
  package func text(_ node: FixtureNode) throws(FixtureError) -> String {
    guard case .text(let text) = try read(node, as: .text) else { return "" }
    return text
  }

  /// Returns the elements of a list of texts.
  func texts(_ node: FixtureNode) throws(FixtureError) -> [String] {
    guard let elements = node.elements else {
      throw error("expected a list of texts, found \(node.kind)", node)
    }
    var texts: [String] = []
    for element in elements { texts.append(try text(element)) }
    return texts
  }
}
