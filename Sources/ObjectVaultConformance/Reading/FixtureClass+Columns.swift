import ObjectVaultCore

extension ColumnDefinition {
  /// What a fixture may say of a property's column.
  static var fields: [ValueForm.Field] {
    [
      .optional("columnType", .text), .optional("length", .integer),
      .optional("checksLength", .bool), .optional("constraints", .text),
    ]
  }

  /// What a fixture, or `begin`, says of a property's column.
  init(of node: FixtureNode, by reader: ValueReader) throws(FixtureError) {
    self.init()
    if let node = node["columnType"] { type = try reader.text(node) }
    if let node = node["constraints"] { constraints = try reader.text(node) }
    if let length = node["length"],
      case .integer(let limit) = try reader.read(length, as: .integer)
    {
      let isChecked = try node.isTrue("checksLength", by: reader)
      self.length = isChecked ? .atMost(Int(limit)) : .declared(Int(limit))
    }
  }

  /// The definition as `begin` sends it.
  var fixtureMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let type { members.append(.init("columnType", .string(type))) }
    if let length {
      members.append(.init("length", .integer(Int64(length.limit))))
      if length.isChecked { members.append(.init("checksLength", .bool(true))) }
    }
    if let constraints { members.append(.init("constraints", .string(constraints))) }
    return members
  }
}

extension TableOptions {
  /// What a fixture may say of a class's table as a whole.
  static var fields: [ValueForm.Field] {
    [
      .optional("columnOrder", .value), .optional("withoutRowID", .bool),
      .optional("insertionTime", .bool),
    ]
  }

  /// What a fixture, or `begin`, says of a class's table as a whole.
  init(of node: FixtureNode, by reader: ValueReader) throws(FixtureError) {
    self.init(
      withoutRowID: try node.isTrue("withoutRowID", by: reader),
      insertionTime: try node.isTrue("insertionTime", by: reader))
    guard let order = node["columnOrder"] else { return }
    if order.elements != nil {
      columnOrder = .listed(try reader.texts(order))
    } else if try reader.text(order) == "keysFirst" {
      columnOrder = .keysFirst
    } else {
      throw reader.error("'columnOrder' should be 'keysFirst' or a list of properties", order)
    }
  }

  /// The options as `begin` sends them.
  var fixtureMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    switch columnOrder {
    case .declared: break
    case .keysFirst: members.append(.init("columnOrder", .string("keysFirst")))
    case .listed(let names):
      members.append(.init("columnOrder", .array(names.map(JSONValue.string))))
    }
    if isWithoutRowID { members.append(.init("withoutRowID", .bool(true))) }
    if keepsInsertionTime { members.append(.init("insertionTime", .bool(true))) }
    return members
  }
}

extension FixtureNode {
  func isTrue(
    _ name: String, by reader: ValueReader
  ) throws(FixtureError) -> Bool {
    guard let node = self[name] else { return false }
    return try reader.read(node, as: .bool) == .bool(true)
  }
}
