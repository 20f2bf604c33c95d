import ObjectVaultCondition
import ObjectVaultDriver
package import ObjectVaultModel

/// The statements that create a class's table and indexes.
package struct TableDefinition {
  let description: ClassDescription

  package init(description: ClassDescription) {
    self.description = description
  }

  /// The `CREATE TABLE` statement.
  package var createTable: String {
    var parts: [String] = []
    if description.objectID == .generated {
      parts.append(
        "\(SQL.quoted(ClassDescription.generatedIDColumn)) INTEGER PRIMARY KEY AUTOINCREMENT")
    }
    for position in description.columnPositions {
      parts.append(column(description.properties[position], at: position))
    }
    if description.options.keepsInsertionTime { parts.append(InsertionTime.definition) }
    if case .properties(let positions) = description.objectID, positions.count > 1 {
      parts.append(
        "PRIMARY KEY (\(SQL.list(positions.map { description.properties[$0].column })))")
    }
    for reference in description.references where reference.properties.count > 1 {
      let columns = description.columns(of: reference.properties)
      parts.append("FOREIGN KEY (\(SQL.list(columns))) \(Self.foreignKey(of: reference))")
    }
    let ending = description.options.isWithoutRowID ? " WITHOUT ROWID" : ""
    return
      "CREATE TABLE \(SQL.quoted(description.table)) (\(parts.joined(separator: ", ")))\(ending)"
  }

  private func column(_ property: PropertyDescription, at position: Int) -> String {
    var text = "\(SQL.quoted(property.column)) \(property.declaredType)"
    if description.objectID == .properties([position]) {
      text += " PRIMARY KEY NOT NULL"
    } else {
      if !property.isOptional { text += " NOT NULL" }
      if let value = property.defaultValue, let literal = Self.literal(value) {
        text += " DEFAULT \(literal)"
      }
    }
    text += property.constraintText
    for reference in description.references where reference.properties == [property.name] {
      text += " \(Self.foreignKey(of: reference))"
    }
    return text
  }

  /// Returns the foreign key clause of a reference, which follows the column or `FOREIGN KEY (…)`.
  ///
  /// The foreign key is deferred: an immediate one makes every statement keep a statement journal,
  /// which SQLCipher 3.4 encrypts page by page. The removal plan enforces `deny`, because the
  /// effect of `RESTRICT` depends on the order in which the tables were created.
  static func foreignKey(of reference: ReferenceDescription) -> String {
    let action =
      switch reference.onDelete {
      case .cascade: "CASCADE"
      case .nullify: "SET NULL"
      case .deny, .noAction: "NO ACTION"
      }
    return "REFERENCES \(SQL.quoted(reference.target)) (\(SQL.list(reference.targetColumns))) "
      + "ON UPDATE CASCADE ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
  }

  /// The unique indexes: name and properties.
  var uniqueIndexes: [(name: String, properties: [String])] {
    description.indexes.filter(\.isUnique).map { index in
      (description.name(of: index), index.properties)
    }
  }

  /// The indexes: name and statement.
  package var indexes: [(name: String, statement: String)] {
    let declared = description.declaredIndexes.map { index in
      let columns = description.columns(of: index.properties)
      let name = description.name(of: index)
      let kind = index.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
      return (
        name,
        "\(kind) \(SQL.quoted(name)) ON \(SQL.quoted(description.table)) (\(SQL.list(columns)))"
      )
    }
    guard description.options.keepsInsertionTime else { return declared }
    let name = ClassDescription.indexName(
      table: description.table, columns: [InsertionTime.column], isUnique: false)
    return declared + [
      (
        name,
        "CREATE INDEX \(SQL.quoted(name)) ON \(SQL.quoted(description.table)) "
          + "(\(InsertionTime.quotedColumn))"
      )
    ]
  }

  /// Returns a default value as SQL text, or `nil` if SQL text cannot express it.
  static func literal(_ value: StoredValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let value): String(value)
    case .real(let value) where value == .infinity: "9e999"
    case .real(let value) where value == -.infinity: "-9e999"
    case .real(let value) where value.isNaN: nil
    case .real(let value): String(value)
    case .text(let text) where text.utf8.contains(0): nil
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .blob(let bytes): "x'\(SQL.hexadecimal(bytes))'"
    }
  }
}
