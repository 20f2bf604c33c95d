import ObjectVaultCondition
package import ObjectVaultModel

extension FixtureClass {
  /// The class in the form that `begin` sends: as in a fixture, but with all defaults written out.
  package var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(description.name)), .init("table", .string(description.table)),
      .init(
        "properties",
        .object(description.properties.map { .init($0.name, Self.property($0)) })),
    ]
    if !objectID.isEmpty {
      members.append(.init("objectID", .array(objectID.map(JSONValue.string))))
    }
    if !description.indexes.isEmpty {
      let indexes = description.indexes.map { index in
        JSONValue.object([
          .init("properties", .array(index.properties.map(JSONValue.string))),
          .init("unique", .bool(index.isUnique)),
        ])
      }
      members.append(.init("indexes", .array(indexes)))
    }
    if !description.references.isEmpty {
      let references = description.references.map { JSONValue.Member($0.name, $0.jsonValue) }
      members.append(.init("references", .object(references)))
    }
    if !description.owned.isEmpty {
      let owned = description.owned.map { JSONValue.Member($0.name, $0.jsonValue) }
      members.append(.init("owned", .object(owned)))
    }
    if description.version != 1 {
      members.append(.init("version", .integer(Int64(description.version))))
    }
    if !description.renamedFrom.isEmpty {
      members.append(
        .init("renamedFrom", .array(description.renamedFrom.map(JSONValue.string))))
    }
    if let search = description.search {
      members.append(
        .init(
          "search",
          .object([
            .init("properties", .array(search.properties.map(JSONValue.string))),
            .init("module", .string(search.module.rawValue)),
            .init("tokenizer", .string(search.tokenizer.rawValue)),
          ])))
    }
    return .object(members + description.options.fixtureMembers)
  }

  private static func property(_ property: PropertyDescription) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", .string(property.type.rawValue + (property.isOptional ? "?" : ""))),
      .init("column", .string(property.column)),
    ]
    if let value = property.defaultValue {
      members.append(.init("default", FixtureValue(value, as: property.type).jsonValue()))
    }
    if !property.renamedFrom.isEmpty {
      members.append(
        .init("renamedFrom", .array(property.renamedFrom.map(JSONValue.string))))
    }
    if property.isShared { members.append(.init("shared", .bool(true))) }
    if let sealing = property.sealing {
      members.append(.init("sealed", .string(sealing.name)))
    }
    return .object(members + property.definition.fixtureMembers)
  }
}
