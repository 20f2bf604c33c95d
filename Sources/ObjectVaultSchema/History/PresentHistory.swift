import ObjectVaultModel

/// The history triggers of a table of the file.
package struct PresentHistory {
  /// The SQL statements of the triggers by name.
  package let triggers: [String: String]

  /// Reads the triggers of a table.
  package init(ofTable table: String, in schema: Schema) throws {
    let prefix = HistoryDefinition.prefix(ofTable: table)
    let names = Set(HistoryDefinition.endings.map { prefix + $0 })
    triggers = Dictionary(
      uniqueKeysWithValues: try schema.objects("trigger", of: table)
        .filter { names.contains($0.name) }.map { ($0.name, $0.sql) })
  }

  /// Reads the triggers of a table, unless none of its class descriptions has a history.
  init?(
    of descriptions: [ClassDescription?], inTable table: String, in schema: Schema
  ) throws {
    guard descriptions.contains(where: { $0?.options.history == .changes }) else { return nil }
    try self.init(ofTable: table, in: schema)
  }
}
