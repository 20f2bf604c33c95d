import ObjectVaultModel

extension ReferenceDescription {
  /// Returns the references of a class, read from a fixture or from `begin`.
  static func all(
    _ node: FixtureNode?, by reader: ValueReader
  ) throws(FixtureError) -> [ReferenceDescription] {
    guard let node else { return [] }
    guard let entries = node.entries else {
      throw reader.error("'references' must be a mapping of names to references", node)
    }
    var references: [ReferenceDescription] = []
    for entry in entries { references.append(try ReferenceDescription(entry, by: reader)) }
    return references
  }

  private init(_ entry: FixtureNode.Entry, by reader: ValueReader) throws(FixtureError) {
    let fields: [FixtureForm.Field] = [
      .required("table", .text), .optional("columns", .list(.text)),
      .optional("properties", .list(.text)),
      .optional("onDelete", .word(DeleteRule.allCases.map(\.rawValue))),
    ]
    let value = try reader.read(
      entry.value, fields: fields, of: "the reference '\(entry.key)'")
    self.init(
      entry.key, properties: value.texts("properties"), target: value.text("table") ?? "",
      targetColumns: value.texts("columns") ?? [ClassDescription.generatedIDColumn],
      onDelete: value.text("onDelete").flatMap(DeleteRule.init) ?? .noAction)
  }

  /// The reference in the form that `begin` sends.
  var jsonValue: JSONValue {
    .object([
      .init("table", .string(target)),
      .init("columns", .array(targetColumns.map(JSONValue.string))),
      .init("properties", .array(properties.map(JSONValue.string))),
      .init("onDelete", .string(onDelete.rawValue)),
    ])
  }
}

extension OwnedDescription {
  /// Returns the owned objects of a class, read from a fixture or from `begin`.
  static func all(
    _ node: FixtureNode?, by reader: ValueReader
  ) throws(FixtureError) -> [OwnedDescription] {
    guard let node else { return [] }
    guard let entries = node.entries else {
      throw reader.error("'owned' must be a mapping of names to owned objects", node)
    }
    var owned: [OwnedDescription] = []
    for entry in entries { owned.append(try OwnedDescription(entry, by: reader)) }
    return owned
  }

  private init(_ entry: FixtureNode.Entry, by reader: ValueReader) throws(FixtureError) {
    let fields: [FixtureForm.Field] = [
      .required("table", .text), .required("reference", .text), .optional("many", .bool),
      .optional("sortedBy", .list(.text)), .optional("ordered", .bool),
    ]
    let value = try reader.read(
      entry.value, fields: fields, of: "the owned objects '\(entry.key)'")
    self.init(
      entry.key, target: value.text("table") ?? "", reference: value.text("reference") ?? "",
      isMany: value["many"] != .bool(false), sortedBy: value.texts("sortedBy") ?? [],
      ordered: value["ordered"] == .bool(true))
  }

  /// The owned objects in the form that `begin` sends.
  var jsonValue: JSONValue {
    .object(
      [
        .init("table", .string(target)), .init("reference", .string(reference)),
        .init("many", .bool(isMany)),
        .init("sortedBy", .array(sortedBy.map(JSONValue.string))),
      ] + (isOrdered ? [.init("ordered", .bool(true))] : []))
  }
}

extension FixtureValue {
  fileprivate func text(_ name: String) -> String? {
    if case .text(let text)? = self[name] { text } else { nil }
  }

  fileprivate func texts(_ name: String) -> [String]? {
    guard case .list(let elements)? = self[name] else { return nil }
    return elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}
