import ObjectVaultDriver
package import ObjectVaultModel

/// The triggers that record the changes of a class's objects.
///
/// They call no functions of the library, so that the changes of every program are recorded.
package struct HistoryDefinition {
  private let table: String
  /// The columns of the object ID.
  private let key: [String]
  /// The other properties: their names and columns.
  private let properties: [(name: String, column: String)]

  package init(_ description: ClassDescription) {
    table = description.table
    let columns = description.rowColumns
    let positions = description.objectIDPositions
    key = positions.map { columns[$0] }
    properties = description.properties.enumerated()
      .filter { !positions.contains($0.offset) }.map { ($0.element.name, $0.element.column) }
  }

  /// The endings of the triggers' names.
  static let endings = ["insert", "delete", "update", "move"]

  /// Returns the common prefix of a table's trigger names.
  static func prefix(ofTable table: String) -> String { "objectvault_\(table)_history_" }

  /// The SQL statements by trigger name.
  package var statements: [String: String] {
    var statements = [
      trigger("insert", "AFTER INSERT", [change(.inserted, "new")]),
      trigger("delete", "AFTER DELETE", [change(.removed, "old")]),
      // An object ID is changed by SQL only.
      trigger(
        "move", "AFTER UPDATE", when: Self.joined(key.map(Self.differs), " OR "),
        [change(.removed, "old"), change(.inserted, "new")]),
    ]
    if !properties.isEmpty {
      let same = key.map { "NOT (\(Self.differs($0)))" }
      let other = Self.joined(properties.map { Self.differs($0.column) }, " OR ")
      statements.append(
        trigger(
          "update", "AFTER UPDATE", when: Self.joined(same + ["(\(other))"], " AND "),
          [change(.updated, "new", properties: changedNames)]))
    }
    return Dictionary(uniqueKeysWithValues: statements)
  }

  private func trigger(
    _ ending: String, _ event: String, when condition: String? = nil, _ body: [String]
  ) -> (String, String) {
    SQL.trigger(Self.prefix(ofTable: table) + ending, event, on: table, body, when: condition)
  }

  private func change(
    _ kind: ChangeHistory.Kind, _ row: String, properties: String = "NULL"
  ) -> String {
    ChangeHistory.insertion(
      kind, ofTable: SQL.text(table), objectID: objectID(of: row), properties: properties)
  }

  /// Returns SQL that tests whether a column of the row changed, whatever its collation.
  private static func differs(_ column: String) -> String {
    let name = SQL.quoted(column)
    return "old.\(name) IS NOT new.\(name) COLLATE BINARY"
  }

  /// Returns SQL for an object ID: a number or bytes as they are, text and several parts as SQL
  /// literals.
  private func objectID(of row: String) -> String {
    let parts = key.map { column in
      let part = "\(row).\(SQL.quoted(column))"
      // `quote` ends at a NUL in text.
      return "CASE typeof(\(part)) WHEN 'text' THEN '''' || replace(\(part), '''', '''''') || '''' "
        + "ELSE \(key.count == 1 ? part : "quote(\(part))") END"
    }
    return parts.joined(separator: " || ', ' || ")
  }

  /// SQL for the names of the changed properties, as a JSON array.
  private var changedNames: String {
    let names = properties.map { property in
      let name = SQL.text("," + JSONValue.string(property.name).compactText)
      return "CASE WHEN \(Self.differs(property.column)) THEN \(name) ELSE '' END"
    }
    return "'[' || substr(\(Self.joined(names, " || ")), 2) || ']'"
  }

  /// Joins terms as a balanced tree, because the engine limits the depth of expressions.
  private static func joined(_ terms: [String], _ separator: String) -> String {
    guard terms.count > 100 else { return terms.joined(separator: separator) }
    let middle = terms.count / 2
    return "(\(joined(Array(terms[..<middle]), separator)))\(separator)"
      + "(\(joined(Array(terms[middle...]), separator)))"
  }
}
