import ObjectVaultCondition

/// The statements that make a class's table and indexes.
struct TableDefinition {
  let description: ClassDescription

  /// `CREATE TABLE …`.
  var createTable: String {
    var parts: [String] = []
    if description.objectID == .generated {
      parts.append(
        "\(SQL.quoted(ClassDescription.generatedIDColumn)) INTEGER PRIMARY KEY AUTOINCREMENT")
    }
    for (position, property) in description.properties.enumerated() {
      parts.append(column(property, at: position))
    }
    if case .properties(let positions) = description.objectID, positions.count > 1 {
      parts.append(
        "PRIMARY KEY (\(SQL.list(positions.map { description.properties[$0].column })))")
    }
    return "CREATE TABLE \(SQL.quoted(description.table)) (\(parts.joined(separator: ", ")))"
  }

  private func column(_ property: PropertyDescription, at position: Int) -> String {
    var text = "\(SQL.quoted(property.column)) \(property.type.columnType)"
    if description.objectID == .properties([position]) {
      return text + " PRIMARY KEY NOT NULL"
    }
    if !property.isOptional { text += " NOT NULL" }
    if let value = property.defaultValue, let literal = Self.literal(value) {
      text += " DEFAULT \(literal)"
    }
    return text
  }

  /// The indexes: name and statement.
  var indexes: [(name: String, statement: String)] {
    description.indexes.map { index in
      let columns = index.properties.compactMap { name in
        description.properties.first { $0.name == name }?.column
      }
      let name = Self.indexName(
        table: description.table, columns: columns, isUnique: index.isUnique)
      let kind = index.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
      return (
        name,
        "\(kind) \(SQL.quoted(name)) ON \(SQL.quoted(description.table)) (\(SQL.list(columns)))"
      )
    }
  }

  /// The name of the index over these columns.
  static func indexName(table: String, columns: [String], isUnique: Bool) -> String {
    "\(isUnique ? "ovu_" : "ov_")\(table)__\(columns.joined(separator: "_"))"
  }

  /// A default value as SQL text, or `nil` for one that text cannot say.
  private static func literal(_ value: StoredValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let value): String(value)
    case .real(let value) where value == .infinity: "9e999"
    case .real(let value) where value == -.infinity: "-9e999"
    case .real(let value) where value.isNaN: nil
    case .real(let value): String(value)
    case .text(let text) where text.utf8.contains(0): nil
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .blob(let bytes): "x'\(bytes.map { hex($0) }.joined())'"
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
}
