import Foundation
import ObjectVaultCondition
import ObjectVaultDriver

/// The JSON form of a class in `objectvault_classes`, for the library and for other programs.
///
/// The value is an object with these members:
///
/// - `name`, `table`, and `objectID` (`"generated"` or the names of properties);
/// - `properties`, each with `name`, `column` and `type`, and if they apply `optional`, `default`,
///   `renamedFrom`, `shared`, `columnType`, `length`, `checksLength` and `constraints`;
/// - `indexes`, each with `properties` and `unique`;
/// - `references` if there are any, each with `name`, `properties`, `target`, `targetColumns` and
///   `onDelete`;
/// - `owned` if there are any, each with `name`, `target`, `reference`, `many` and `sortedBy`, and
///   `ordered` if it applies;
/// - `version` if it is not 1, and `renamedFrom` if it is not empty;
/// - `search` if the class has a full-text index, with `properties`, `module`, and
///   `tokenizer` if it is not `words`;
/// - if they apply `columnOrder` (`"keysFirst"` or the names of properties), `withoutRowID`,
///   `insertionTime` and `history`;
/// - `tableColumns` if the class was described again after its table was created, or the table has
///   other columns, with the names of the table's columns in their order;
/// - `removed` if columns of removed properties remain in the table, with these properties. The
///   members of such a property are those of other properties, except that an erasable key is named
///   by its column. Sealed values that are bound to a former name of the table have this name as
///   `table`, and those that are bound to a former name of the column have it as `sealedColumn`.
///   The parts of references that the property had are in `references`, each with `target` and, if
///   the object ID has not changed since, `targetColumn`.
extension ClassDescription {
  /// The description as compact JSON.
  package var json: String { jsonValue.compactText }

  /// Returns the description as compact JSON, with what the class does not say of its table.
  ///
  /// - Parameters:
  ///   - removed: The removed properties whose columns remain.
  ///   - tableColumns: The columns of the table; none if the table is new and has no others.
  /// - Returns: The text.
  package func json(removed: [FormerProperty], tableColumns: [String] = []) -> String {
    guard case .object(var members) = jsonValue else { return json }
    if !tableColumns.isEmpty {
      members.append(.init("tableColumns", .array(tableColumns.map(JSONValue.string))))
    }
    if !removed.isEmpty {
      members.append(.init("removed", .array(removed.map { $0.jsonValue(inTable: table) })))
    }
    return JSONValue.object(members).compactText
  }

  package var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)),
      .init("table", .string(table)),
      .init("objectID", objectIDValue),
      .init("properties", .array(properties.map(\.jsonValue))),
      .init("indexes", .array(indexes.map(\.jsonValue))),
    ]
    if !references.isEmpty {
      members.append(.init("references", .array(references.map(\.jsonValue))))
    }
    if !owned.isEmpty { members.append(.init("owned", .array(owned.map(\.jsonValue)))) }
    if version != 1 { members.append(.init("version", .integer(Int64(version)))) }
    if !renamedFrom.isEmpty {
      members.append(.init("renamedFrom", .array(renamedFrom.map(JSONValue.string))))
    }
    if let search { members.append(.init("search", search.jsonValue)) }
    members += options.jsonMembers
    return .object(members)
  }

  private var objectIDValue: JSONValue {
    switch objectID {
    case .generated: .string("generated")
    case .properties(let positions):
      .array(positions.map { .string(properties[$0].name) })
    }
  }

  /// Parses a description.
  ///
  /// - Parameters:
  ///   - json: The text.
  ///   - table: The name of the described table, for the error message.
  /// - Throws: `.damaged` if the text is not a valid description.
  package init(json: String, table: String) throws {
    do {
      let value = try JSONParser.parse(json)
      self.init(
        try value.text("name"), table: try value.text("table"),
        properties: try value.elements("properties").map(PropertyDescription.init(json:)),
        objectID: value["objectID"] == .string("generated")
          ? [] : try value.elements("objectID").map { try $0.text() },
        indexes: try value.elements("indexes").map(IndexDescription.init(json:)),
        references: try value.optionalElements("references")
          .map(ReferenceDescription.init(json:)),
        owned: try value.optionalElements("owned").map(OwnedDescription.init(json:)),
        version: try value.optionalNumber("version") ?? 1,
        renamedFrom: try value.optionalElements("renamedFrom").map { try $0.text() },
        search: try value["search"].map(SearchDescription.init(json:)),
        options: try TableOptions(json: value))
      try validate()
    } catch {
      throw Self.unreadable(table, error)
    }
  }

  /// Returns the removed properties of a description whose columns remain in the table.
  ///
  /// - Parameters:
  ///   - json: The text of the description.
  ///   - table: The name of the described table.
  /// - Returns: The properties; none if an earlier version wrote the description.
  /// - Throws: `.damaged` if the text is not a valid description.
  package static func removedProperties(
    json: String, table: String
  ) throws -> [FormerProperty] {
    do {
      return try JSONParser.parse(json).optionalElements("removed").map {
        try FormerProperty(json: $0, table: table)
      }
    } catch {
      throw unreadable(table, error)
    }
  }

  /// Returns the columns of the table of a description, in order.
  ///
  /// - Parameters:
  ///   - json: The text of the description.
  ///   - table: The name of the described table.
  /// - Returns: The names; none if the class was described when its table was created, or if an
  ///   earlier version wrote the description.
  /// - Throws: `.damaged` if the text is not a valid description.
  package static func tableColumns(json: String, table: String) throws -> [String] {
    do {
      return try JSONParser.parse(json).optionalElements("tableColumns").map { try $0.text() }
    } catch {
      throw unreadable(table, error)
    }
  }

  private static func unreadable(_ table: String, _ error: any Error) -> VaultError {
    VaultError(
      .damaged,
      "The file's description of the class in table '\(table)' cannot be read: it was written by "
        + "a newer version of ObjectVault, or changed by hand. Use the newer version, or restore "
        + "the file from a backup.",
      underlying: error)
  }
}

extension FormerProperty {
  fileprivate func jsonValue(inTable name: String) -> JSONValue {
    guard case .object(var members) = property.jsonValue else { return property.jsonValue }
    if property.sealing != nil {
      if table != name { members.append(.init("table", .string(table))) }
      if column != property.column { members.append(.init("sealedColumn", .string(column))) }
    }
    if !references.isEmpty {
      members.append(.init("references", .array(references.map(\.jsonValue))))
    }
    return .object(members)
  }

  fileprivate init(json: JSONValue, table: String) throws {
    self.init(
      try PropertyDescription(json: json), table: try json["table"].map { try $0.text() } ?? table,
      column: try json["sealedColumn"].map { try $0.text() })
    references = try json.optionalElements("references").map(FormerReference.init(json:))
  }
}

extension FormerReference {
  fileprivate var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [.init("target", .string(target))]
    if let column { members.append(.init("targetColumn", .string(column))) }
    return .object(members)
  }

  fileprivate init(json: JSONValue) throws {
    self.init(
      target: try json.text("target"), column: try json["targetColumn"].map { try $0.text() })
  }
}

extension PropertyDescription {
  fileprivate var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("column", .string(column)),
      .init("type", .string(type.rawValue)),
    ]
    if isOptional { members.append(.init("optional", .bool(true))) }
    if let defaultValue { members.append(.init("default", defaultValue.taggedJSON)) }
    if !renamedFrom.isEmpty {
      members.append(.init("renamedFrom", .array(renamedFrom.map(JSONValue.string))))
    }
    if isShared { members.append(.init("shared", .bool(true))) }
    if let sealing { members.append(.init("sealed", sealing.jsonValue)) }
    return .object(members + definition.jsonMembers)
  }

  fileprivate init(json: JSONValue) throws {
    guard let type = PropertyType(rawValue: try json.text("type")) else { throw Unreadable() }
    self.init(
      try json.text("name"), column: try json.text("column"), type: type,
      isOptional: json["optional"] == .bool(true),
      defaultValue: try json["default"].map(StoredValue.init(taggedJSON:)),
      renamedFrom: try json.optionalElements("renamedFrom").map { try $0.text() })
    definition = try ColumnDefinition(json: json)
    isShared = json["shared"] == .bool(true)
    sealing = try json["sealed"].map(Sealing.init(json:))
  }
}

extension Sealing {
  /// The name; for values with an erasable key `{"by":"key"}`, which earlier versions reject.
  fileprivate var jsonValue: JSONValue {
    keyProperty.map { .object([.init("by", .string($0))]) } ?? .string(name)
  }

  fileprivate init(json: JSONValue) throws {
    if json["by"] != nil {
      self = .by(try json.text("by"))
    } else {
      guard let sealing = Sealing(named: try json.text()) else { throw Unreadable() }
      self = sealing
    }
  }
}

extension ColumnDefinition {
  fileprivate var jsonMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let type { members.append(.init("columnType", .string(type))) }
    if let length {
      members.append(.init("length", .integer(Int64(length.limit))))
      if length.isChecked { members.append(.init("checksLength", .bool(true))) }
    }
    if let constraints { members.append(.init("constraints", .string(constraints))) }
    return members
  }

  fileprivate init(json: JSONValue) throws {
    let isChecked = json["checksLength"] == .bool(true)
    self.init(
      type: try json["columnType"].map { try $0.text() },
      length: try json.optionalNumber("length").map { isChecked ? .atMost($0) : .declared($0) },
      constraints: try json["constraints"].map { try $0.text() })
  }
}

extension TableOptions {
  fileprivate var jsonMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    switch columnOrder {
    case .declared: break
    case .keysFirst: members.append(.init("columnOrder", .string("keysFirst")))
    case .listed(let names):
      members.append(.init("columnOrder", .array(names.map(JSONValue.string))))
    }
    if isWithoutRowID { members.append(.init("withoutRowID", .bool(true))) }
    if keepsInsertionTime { members.append(.init("insertionTime", .bool(true))) }
    if history != .none { members.append(.init("history", .string(history.rawValue))) }
    return members
  }

  fileprivate init(json: JSONValue) throws {
    let order: ColumnOrder =
      switch json["columnOrder"] {
      case nil: .declared
      case .string("keysFirst")?: .keysFirst
      default: .listed(try json.elements("columnOrder").map { try $0.text() })
      }
    let history = try json["history"].map { History(rawValue: try $0.text()) } ?? History.none
    guard let history else { throw Unreadable() }
    self.init(
      columnOrder: order, withoutRowID: json["withoutRowID"] == .bool(true),
      insertionTime: json["insertionTime"] == .bool(true), history: history)
  }
}

extension IndexDescription {
  fileprivate var jsonValue: JSONValue {
    .object([
      .init("properties", .array(properties.map(JSONValue.string))),
      .init("unique", .bool(isUnique)),
    ])
  }

  fileprivate init(json: JSONValue) throws {
    self.init(
      try json.elements("properties").map { try $0.text() }, unique: json["unique"] == .bool(true))
  }
}

extension SearchDescription {
  fileprivate var jsonValue: JSONValue {
    .object(
      [
        .init("properties", .array(properties.map(JSONValue.string))),
        .init("module", .string(module.rawValue)),
      ] + (tokenizer == .words ? [] : [.init("tokenizer", .string(tokenizer.rawValue))]))
  }

  fileprivate init(json: JSONValue) throws {
    guard let module = Module(rawValue: try json.text("module")),
      let tokenizer = try json["tokenizer"].map({ Tokenizer(rawValue: try $0.text()) })
        ?? .words
    else { throw Unreadable() }
    self.init(
      try json.elements("properties").map { try $0.text() }, module: module, tokenizer: tokenizer)
  }
}

extension ReferenceDescription {
  fileprivate var jsonValue: JSONValue {
    .object([
      .init("name", .string(name)),
      .init("properties", .array(properties.map(JSONValue.string))),
      .init("target", .string(target)),
      .init("targetColumns", .array(targetColumns.map(JSONValue.string))),
      .init("onDelete", .string(onDelete.rawValue)),
    ])
  }

  fileprivate init(json: JSONValue) throws {
    guard let rule = DeleteRule(rawValue: try json.text("onDelete")) else { throw Unreadable() }
    self.init(
      try json.text("name"), properties: try json.elements("properties").map { try $0.text() },
      target: try json.text("target"),
      targetColumns: try json.elements("targetColumns").map { try $0.text() }, onDelete: rule)
  }
}

extension OwnedDescription {
  fileprivate var jsonValue: JSONValue {
    .object(
      [
        .init("name", .string(name)),
        .init("target", .string(target)),
        .init("reference", .string(reference)),
        .init("many", .bool(isMany)),
        .init("sortedBy", .array(sortedBy.map(JSONValue.string))),
      ] + (isOrdered ? [.init("ordered", .bool(true))] : []))
  }

  fileprivate init(json: JSONValue) throws {
    self.init(
      try json.text("name"), target: try json.text("target"),
      reference: try json.text("reference"), isMany: json["many"] == .bool(true),
      sortedBy: try json.elements("sortedBy").map { try $0.text() },
      ordered: json["ordered"] == .bool(true))
  }
}

extension StoredValue {
  /// The value with its storage class, so that nothing is lost: `{"integer":1}`.
  fileprivate var taggedJSON: JSONValue {
    switch self {
    case .null: .object([.init("null", .bool(true))])
    case .integer(let value): .object([.init("integer", .integer(value))])
    case .real(let value):
      .object([.init("real", JSONValue.real(value) ?? .string(value > 0 ? "inf" : "-inf"))])
    case .text(let value): .object([.init("text", .string(value))])
    case .blob(let value): .object([.init("blob", .string(Data(value).base64EncodedString()))])
    }
  }

  fileprivate init(taggedJSON json: JSONValue) throws {
    guard case .object(let members) = json, let member = members.first else { throw Unreadable() }
    switch (member.key, member.value) {
    case ("null", _): self = .null
    case ("integer", .number(let digits)):
      guard let value = Int64(digits) else { throw Unreadable() }
      self = .integer(value)
    case ("real", .number(let text)), ("real", .string(let text)):
      guard let value = Double(text) else { throw Unreadable() }
      self = .real(value)
    case ("text", .string(let text)): self = .text(text)
    case ("blob", .string(let text)):
      guard let data = Data(base64Encoded: text) else { throw Unreadable() }
      self = .blob([UInt8](data))
    default: throw Unreadable()
    }
  }
}

/// An error that is thrown for JSON that is not a description.
private struct Unreadable: Error {}

extension JSONValue {
  fileprivate func text() throws -> String {
    guard case .string(let text) = self else { throw Unreadable() }
    return text
  }

  fileprivate func text(_ key: String) throws -> String {
    guard let value = self[key] else { throw Unreadable() }
    return try value.text()
  }

  fileprivate func elements(_ key: String) throws -> [JSONValue] {
    guard case .array(let elements)? = self[key] else { throw Unreadable() }
    return elements
  }

  fileprivate func optionalElements(_ key: String) throws -> [JSONValue] {
    self[key] == nil ? [] : try elements(key)
  }

  fileprivate func optionalNumber(_ key: String) throws -> Int? {
    guard let value = self[key] else { return nil }
    guard case .number(let digits) = value, let number = Int(digits) else { throw Unreadable() }
    return number
  }
}
