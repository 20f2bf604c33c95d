import ObjectVaultModel

extension ColumnDefinition {
  /// The fields of a property that describe its column.
  static var fields: [FixtureForm.Field] {
    [
      .optional("columnType", .text), .optional("length", .integer),
      .optional("checksLength", .bool), .optional("constraints", .text),
    ]
  }

  /// Creates the definition from a property in a fixture or in `begin`.
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

  /// The definition in the form that `begin` sends.
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
  /// The fields of a class that describe its table.
  static var fields: [FixtureForm.Field] {
    [
      .optional("columnOrder", .value), .optional("withoutRowID", .bool),
      .optional("insertionTime", .bool), .optional("history", .text),
    ]
  }

  /// Creates the options from a class in a fixture or in `begin`.
  init(of node: FixtureNode, by reader: ValueReader) throws(FixtureError) {
    self.init(
      withoutRowID: try node.isTrue("withoutRowID", by: reader),
      insertionTime: try node.isTrue("insertionTime", by: reader))
    if let node = node["history"] {
      guard let history = History(rawValue: try reader.text(node)) else {
        throw reader.error("'history' must be 'changes' or 'none'", node)
      }
      self.history = history
    }
    guard let order = node["columnOrder"] else { return }
    if order.elements != nil {
      columnOrder = .listed(try reader.texts(order))
    } else if try reader.text(order) == "keysFirst" {
      columnOrder = .keysFirst
    } else {
      throw reader.error("'columnOrder' must be 'keysFirst' or a list of properties", order)
    }
  }

  /// The options in the form that `begin` sends.
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
    if history != .none { members.append(.init("history", .string(history.rawValue))) }
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
