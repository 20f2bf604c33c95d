import ObjectVaultModel

/// The history triggers of a table of the file.
package struct PresentHistory {
  /// The SQL statements of the triggers by name.
  package let triggers: [String: String]

  /// Reads the triggers of a table.
  package init(ofTable table: String, in schema: Schema) throws {
    let prefix = HistoryDefinition.prefix(ofTable: table)
    triggers = try schema.triggers(HistoryDefinition.endings.map { prefix + $0 }, of: table)
  }

  /// Reads the triggers of a table, unless none of its class descriptions has a history.
  init?(
    of descriptions: [ClassDescription?], inTable table: String, in schema: Schema
  ) throws {
    guard descriptions.contains(where: { $0?.options.history == .changes }) else { return nil }
    try self.init(ofTable: table, in: schema)
  }
}
